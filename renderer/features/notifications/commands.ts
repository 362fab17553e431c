import type { MessageId } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

/** Quiet: the dialog shows the error. */
export const askWhyNotified = command(
  'notifications/whyAsked',
  (input: { readonly messageId: MessageId }, engine) => engine.notifications.why(input),
  { quiet: true },
)
