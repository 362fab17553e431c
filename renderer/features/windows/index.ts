export {
  mainWindowDestination,
  showInMainWindow,
  openBeside,
  openChannel,
  openWindow,
  selectChannelLink,
  useOpening,
  useOpeningItems,
} from './commands.ts'
