import { part } from '../../lib/page/part.tsx'

export { RemindMenu } from './RemindMenu.tsx'
export { ReminderChip } from './ReminderChip.tsx'
/** Loaded on demand. */
export const RemindersView = part(async () => (await import('./RemindersView.tsx')).RemindersView)
export const ReminderDialog = part(async () => (await import('./ReminderDialog.tsx')).ReminderDialog)
export const ReminderToasts = part(async () => (await import('./ReminderToasts.tsx')).ReminderToasts)
