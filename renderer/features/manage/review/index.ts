export { undoDecisions } from './commands.ts'
