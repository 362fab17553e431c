import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

/** Not quiet: a failure raises a notice, because the assistant is still running. */
export const stopAssistant = command(
  'typing/assistantStopped',
  ({ cid, parentId }: { cid: Cid; parentId?: MessageId }, engine) => engine.channels.stopAssistant({ cid, parentId }),
)
