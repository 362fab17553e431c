import type { ClientWindow } from '#main/hosts/host.ts'
import type { Account } from '../accounts/account.ts'

/** Context of `app.*`, `session.*` and `settings.*` calls: the calling window, and the account that it shows. */
export type CallWindow = { readonly window: ClientWindow; readonly account: () => Account | undefined }
