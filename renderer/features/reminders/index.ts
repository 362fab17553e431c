import { part } from '../../lib/page/part.tsx'

export { RemindMenu, ReminderChip } from './RemindMenu.tsx'
/** Loaded on demand. */
export const ReminderToasts = part(async () => (await import('./ReminderToasts.tsx')).ReminderToasts)
