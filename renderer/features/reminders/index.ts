import { part } from '../../lib/page/part.tsx'

export { RemindMenu, ReminderChip, useWhen } from './RemindMenu.tsx'
export { doneReminder, openMessage, removeReminder, setReminder } from './commands.ts'
export { useAbout, useReminderMessages } from './messages.ts'
/** Loaded on demand. */
export const ReminderToasts = part(async () => (await import('./ReminderToasts.tsx')).ReminderToasts)
