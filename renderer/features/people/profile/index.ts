/** Loaded on demand. */
export { unban, loadBans } from './commands.ts'
