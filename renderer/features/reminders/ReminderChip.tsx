import type { MessageId } from '#shared/lib/brand.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { Chip } from './parts.ts'

/** The reminder of a message, if it has one that is not done. */
export function ReminderChip({ messageId }: { readonly messageId: MessageId }) {
  const reminder = useAppSelector((state) => state.entities.reminders[messageId])
  return reminder === undefined || reminder.doneAt !== undefined ? null : <Chip reminder={reminder} />
}
