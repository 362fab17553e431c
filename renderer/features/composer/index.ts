export { Composer } from './Composer.tsx'
export { ScheduleDialog } from './send/ScheduleDialog.tsx'
export { putText as putWords, saveDraft } from './send/commands.ts'
export { typeText } from './field/field-edit.ts'
