export { Composer } from './Composer.tsx'
export { ScheduleDialog } from './ScheduleDialog.tsx'
export { putText as putWords, saveDraft } from './commands.ts'
export { typeText } from './field-edit.ts'
