import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import { messageId } from '../schemas.ts'

/** Epoch milliseconds of the server, within what a date can say. */
const moment = v.pipe(v.number(), v.finite(), v.minValue(1), v.maxValue(8_640_000_000_000_000))

/**
 * Messages to come back to. The replica always holds all of the viewer's reminders (entity `reminders`, by message id);
 * the window `later` lists their message ids in the order of `rules/reminders`, and brings the messages along.
 */
export const reminders = {
  open: call<void>()(v.undefined()),
  close: call<void>()(v.undefined()),
  /**
   * Sets, moves or snoozes; without a time the message is saved for later. Works offline; a message that was ticked off
   * is taken up again. Rejects with `message/gone`, `outbox/full`, `disk/full`.
   */
  set: call<void>()(v.object({ messageId, remindAt: v.optional(moment) })),
  /** Ticks off: the server forgets it, this computer lists it as done for 30 days. */
  done: call<void>()(v.object({ messageId })),
  /** Takes it away without a trace, a done one as well. */
  remove: call<void>()(v.object({ messageId })),
}
