import type { Effect, Place } from '#shared/domain/changes.ts'
import type { AccountEntry } from '#shared/domain/session.ts'
import type { DeepLink } from '#shared/domain/desktop/desktop.ts'
import type { WindowPlace } from '#shared/bridge/window-place.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { linkWorkspace } from '#shared/rules/desktop/deep-link.ts'
import { isSame } from '#shared/lib/same.ts'
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import { type Account, sessionOf } from '../accounts/account.ts'
import type { AccountRepository } from '../accounts/account-repository.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { attempt, saveReply, sendReply, placeOfNotification } from '../notifications/delivery.ts'
import type { Translate } from '../texts.ts'
import type { WindowTable } from './windows.ts'

type NavigatorOptions = {
  readonly host: Host
  readonly repository: AccountRepository
  readonly accounts: Accounts
  readonly windows: WindowTable
  readonly entries: () => readonly AccountEntry[]
  readonly translate: Translate
}

/** Opens the target of a clicked notification or link: in which account, and in which window. */
export class Navigator {
  readonly #options: NavigatorOptions
  readonly #log: Logger

  constructor(options: NavigatorOptions) {
    this.#options = options
    this.#log = logger('leading', options.host.log)
  }

  /**
   * Signed out there is no target, except of an invitation, which the start page takes; a window comes to the front anyway.
   */
  follow(link: DeepLink): void {
    const { windows, host } = this.#options
    const ref = this.#refForLink(link)
    if (ref) return this.#scheduleShow(ref, { type: 'link', link })
    if (link.route === 'join') windows.effectAtStart({ type: 'link', link })
    if (windows.isEmpty) this.#openWindow({})
    else host.windows.focus()
  }

  /** Of the accounts that a link may refer to, the one that is shown; if it refers to none, a notice says so. */
  #refForLink(link: DeepLink): AccountRef | undefined {
    const { shown } = this.#options.repository
    if (!('workspace' in link)) return shown
    const isMeant = (ref: AccountRef): boolean => {
      const { workspace } = sessionOf(ref, '')
      return workspace !== undefined && linkWorkspace(workspace) === link.workspace
    }
    if (shown && isMeant(shown)) return shown
    return this.#options.repository.all().find(({ ref }) => isMeant(ref))?.ref ?? shown
  }

  /**
   * Shows a place (or an account without one) after a notification was clicked: in the window that shows the place, or in
   * one of that account; else the last window switches to it after saving its drafts; else in a new window.
   */
  showIn(account: Account, place: Place | undefined): void {
    const { windows } = this.#options
    const window = place?.type === 'focus' ? windows.showing(account, placeOf(place)) : windows.shown(account)
    this.#showWith(window, account, place)
  }

  /** Like {@link showIn}, called from a window of one place that does not show it: uses a whole window. */
  showWhole(account: Account, place: Place): void {
    this.#showWith(this.#options.windows.shown(account), account, place)
  }

  #showWith(window: ClientWindow | undefined, account: Account, place: Place | undefined): void {
    if (this.#options.windows.isLocked) return this.#showUnlocked(account, place)
    if (window) {
      if (place) window.push({ kind: 'effect', effect: place })
      this.#options.host.windows.focus(window.id)
      return
    }
    const isStored = this.#options.repository.find(account.key) !== undefined
    const other = isStored ? this.#options.windows.anyWhole : undefined
    if (other) {
      other.pipe.effect({ type: 'account', key: account.key, place })
      this.#options.host.windows.focus(other.window.id)
      return
    }
    if (place) this.#options.windows.effectLater(account, place)
    this.#options.windows.expect(account.ref)
    this.#openWindow(isStored ? {} : { asUserId: account.ref.userId })
  }

  /** The target is shown once the user has typed the PIN. */
  #showUnlocked(account: Account, place: Place | undefined): void {
    const { windows, host } = this.#options
    if (place) windows.effectLater(account, place)
    if (windows.isEmpty) this.#openWindow({})
    else host.windows.focus()
  }

  /** Shows an account of the profile as it was left. */
  showAccount(key: string): void {
    const ref = this.#options.repository.find(key)?.ref
    if (ref) this.#scheduleShow(ref, undefined)
  }

  /** Like {@link showIn}, for an account that may still be opening. */
  #scheduleShow(ref: AccountRef, place: Place | undefined): void {
    this.#whenOpen(ref, (account) => this.showIn(account, place))
  }

  #whenOpen(ref: AccountRef, work: (account: Account) => void): void {
    const account = this.#options.accounts.find(ref)
    if (account) return work(account)
    this.#options.accounts.open(ref).then(work, (error: unknown) => {
      this.#log.error('open-failed', { error: error instanceof AppError ? error.code : String(error) })
      this.#options.host.windows.focus()
    })
  }

  /** Sends to the windows of an account; without one, the last window shows it with a link to the account. */
  push(account: Account, effect: Effect): void {
    if (this.#options.windows.effect(account, effect)) return
    const notified =
      effect.type === 'notify' && effect.opens.type !== 'account' ? wrapped(account, effect, effect.opens) : effect
    this.#options.windows.anyWhole?.pipe.effect(notified)
  }

  titled({ key }: Account, title: string): string {
    const entries = this.#options.entries()
    const workspace = entries.length > 1 ? entries.find((entry) => entry.key === key)?.name : undefined
    return workspace === undefined
      ? title
      : this.#options.translate('notifications', 'system.ofAccount', { title, workspace })
  }

  /**
   * For a notification of an earlier run: opens its place if its account is in the profile, else only brings a window to the
   * front. A reply that was typed in it is sent there.
   */
  openForgotten(id: string, reply = ''): void {
    const about = placeOfNotification(id)
    const ref = about && this.#accountOf(about.account)
    if (!ref) return this.#options.host.windows.focus()
    const { cid, parentId } = about
    if (reply !== '') {
      const place = { cid: asCid(cid), ...(parentId === undefined ? {} : { parentId: asMessageId(parentId) }) }
      const answer = this.#options.windows.isLocked ? saveReply : sendReply
      return this.#whenOpen(ref, (account) => attempt(account, () => answer(account, place, reply)))
    }
    this.#scheduleShow(ref, { type: 'focus', cid, parentId })
  }

  #accountOf(key: string): AccountRef | undefined {
    return (
      this.#options.repository.find(key)?.ref ??
      this.#options.accounts.all().find((account) => account.key === key)?.ref
    )
  }

  #openWindow(what: { readonly asUserId?: string }): void {
    this.#options.host.windows.open(what).catch((error: unknown) => {
      this.#log.error('open-failed', { error: error instanceof AppError ? error.code : String(error) })
    })
  }
}

const placeOf = ({ cid, parentId }: Extract<Place, { type: 'focus' }>): WindowPlace => ({
  cid: asCid(cid),
  parentId: parentId === undefined ? undefined : asMessageId(parentId),
})

const wrapped = (account: Account, effect: Extract<Effect, { type: 'notify' }>, place: Place): Effect => ({
  ...effect,
  opens: { type: 'account', key: account.key, place },
})

type StoredWindow = { readonly account: string; readonly place: WindowPlace }

type OwnWindowsOptions = {
  readonly host: Host
  readonly store: SettingsStore
  readonly repository: AccountRepository
  readonly windows: WindowTable
}

/**
 * Windows of one channel or thread are restored at the next start: they are stored while they are open, and opened again
 * after the first whole window. A window that the user closes is removed; quitting removes none.
 */
export class OwnWindows {
  readonly #options: OwnWindowsOptions
  /** Stored by the last run and not restored yet: not removed, because the start may be interrupted. */
  #awaited: readonly StoredWindow[]
  #reopened = false
  #stopped = false

  constructor(options: OwnWindowsOptions) {
    this.#options = options
    this.#awaited = options.store.profile().windows
  }

  /** The set of open windows, or the accounts they show, have changed. */
  changed(): void {
    if (this.#stopped) return
    const { store, repository, windows } = this.#options
    const open: readonly StoredWindow[] = windows.places
    const isOpen = (stored: StoredWindow): boolean => open.some((each) => isSame(each, stored))
    this.#awaited = this.#awaited.filter((stored) => !isOpen(stored) && repository.find(stored.account))
    const now = [...this.#awaited, ...open]
    if (!isSame(now, store.profile().windows)) store.saveProfile({ windows: now })
    if (this.#reopened || !windows.anyWhole?.account) return
    this.#reopened = true
    this.#reopen()
  }

  /** The program exits: windows that close from now on were not closed by the user. */
  stop(): void {
    this.#stopped = true
  }

  #reopen(): void {
    const { host, repository, windows } = this.#options
    for (const { account, place } of this.#awaited) {
      const ref = repository.find(account)?.ref
      if (!ref) continue
      windows.expect(ref, place)
      host.windows.open({ place }).catch((error: unknown) => {
        logger('own-windows', host.log).error('open-failed', { error: String(error) })
      })
    }
  }
}
