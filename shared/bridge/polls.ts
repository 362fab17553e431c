import * as v from 'valibot'
import { call } from '#shared/lib/contract.ts'
import { key, messageId } from './schemas.ts'

const vote = v.object({ messageId, optionId: key })

/** Votes in the poll of a message. They go through the outbox: shown at once, sent when a connection allows. */
export const polls = {
  /**
   * Votes for an option; where votes are unique it replaces the one before. Nothing happens when it is already the
   * viewer's. Rejects with `poll/closed`, `poll/vote-limit`, `message/gone` or `outbox/full`.
   */
  castVote: call<void>()(vote),
  /** Takes an own vote back. Rejects with `poll/closed`, `message/gone` or `outbox/full`. */
  removeVote: call<void>()(vote),
}
