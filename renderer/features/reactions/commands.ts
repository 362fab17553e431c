import type { MessageId } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

/** Adds the viewer's reaction or takes it back. Shown at once; the network only confirms. */
export const toggleReaction = command(
  'messages/reactionToggled',
  (input: { messageId: MessageId; type: string }, engine) => engine.messages.toggleReaction(input),
)
