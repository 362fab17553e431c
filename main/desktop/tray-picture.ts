import { PAUSES, type Pause } from '#shared/rules/notifications/notifying.ts'
import type { HostTranslate, SystemMenuItem, TrayMark, TrayPicture } from '#main/hosts/host.ts'
import type { Badge } from '#main/engine/context.ts'
import type { Sending } from './ending.ts'

export type TrayFacts = {
  readonly badge: Badge
  readonly offline: boolean
  /** Notifications are suppressed, by a pause or by quiet hours. */
  readonly quiet: boolean
  /** By a pause, which the menu can end. */
  readonly paused: boolean
  /** Presentation mode is on. */
  readonly presenting: boolean
  /** Minutes for which the viewer's location is still shared live. */
  readonly sharedMinutes?: number
  readonly sending: Pick<Sending, 'files' | 'share'>
  readonly unread: Places['unread']
  readonly accounts: readonly AccountPlace[]
}

type TrayActions = {
  readonly press: () => void
  readonly open: () => void
  readonly command: (action: 'newMessage' | 'settings') => void
  readonly pause: (how: Pause) => void
  readonly present: (on: boolean) => void
  readonly stopSharing: () => void
  readonly quit: () => void
}

/** The tray icon, its tooltip and its menu. */
export function trayPicture(facts: TrayFacts, translate: HostTranslate, actions: TrayActions): TrayPicture {
  return {
    mark: markOf(facts),
    tooltip: tooltipOf(facts, translate),
    items: itemsOf(facts, translate, actions),
    onPress: actions.press,
  }
}

/** An account that needs a sign-in receives nothing, so it has the highest priority. */
const asksSignIn = ({ accounts }: Pick<TrayFacts, 'accounts'>): boolean =>
  accounts.some(({ state }) => state === 'sign-in')

/** Mentions are shown even during quiet hours: the icon disturbs no one. */
function markOf(facts: Pick<TrayFacts, 'badge' | 'offline' | 'quiet' | 'accounts'>): TrayMark {
  if (asksSignIn(facts)) return 'attention'
  if (facts.offline) return 'offline'
  if (facts.badge.mentions > 0) return 'mention'
  if (facts.quiet) return 'quiet'
  return facts.badge.unread > 0 ? 'unread' : 'plain'
}

function tooltipOf(facts: TrayFacts, translate: HostTranslate): string {
  if (asksSignIn(facts)) return translate('desktop', 'tray.signIn')
  if (facts.sharedMinutes !== undefined) return translate('desktop', 'tray.sharing', { count: facts.sharedMinutes })
  if (facts.offline) return translate('desktop', 'tray.offline')
  const { files: count, share } = facts.sending
  if (count > 0) return translate('desktop', 'tray.sending', { count, percent: Math.floor(share * 100) })
  const { unread } = facts.badge
  return unread > 0 ? translate('desktop', 'tray.unread', { count: unread }) : translate('desktop', 'tray.plain')
}

type TrayTranslate = (key: string, params?: Readonly<Record<string, string | number>>) => string

const trayTranslate =
  (translate: HostTranslate): TrayTranslate =>
  (key, params) =>
    translate('desktop', `tray.${key}`, params)

const GAP = { gap: true } as const

function itemsOf(facts: TrayFacts, translateAll: HostTranslate, actions: TrayActions): readonly SystemMenuItem[] {
  const { unread, accounts, presenting, sharedMinutes: count } = facts
  const translate = trayTranslate(translateAll)
  return [
    { label: translate('open'), run: actions.open },
    { label: translate('newMessage'), run: () => actions.command('newMessage') },
    GAP,
    ...groupOf(accountLines(accounts, translateAll)),
    ...groupOf(
      unread.map(({ name, unread: count, open }) => ({
        label: translate('place', { name, unread: count }),
        run: open,
      })),
    ),
    ...groupOf(count === undefined ? [] : [{ label: translate('stopSharing', { count }), run: actions.stopSharing }]),
    { label: translate('quiet'), items: pauseLines(facts, translate, actions) },
    {
      label: translateAll('notifications', 'page.presenting'),
      checked: presenting,
      run: () => actions.present(!presenting),
    },
    { label: translate('settings'), run: () => actions.command('settings') },
    GAP,
    { label: translate('quit'), run: actions.quit },
  ]
}

const groupOf = (items: readonly SystemMenuItem[]): readonly SystemMenuItem[] =>
  items.length === 0 ? [] : [...items, GAP]

/** A single account is not listed, unless it needs a sign-in. */
export function accountLines(accounts: readonly AccountPlace[], translate: HostTranslate): readonly AccountLine[] {
  if (accounts.length < 2 && !asksSignIn({ accounts })) return []
  return accounts.map((each) => accountLine(each, trayTranslate(translate)))
}

type AccountLine = { readonly label: string; readonly run: () => void }

function accountLine({ name, state, unread, open }: AccountPlace, translate: TrayTranslate): AccountLine {
  const label =
    state === 'well'
      ? unread === 0
        ? name
        : translate('place', { name, unread })
      : translate(state === 'sign-in' ? 'accountSignIn' : 'accountOffline', { name })
  return { label, run: open }
}

function pauseLines(
  { paused }: TrayFacts,
  translate: TrayTranslate,
  { pause }: TrayActions,
): readonly SystemMenuItem[] {
  return PAUSES.flatMap((how) =>
    how === 'off' && !paused ? [] : [{ label: translate(`pauses.${how}`), run: () => pause(how) }],
  )
}

/** A conversation in a system menu. */
export type Place = {
  readonly name: string
  readonly unread: number
  /** A deep link for a new start; absent if there is none. */
  readonly link?: string
  readonly open: () => void
}

/** An account in a system menu. */
export type AccountPlace = {
  readonly name: string
  readonly unread: number
  readonly state: 'well' | 'offline' | 'sign-in'
  readonly open: () => void
}

/** Newest first, at most five each: system menus do not scroll. */
export type Places = { readonly unread: readonly Place[]; readonly recent: readonly Place[] }

export const MAX_MENU_PLACES = 5
