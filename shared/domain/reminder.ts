import type { Cid, MessageId } from '#shared/lib/brand.ts'

/** A message someone wants to come back to. Keyed by the message. */
export type Reminder = {
  readonly messageId: MessageId
  readonly cid: Cid
  /** Epoch milliseconds of the server; absent: saved for later, without a time. */
  readonly remindAt?: number
  /** When it rang on this computer, for the present `remindAt`; absent: not yet, or not here. */
  readonly rangAt?: number
  /** Ticked off on this computer; the server has no reminder (any more). */
  readonly doneAt?: number
  /** The server has not confirmed the last change. */
  readonly pending: boolean
  readonly createdAt: number
  readonly updatedAt: number
}
