export { useThreadTitle } from './commands.ts'
export { followThread } from './commands.ts'
