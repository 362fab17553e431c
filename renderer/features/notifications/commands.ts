import type { MessageId } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

/** Asked and answered in the dialog; a failure stands there. */
export const askWhyNotified = command(
  'notifications/whyAsked',
  (input: { readonly messageId: MessageId }, engine) => engine.notifications.why(input),
  { quiet: true },
)
