import { PAUSES, type Pause } from '#shared/rules/pauses.ts'
import type { HostWords, SystemMenuItem, TrayMark, TrayPicture } from '#main/hosts/host.ts'
import type { Badge } from '#main/engine/context.ts'
import type { Sending } from './ending.ts'
import type { AccountPlace, Places } from './places.ts'

export type TrayFacts = {
  readonly badge: Badge
  readonly offline: boolean
  /** Nobody is told anything now, by a pause or by the hour. */
  readonly quiet: boolean
  /** By a pause, which the menu can end. */
  readonly paused: boolean
  /** Others see the screen. */
  readonly presenting: boolean
  /** Minutes for which the viewer's place is still shared live. */
  readonly sharedMinutes?: number
  readonly sending: Pick<Sending, 'files' | 'share'>
  readonly unread: Places['unread']
  readonly accounts: readonly AccountPlace[]
}

export type TrayActions = {
  readonly press: () => void
  readonly open: () => void
  readonly command: (action: 'newMessage' | 'settings') => void
  readonly pause: (how: Pause) => void
  readonly present: (on: boolean) => void
  readonly stopSharing: () => void
  readonly quit: () => void
}

/** The mark, what stands beside it when it is pointed at, and its menu. Source: product paper 4.6 "Tray". */
export function trayPicture(facts: TrayFacts, words: HostWords, actions: TrayActions): TrayPicture {
  return {
    mark: markOf(facts),
    tooltip: tooltipOf(facts, words),
    items: itemsOf(facts, words, actions),
    onPress: actions.press,
  }
}

/** Nothing comes from an account that wants its sign-in, so that stands before everything else. */
const asksSignIn = ({ accounts }: Pick<TrayFacts, 'accounts'>): boolean =>
  accounts.some(({ state }) => state === 'sign-in')

/** What is meant for the viewer shows even while it is quiet: the mark disturbs nobody. */
export function markOf(facts: Pick<TrayFacts, 'badge' | 'offline' | 'quiet' | 'accounts'>): TrayMark {
  if (asksSignIn(facts)) return 'attention'
  if (facts.offline) return 'offline'
  if (facts.badge.mentions > 0) return 'mention'
  if (facts.quiet) return 'quiet'
  return facts.badge.unread > 0 ? 'unread' : 'plain'
}

function tooltipOf(facts: TrayFacts, words: HostWords): string {
  if (asksSignIn(facts)) return words('desktop', 'tray.signIn')
  if (facts.sharedMinutes !== undefined) return words('desktop', 'tray.sharing', { count: facts.sharedMinutes })
  if (facts.offline) return words('desktop', 'tray.offline')
  const { files: count, share } = facts.sending
  if (count > 0) return words('desktop', 'tray.sending', { count, percent: Math.floor(share * 100) })
  const { unread } = facts.badge
  return unread > 0 ? words('desktop', 'tray.unread', { count: unread }) : words('desktop', 'tray.plain')
}

type TrayWords = (key: string, params?: Readonly<Record<string, string | number>>) => string

const trayWords =
  (words: HostWords): TrayWords =>
  (key, params) =>
    words('desktop', `tray.${key}`, params)

const GAP = { gap: true } as const

function itemsOf(facts: TrayFacts, allWords: HostWords, actions: TrayActions): readonly SystemMenuItem[] {
  const { unread, accounts, presenting, sharedMinutes: count } = facts
  const words = trayWords(allWords)
  return [
    { label: words('open'), run: actions.open },
    { label: words('newMessage'), run: () => actions.command('newMessage') },
    GAP,
    ...groupOf(accountLines(accounts, allWords)),
    ...groupOf(
      unread.map(({ name, unread: count, open }) => ({ label: words('place', { name, unread: count }), run: open })),
    ),
    ...groupOf(count === undefined ? [] : [{ label: words('stopSharing', { count }), run: actions.stopSharing }]),
    { label: words('quiet'), items: pauseLines(facts, words, actions) },
    {
      label: allWords('notifications', 'page.presenting'),
      checked: presenting,
      run: () => actions.present(!presenting),
    },
    { label: words('settings'), run: () => actions.command('settings') },
    GAP,
    { label: words('quit'), run: actions.quit },
  ]
}

const groupOf = (items: readonly SystemMenuItem[]): readonly SystemMenuItem[] =>
  items.length === 0 ? [] : [...items, GAP]

/** One alone needs no naming, unless something is wrong with it. */
export function accountLines(accounts: readonly AccountPlace[], words: HostWords): readonly AccountLine[] {
  if (accounts.length < 2 && !asksSignIn({ accounts })) return []
  return accounts.map((each) => accountLine(each, trayWords(words)))
}

type AccountLine = { readonly label: string; readonly run: () => void }

function accountLine({ name, state, unread, open }: AccountPlace, words: TrayWords): AccountLine {
  const label =
    state === 'well'
      ? unread === 0
        ? name
        : words('place', { name, unread })
      : words(state === 'sign-in' ? 'accountSignIn' : 'accountOffline', { name })
  return { label, run: open }
}

function pauseLines({ paused }: TrayFacts, words: TrayWords, { pause }: TrayActions): readonly SystemMenuItem[] {
  return PAUSES.flatMap((how) =>
    how === 'off' && !paused ? [] : [{ label: words(`pauses.${how}`), run: () => pause(how) }],
  )
}
