import * as v from 'valibot'
import { PIN_LENGTH } from '#shared/domain/desktop/lock.ts'
import { call } from '#shared/lib/contract.ts'
import { nothing } from '../schemas.ts'

const pin = v.pipe(v.string(), v.minLength(PIN_LENGTH.least), v.maxLength(PIN_LENGTH.most))
/** As someone typed it to prove that they know it. */
const typed = v.pipe(v.string(), v.maxLength(PIN_LENGTH.most))

/**
 * Parlor's own lock. While it is locked every other call rejects with `lock/locked`. A PIN that is asked for rejects with
 * `lock/wrong`, and with `lock/wait` while none is looked at after too many wrong ones.
 */
export const lock = {
  /** Sets a PIN; in place of another one only with that. */
  set: call<void>('dialog')(v.object({ pin, current: v.optional(typed) })),
  /** There is no PIN any more. */
  remove: call<void>('dialog')(v.object({ pin: typed })),
  /** Locks every window, once what is written in them is saved. Rejects with `lock/none` where there is no PIN. */
  now: call<void>()(nothing),
  /** Back to where everything was. */
  unlock: call<void>('dialog')(v.object({ pin: typed })),
  /**
   * The PIN is forgotten: signs out of every account, deletes all that this computer holds of them, local workspaces
   * included, and then the PIN.
   */
  forget: call<void>('dialog')(nothing),
  /** Someone touched a window; for hosts that cannot tell by themselves. */
  touched: call<void>()(nothing),
}
