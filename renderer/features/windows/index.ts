import { part } from '../../lib/page/part.tsx'

export { leadOf, leadTo, openBeside, openChannel, openWindow } from './commands.ts'
export { useOpening } from './use-opening.ts'
export { useOpeningItems } from './use-opening-items.ts'
/** Code that only some browsers ever ask for. */
export const BlockedWindowDialog = part(async () => (await import('./BlockedWindowDialog.tsx')).BlockedWindowDialog)
