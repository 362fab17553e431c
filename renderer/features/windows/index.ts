import { lazy } from 'react'

export { leadOf, leadTo, openBeside, openChannel, openWindow } from './commands.ts'
export { useOpening } from './use-opening.ts'
export { useOpeningItems } from './use-opening-items.ts'
/** Code that only some browsers ever ask for. */
export const BlockedWindowDialog = lazy(async () => ({
  default: (await import('./BlockedWindowDialog.tsx')).BlockedWindowDialog,
}))
