export { mainWindowDestination, showInMainWindow, openBeside, openChannel, openWindow } from './commands.ts'
export { useOpening } from './use-opening.ts'
export { useOpeningItems } from './use-opening-items.ts'
