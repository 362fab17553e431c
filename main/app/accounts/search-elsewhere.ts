import type { HandlersOf } from '#shared/bridge/index.ts'
import type { AccountList } from '#shared/domain/session.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { ClientWindow } from '#main/hosts/host.ts'
import type { CallWindow } from '../windows/windows.ts'
import type { Account } from './account.ts'
import type { Accounts } from './accounts.ts'

type Options = {
  readonly accounts: Pick<Accounts, 'all'>
  /** The accounts that a window may know of; none while Parlor is locked. */
  readonly listed: (window: ClientWindow) => AccountList
}

/**
 * `elsewhere.*` of the contract: each question goes to the engine of one account, and its answer to the window alone.
 * Whether the window may have it is checked again when it arrives: meanwhile the account may have been signed out, or
 * Parlor locked.
 */
export function elsewhereCalls({ accounts, listed }: Options): HandlersOf<'elsewhere', CallWindow> {
  function allowed(window: ClientWindow, key: string): Account {
    if (!listed(window).accounts.some((entry) => entry.key === key)) throw new AppError('session/no-account')
    const account = accounts.all().find((one) => one.key === key)
    if (!account) throw new AppError('search/not-open')
    if (account.engine.connection().blocked !== undefined) throw new AppError('session/signed-out')
    return account
  }
  return {
    async messages({ key, ...question }, { window }) {
      const { search } = allowed(window, key).engine.handlers
      const page = await search.messages(question, { client: window.id })
      allowed(window, key)
      return page
    },
    async names({ key, ...question }, { window }) {
      const { search } = allowed(window, key).engine.handlers
      const found = await search.names(question, { client: window.id })
      allowed(window, key)
      return found
    },
  }
}
