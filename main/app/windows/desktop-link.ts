import type { HandlersOf } from '#shared/bridge/index.ts'
import type { AccountEntry } from '#shared/domain/account-list.ts'
import type { Destination } from '#shared/domain/changes.ts'
import type { DesktopChoices } from '#shared/domain/desktop/desktop.ts'
import type { NotificationChoices } from '#shared/domain/notification.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { pausedUntil } from '#shared/rules/notifications/pauses.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { isQuiet } from '#shared/rules/notifications/notifying.ts'
import { desktopCalls } from '#main/desktop/calls.ts'
import { Desktop } from '#main/desktop/desktop.ts'
import type { AccountPlace } from '#main/desktop/places.ts'
import type { Badge } from '#main/engine/context.ts'
import type { Host } from '#main/hosts/host.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import { sessionOf, type Account } from '../accounts/account.ts'
import { sendingOf } from '../accounts/sending.ts'
import type { CallWindow } from './call-window.ts'
import { placesOf } from './desktop-places.ts'
import { downloadCalls } from '../media/download-calls.ts'
import { safePage } from './safe-page.ts'
import { localTime } from '../notifications/local-time.ts'
import type { Translate } from '../texts.ts'

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
