import * as v from 'valibot'
import type { Interruptions, NotifyProof, NotifyRecord } from '../../domain/notification.ts'
import { call } from '../../lib/contract.ts'
import { messageId, nothing } from '../schemas.ts'

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

/** The notification log, and a test notification. */
export const notifications = {
  /**
   * Why a message did or did not notify; absent if it did not arrive in this run of Parlor, or is no longer in the log.
   */
  why: call<NotifyRecord | undefined>()(v.object({ messageId })),
  /** The last 200 messages that arrived in this account, newest first. */
  history: call<readonly NotifyRecord[]>()(nothing),
  /** How many notifications each channel raised in the last seven days, as counted on this device. */
  interruptions: call<Interruptions>()(nothing),
  /**
   * Shows a test notification, ignoring quiet hours, and returns whether it was delivered. Resolves within three
   * seconds.
   */
  prove: call<NotifyProof>('dialog')(nothing),
}
