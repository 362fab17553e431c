import type { MessageId } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

/** Adds a reaction with this score, or raises the viewer's own to it. Predicted at once. */
export const scoreReaction = command(
  'messages/reactionScored',
  (input: { messageId: MessageId; type: string; score: number }, engine) => engine.messages.scoreReaction(input),
)

/** Adds or removes the viewer's reaction. Predicted at once; the server confirms it. */
export const toggleReaction = command(
  'messages/reactionToggled',
  (input: { messageId: MessageId; type: string }, engine) => engine.messages.toggleReaction(input),
)
