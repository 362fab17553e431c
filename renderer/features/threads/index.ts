export { useThreadTitle, followThread } from './commands.ts'
