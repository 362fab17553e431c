/** Loaded on demand. */
export { liftBan, loadBans } from './commands.ts'
