import type { HandlersOf } from '#shared/bridge/index.ts'
import type { AccountEntry } from '#shared/domain/session.ts'
import type { Destination } from '#shared/domain/changes.ts'
import { type DesktopChoices, SAFE_TEXT_KEYS, type SafePage } from '#shared/domain/desktop/desktop.ts'
import type { NotificationChoices } from '#shared/domain/notification.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { pausedUntil, isQuiet } from '#shared/rules/notifications/notifying.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { directUserIds } from '#shared/rules/channels/channels.ts'
import { channelLink, linkWorkspace } from '#shared/rules/desktop/deep-link.ts'
import { desktopCalls, Desktop } from '#main/desktop/desktop.ts'
import { type AccountPlace, MAX_MENU_PLACES, type Place, type Places } from '#main/desktop/tray-picture.ts'
import type { Badge } from '#main/engine/context.ts'
import type { Host } from '#main/hosts/host.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import * as drafts from '#main/cache/outbox/drafts.ts'
import * as intents from '#main/cache/outbox/intents.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as members from '#main/cache/channels/members.ts'
import * as mutes from '#main/cache/people/mutes.ts'
import * as unread from '#main/cache/channels/unread.ts'
import * as users from '#main/cache/people/users.ts'
import type { Reader } from '#main/cache/store.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { sessionOf, type Account } from '../accounts/account.ts'
import { sendingOf } from '../lifecycle.ts'
import { downloadCalls } from '../media/media.ts'
import { localTime } from '../notifications/delivery.ts'
import { type Translate, languageOf } from '../texts.ts'
import type { CallWindow } from './windows.ts'

type DesktopLinkOptions = {
  readonly host: Host
  readonly store: SettingsStore
  readonly translate: Translate
  /** Including the effect of a locked screen. */
  readonly notifying: () => NotificationChoices
  readonly publish: (settings: Settings) => void
  readonly accounts: () => readonly Account[]
  /** The accounts of the profile, in the order of the rail. */
  readonly entries: () => readonly AccountEntry[]
  readonly showAccount: (key: string) => void
  /** Sum over all accounts that are not muted. */
  readonly badge: () => Badge
  /** A window has switched to this account. */
  readonly isShown: (account: Account) => boolean
  readonly showIn: (account: Account, place: Extract<Destination, { type: 'focus' | 'command' }>) => void
  readonly notifySaving: (on: boolean) => void
  /** Names of channels and users must not appear outside of the windows. */
  readonly isLocked: () => boolean
}

/** Connects the app with the desktop: tray, menus and badge. */
export type DesktopLink = {
  readonly calls: HandlersOf<'desktop', CallWindow>
  start(): Promise<void>
  accept(next: DesktopChoices): Promise<void>
  changed(): void
  /** A window shows this channel in the foreground. */
  writesIn(account: Account, cid: Cid): void
  /** Something that the tray or the menus show has changed. */
  touched(): void
  canHide(): boolean
  stop(): void
}

export function linkDesktop(options: DesktopLinkOptions): DesktopLink {
  const { host, store, translate, notifying, publish, accounts, entries, badge } = options
  const { isShown, showIn, showAccount, notifySaving, isLocked } = options
  const { clock } = host.ports
  /** Menus are built only if the system has any. */
  const isDrawn = host.tray !== undefined || host.jumps !== undefined || host.progress !== undefined
  const update = (changes: Partial<Settings>): void => publish(store.update(changes))
  const notify = (changes: Partial<NotificationChoices>): void =>
    update({ notifications: { ...store.settings().notifications, ...changes } })
  const shown = (): Account | undefined => accounts().find(isShown) ?? accounts()[0]

  const desktop = new Desktop({
    host,
    clock,
    translate,
    choices: () => store.settings().desktop,
    choose: (changes) => update({ desktop: { ...store.settings().desktop, ...changes } }),
    badge,
    places: () => {
      const account = isLocked() ? undefined : shown()
      return account ? placesOf(account, clock.now(), (cid) => showIn(account, { type: 'focus', cid })) : NOWHERE
    },
    isOffline: () => shown()?.engine.connection().offline ?? false,
    isQuiet: () => isQuiet(notifying(), localTime(clock.now())),
    isPaused: () => store.settings().notifications.pausedUntil > clock.now(),
    pause: (how) => notify({ pausedUntil: pausedUntil(how, clock.now()) }),
    isPresenting: () => store.settings().notifications.presenting,
    present: (on) => notify({ presenting: on }),
    sharedFor: () => {
      const left = accounts().flatMap(({ engine }) => {
        const until = engine.sharesUntil()
        return until === undefined ? [] : [until - engine.serverNow()]
      })
      return left.length === 0 ? undefined : Math.max(...left)
    },
    stopSharing: () => accounts().forEach(({ engine }) => engine.stopSharing()),
    sending: () => sendingOf(accounts(), true),
    accounts: () =>
      (isLocked() ? [] : entries()).map((entry) => ({ ...placeOfAccount(entry), open: () => showAccount(entry.key) })),
    command(action) {
      const account = shown()
      if (account) showIn(account, { type: 'command', action })
      else host.windows.focus()
    },
    onSaving: notifySaving,
  })

  return {
    calls: {
      ...desktopCalls(desktop, host),
      ...downloadCalls(host),
      safePage: (_input, { account }) => safePage(account(), store.settings(), translate),
    },
    start: () => desktop.start(),
    accept: (next) => desktop.accept(next),
    changed: () => desktop.changed(),
    writesIn: ({ ref, baseUrl }, cid) => desktop.writesIn({ account: sidebarKey(sessionOf(ref, baseUrl())), cid }),
    touched() {
      if (isDrawn) desktop.touched()
    },
    canHide: () => desktop.canHide,
    stop: () => desktop.stop(),
  }
}

/** A muted account counts nothing. */
const placeOfAccount = ({ name, muted, unread, connection }: AccountEntry): Omit<AccountPlace, 'open'> => ({
  name,
  unread: muted ? 0 : unread,
  state: connection === 'sign-in' || connection === 'offline' ? connection : 'well',
})

const NOWHERE = { unread: [], recent: [] }

/** Data for the safe page, shown after a window's page crashed repeatedly: a few texts, and the unsent messages. */
function safePage(account: Account | undefined, settings: Settings, translate: Translate): SafePage {
  return {
    text: Object.fromEntries(
      SAFE_TEXT_KEYS.map((key) => [key, translate('desktop', `safe.${key}`)]),
    ) as SafePage['text'],
    theme: settings.theme,
    language: languageOf(settings),
    unsent: account ? unsentOf(account) : '',
  }
}

/** By place, oldest first within it. */
function unsentOf({ engine }: Account): string {
  const reader = engine.stores.outbox.reader
  const waiting = intents.all(reader).flatMap(({ cid, payload }) => {
    const text = textOf(payload)
    return text === '' ? [] : [`${cid}\n\n${text}`]
  })
  const written = drafts.all(reader).flatMap(({ key, text }) => (text === '' ? [] : [`${key}\n\n${text}`]))
  return [...waiting, ...written].join('\n\n\n')
}

function textOf(payload: unknown): string {
  if (typeof payload !== 'object' || payload === null || !('text' in payload)) return ''
  return typeof payload.text === 'string' ? payload.text : ''
}

/** Bound of channels that are checked: each one is a query, and older ones have nothing new. */
const CHECKED_CHANNELS = 40

/** Conversations of an account for the system's menus: those with unread messages, and the latest ones. */
function placesOf(account: Account, now: number, open: (cid: Cid) => void): Places {
  const reader = account.engine.stores.cache.reader
  const workspace = workspaceOf(account.ref)
  const placeOf = (cid: Cid, count: number): Place => ({
    name: nameOf(reader, cid),
    unread: count,
    link: channelLink(workspace, cid),
    open: () => open(cid),
  })
  const latest = channels.listedCids(reader).slice(0, CHECKED_CHANNELS)
  const waiting = latest.flatMap((cid) => {
    if (mutes.isMuted(reader, 'channel', cid, now)) return []
    const count = unread.ofChannel(reader, cid, now).unread
    return count === 0 ? [] : [placeOf(cid, count)]
  })
  return {
    unread: waiting.slice(0, MAX_MENU_PLACES),
    recent: latest.slice(0, MAX_MENU_PLACES).map((cid) => placeOf(cid, 0)),
  }
}

/** The channel's own name, or the names of the other members of a direct conversation. */
function nameOf(reader: Reader, cid: Cid): string {
  const row = channels.byCid(reader, cid)
  if (!row) return cid
  if (row.name !== '') return row.name
  const others = directUserIds(row.id, members.firstIds(reader, cid), reader.viewerId)
  const names = others.map((id) => users.byId(reader, id)?.name ?? id)
  return names.length === 0 ? row.id : names.join(', ')
}

const workspaceOf = (ref: AccountRef): string =>
  linkWorkspace({
    name: '',
    kind: ref.kind === 'hosted' ? 'hosted' : 'local',
    demo: ref.kind === 'demo',
    url: ref.kind === 'hosted' ? ref.url : '',
  })
