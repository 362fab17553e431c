import type { Policies } from '#shared/domain/desktop/policies.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { checkAccount } from './gate.ts'

/**
 * If policies do not allow the account (any more), Parlor starts without one and asks for a sign-in. Its stored data is not
 * touched.
 */
export function allowedStart<Start extends { readonly ref: AccountRef | undefined; readonly save: boolean }>(
  start: Start,
  policies: Policies,
): Start {
  if (start.ref === undefined) return start
  try {
    checkAccount(start.ref, policies)
    return start
  } catch {
    return { ...start, ref: undefined, save: false }
  }
}
