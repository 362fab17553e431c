export {
  notifyCleared,
  markAllRead,
  undoRead,
  archiveChannel,
  markChannelRead,
  markSeenRead,
  muteChannel,
  openDirect,
  pinChannel,
} from './commands.ts'
export { Rail } from './rail/Rail.tsx'
export { Sidebar } from './Sidebar.tsx'
export { PeoplePicker } from './dialogs/PeoplePicker.tsx'
export { useOthers } from './dialogs/PeoplePicker.tsx'
export { PlaceTabs, useInvites } from './rows.tsx'
export { channelTitle, forYouOf, isLoud, selectConversationOrder, selectForYouTotal } from './selectors.ts'
export { ChannelMenu } from './parts.ts'
export { useChannelMenu } from './menus/use-channel-menu.ts'
export { openPauseMenu } from './MeBar.tsx'
