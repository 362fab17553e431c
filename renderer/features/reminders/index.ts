import { part } from '../../lib/page/part.tsx'

export { ReminderChip, RemindMenu } from './parts.tsx'
export { useWhen } from './when.ts'
export { doneReminder, openMessage, removeReminder, setReminder } from './commands.ts'
export { useAbout, useReminderMessages } from './messages.ts'
/** Loaded on demand. */
export const ReminderToasts = part(async () => (await import('./ReminderToasts.tsx')).ReminderToasts)
