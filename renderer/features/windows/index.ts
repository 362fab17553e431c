export {
  mainWindowDestination,
  showInMainWindow,
  openBeside,
  openChannel,
  openWindow,
  useChannelLink,
  useOpening,
  useOpeningItems,
} from './commands.ts'
