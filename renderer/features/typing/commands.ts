import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

/** A refusal is told: anyone who pressed wants to know that the answer goes on. */
export const stopAssistant = command(
  'typing/assistantStopped',
  ({ cid, parentId }: { cid: Cid; parentId?: MessageId | undefined }, engine) =>
    engine.channels.stopAssistant({ cid, ...(parentId === undefined ? {} : { parentId }) }),
)
