import { part } from '../../lib/page/part.tsx'

export { lockNow, useActivityReport } from './commands.ts'
export type { PinQuestion } from './LockPage.tsx'

/** Loaded on demand. */
export const LockPage = part(async () => (await import('./LockPage.tsx')).LockPage)
export const PinDialog = part(async () => (await import('./LockPage.tsx')).PinDialog)
