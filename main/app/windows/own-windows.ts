import type { WindowPlace } from '#shared/bridge/window-place.ts'
import { isSame } from '#shared/lib/same.ts'
import type { Host } from '#main/hosts/host.ts'
import { logger } from '#main/lib/logger.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import type { AccountRepository } from '../accounts/account-repository.ts'
import type { WindowTable } from './windows.ts'

type Kept = { readonly account: string; readonly place: WindowPlace }

type OwnWindowsOptions = {
  readonly host: Host
  readonly store: SettingsStore
  readonly repository: AccountRepository
  readonly windows: WindowTable
}

/**
 * Windows of one channel or thread come back with the next start: they are written down while they are open, and opened
 * again once the first whole window is there. One that someone closes is forgotten; quitting closes none.
 */
export class OwnWindows {
  readonly #options: OwnWindowsOptions
  /** Written down by the last run, and not there yet: kept, for the start may be cut short. */
  #awaited: readonly Kept[]
  #reopened = false
  #stopped = false

  constructor(options: OwnWindowsOptions) {
    this.#options = options
    this.#awaited = options.store.profile().windows
  }

  /** Other windows are open than before, or they show other accounts. */
  changed(): void {
    if (this.#stopped) return
    const { store, repository, windows } = this.#options
    const open: readonly Kept[] = windows.places
    const isOpen = (kept: Kept): boolean => open.some((each) => isSame(each, kept))
    this.#awaited = this.#awaited.filter((kept) => !isOpen(kept) && repository.find(kept.account))
    const now = [...this.#awaited, ...open]
    if (!isSame(now, store.profile().windows)) store.saveProfile({ windows: now })
    if (this.#reopened || !windows.anyWhole?.account) return
    this.#reopened = true
    this.#reopen()
  }

  /** The program ends: what closes from now on was closed by no one. */
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
