import * as v from 'valibot'
import { PIN_LENGTH } from '#shared/domain/desktop/lock.ts'
import { call } from '#shared/lib/contract.ts'
import { nothing } from '../schemas.ts'

const pin = v.pipe(v.string(), v.minLength(PIN_LENGTH.least), v.maxLength(PIN_LENGTH.most))
/** A PIN as typed by the user, for verification. */
const typed = v.pipe(v.string(), v.maxLength(PIN_LENGTH.most))

/**
 * Parlor's app lock. While locked, every other call rejects with `lock/locked`. A call that verifies a PIN rejects with
 * `lock/wrong`, and with `lock/wait` while attempts are suspended after too many wrong ones.
 */
export const lock = {
  /** Sets a PIN; replacing one requires the current PIN. */
  set: call<void>('dialog')(v.object({ pin, current: v.optional(typed) })),
  /** Removes the PIN. */
  remove: call<void>('dialog')(v.object({ pin: typed })),
  /** Locks every window after unsaved input is saved. Rejects with `lock/none` if no PIN is set. */
  now: call<void>()(nothing),
  /** Restores the windows as they were. */
  unlock: call<void>('dialog')(v.object({ pin: typed })),
  /**
   * Recovery from a forgotten PIN: signs out of every account, deletes all their data on this device, including local
   * workspaces, and removes the PIN.
   */
  forget: call<void>('dialog')(nothing),
  /** User activity in a window; for hosts that cannot detect it. */
  touched: call<void>()(nothing),
}
