import type { MessageId } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

/** Gives a reaction with this score, or raises the viewer's own to it. Shown at once. */
export const scoreReaction = command(
  'messages/reactionScored',
  (input: { messageId: MessageId; type: string; score: number }, engine) => engine.messages.scoreReaction(input),
)

/** Adds the viewer's reaction or takes it back. Shown at once; the network only confirms. */
export const toggleReaction = command(
  'messages/reactionToggled',
  (input: { messageId: MessageId; type: string }, engine) => engine.messages.toggleReaction(input),
)
