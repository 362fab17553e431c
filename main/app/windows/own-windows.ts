import type { WindowPlace } from '#shared/bridge/window-place.ts'
import { isSame } from '#shared/lib/same.ts'
import type { Host } from '#main/hosts/host.ts'
import { logger } from '#main/lib/logger.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import type { AccountRepository } from '../accounts/account-repository.ts'
import type { WindowTable } from './windows.ts'

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
