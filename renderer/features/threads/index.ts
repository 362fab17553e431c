export { useThreadTitle } from './use-text-of.ts'
export { followThread } from './commands.ts'
