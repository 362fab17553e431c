export { useThreadTitle } from './titles.ts'
export { followThread } from './commands.ts'
