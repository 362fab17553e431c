import { NO_CHANNEL } from '#shared/domain/outbox.ts'
import type { PendingDecision } from '#shared/domain/manage/review.ts'
import type { ReadContext } from './read-context.ts'

/** Decisions about the review queue that the server has not confirmed, oldest first; not those that undo another. */
export function pendingDecisions(outbox: ReadContext['outbox']): readonly PendingDecision[] {
  return outbox.in(NO_CHANNEL).flatMap((intent): readonly PendingDecision[] => {
    if (intent.kind !== 'moderate' || (intent.payload.reopens && intent.state !== 'parked')) return []
    const { id, payload, state, reason, retryable } = intent
    const { itemId, action } = payload
    return [{ id, itemId, action, state: state === 'parked' ? 'refused' : 'queued', reason, retryable }]
  })
}
