import type { Policies } from '#shared/domain/desktop/policies.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { checkAccount } from './gate.ts'

/**
 * A start with an account that anyone who manages the computer does not allow (any more) is a start with none: the window
 * asks where to sign in. What was kept of it stays where it is.
 */
export function allowedStart<Start extends { readonly ref: AccountRef | undefined; readonly keep: boolean }>(
  start: Start,
  policies: Policies,
): Start {
  if (start.ref === undefined) return start
  try {
    checkAccount(start.ref, policies)
    return start
  } catch {
    return { ...start, ref: undefined, keep: false }
  }
}
