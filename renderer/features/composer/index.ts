export { Composer } from './Composer.tsx'
export { ScheduleDialog } from './send/ScheduleDialog.tsx'
export { putText } from './send/commands.ts'
export { typeText } from './field/field-edit.ts'
