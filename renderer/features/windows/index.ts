export { mainWindowDestination, showInMainWindow, openBeside, openChannel, openWindow } from './commands.ts'
export { useOpening, useOpeningItems } from './use-opening.ts'
