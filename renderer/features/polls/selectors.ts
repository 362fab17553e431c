import type { OutboxItem } from '#shared/domain/outbox.ts'
import type { AppState } from '../../store/store.ts'

/** The viewer's votes in this message's poll that are queued or were refused. */
export const selectUnsentVotes = ({ entities }: AppState, messageId: string): readonly OutboxItem[] =>
  Object.values(entities.outbox).filter(
    (item) => item.messageId === messageId && (item.kind === 'cast-vote' || item.kind === 'remove-vote'),
  )
