import type { ClientWindow } from '#main/hosts/host.ts'
import type { Account } from '../accounts/account.ts'

/** What `app.*`, `session.*` and `settings.*` hear beside their input: who asks, and which account that window shows. */
export type CallWindow = { readonly window: ClientWindow; readonly account: () => Account | undefined }
