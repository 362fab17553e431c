import { part } from '../../lib/page/part.tsx'

export { RemindMenu } from './RemindMenu.tsx'
export { ReminderChip } from './ReminderChip.tsx'
/** Loaded on demand. */
export const ReminderToasts = part(async () => (await import('./ReminderToasts.tsx')).ReminderToasts)
