export { Composer } from './Composer.tsx'
export { ScheduleDialog } from './parts.ts'
export { putText } from './send/commands.ts'
export { typeText } from './field/Field.tsx'
