import { overlayPart } from '../../lib/page/part.tsx'

/** What a message said before. */
export const Versions = overlayPart(async () => (await import('./dialogs/DetailsDialog.tsx')).Versions)
export { ForwardHost } from './dialogs/ForwardHost.tsx'
export { MessageList, MessagePane } from './list/MessagePane.tsx'
export { MessageRow } from './row/MessageRow.tsx'
export { Markdown } from './markdown/Markdown.tsx'
export type { OpenAt } from './list/use-navigation.ts'
export { useUnreadLine } from './list/unread-line.tsx'
export { useMessageCommands } from './actions/commands.ts'
export { useCopying } from './actions/copy.ts'
