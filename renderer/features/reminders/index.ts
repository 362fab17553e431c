import { lazy } from 'react'

export { RemindMenu } from './RemindMenu.tsx'
export { ReminderChip } from './ReminderChip.tsx'
/** Loaded when someone goes there. */
export const RemindersView = lazy(async () => ({ default: (await import('./RemindersView.tsx')).RemindersView }))
export const ReminderDialog = lazy(async () => ({ default: (await import('./ReminderDialog.tsx')).ReminderDialog }))
export const ReminderToasts = lazy(async () => ({ default: (await import('./ReminderToasts.tsx')).ReminderToasts }))
