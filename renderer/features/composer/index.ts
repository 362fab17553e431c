export { Composer } from './Composer.tsx'
export { ScheduleDialog } from './ScheduleDialog.tsx'
export { saveDraft } from './commands.ts'
