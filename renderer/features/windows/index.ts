import { part } from '../../lib/page/part.tsx'

export { mainWindowDestination, showInMainWindow, openBeside, openChannel, openWindow } from './commands.ts'
export { useOpening } from './use-opening.ts'
export { useOpeningItems } from './use-opening-items.ts'
/** Loaded on demand: only needed in some browsers. */
export const BlockedWindowDialog = part(async () => (await import('./BlockedWindowDialog.tsx')).BlockedWindowDialog)
