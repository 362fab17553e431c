import { part } from '../../lib/page/part.tsx'

export { ReminderChip, RemindMenu } from './parts.tsx'
export { useWhen, useAbout, useReminderMessages } from './words.ts'
export { doneReminder, openMessage, removeReminder, setReminder } from './commands.ts'
/** Loaded on demand. */
export const ReminderToasts = part(async () => (await import('./ReminderToasts.tsx')).ReminderToasts)
