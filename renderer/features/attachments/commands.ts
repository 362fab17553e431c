import type { MessageId } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

/** With the system's program for its kind. Why it could not be is told by a notice. */
export const openFile = command(
  'attachments/opened',
  (input: { readonly messageId: MessageId; readonly index: number }, engine) => engine.data.openFile(input),
)
