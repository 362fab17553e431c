export {
  mainWindowDestination,
  showInMainWindow,
  openBeside,
  openChannel,
  openWindow,
  useOpening,
  useOpeningItems,
} from './commands.ts'
