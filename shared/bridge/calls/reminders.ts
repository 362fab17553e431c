import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import { messageId } from '../schemas.ts'

/** Epoch milliseconds of the server, within the range of `Date`. */
const moment = v.pipe(v.number(), v.finite(), v.minValue(1), v.maxValue(8_640_000_000_000_000))

/**
 * Messages to come back to. The replica always holds all of the viewer's reminders (entity `reminders`, by message id);
 * the window `later` lists their message ids in the order of `rules/reminders`, and includes the messages.
 */
export const reminders = {
  open: call<void>()(v.undefined()),
  close: call<void>()(v.undefined()),
  /**
   * Sets, moves or snoozes; without a time the message is saved for later. Works offline; a completed reminder becomes
   * active again. Rejects with `message/gone`, `outbox/full`, `disk/full`.
   */
  set: call<void>()(v.object({ messageId, remindAt: v.optional(moment) })),
  /** Completes it: the server deletes it, this device lists it as done for 30 days. */
  done: call<void>()(v.object({ messageId })),
  /** Deletes a reminder, including a completed one. */
  remove: call<void>()(v.object({ messageId })),
}
