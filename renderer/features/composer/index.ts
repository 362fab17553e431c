export { Composer } from './Composer.tsx'
export { ScheduleDialog } from './send/SendArea.tsx'
export { putText } from './send/commands.ts'
export { typeText } from './field/use-field.ts'
