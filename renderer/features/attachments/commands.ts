import type { MessageId } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

/** Opens a file with the system's default program. Failures raise a notice. */
export const openFile = command(
  'attachments/opened',
  (input: { readonly messageId: MessageId; readonly index: number }, engine) => engine.data.openFile(input),
)
