import type { MessageId } from '#shared/lib/brand.ts'
import { overlayPart } from '../../lib/page/part.tsx'
import { useAppSelector } from '../../store/hooks.ts'

/** Loaded before the first screen when there are reminders, so that its rows do not grow. */
export const Chip = overlayPart(async () => (await import('./Chip.tsx')).Chip)
export const RemindMenu = overlayPart(async () => (await import('./RemindMenu.tsx')).RemindMenu)

/** The reminder of a message, if it has one that is not done. */
export function ReminderChip({ messageId }: { readonly messageId: MessageId }) {
  const reminder = useAppSelector((state) => state.entities.reminders[messageId])
  return reminder === undefined || reminder.doneAt !== undefined ? null : <Chip reminder={reminder} />
}
