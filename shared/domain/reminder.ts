import type { Cid, MessageId } from '#shared/lib/brand.ts'

/** A message saved for later, with or without a time. Keyed by the message. */
export type Reminder = {
  readonly messageId: MessageId
  readonly cid: Cid
  /** Epoch milliseconds of the server; absent: saved for later, without a time. */
  readonly remindAt?: number
  /** When the alarm went off on this device for the current `remindAt`; absent: not yet, or not here. */
  readonly rangAt?: number
  /** Completed on this device; the server has no reminder for it. */
  readonly doneAt?: number
  /** The server has not confirmed the last change. */
  readonly pending: boolean
  readonly createdAt: number
  readonly updatedAt: number
}
