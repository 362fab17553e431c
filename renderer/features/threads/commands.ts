import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { excerpt } from '#shared/rules/messages/text.ts'
import { cleanName, shownText } from '#shared/lib/clean-text.ts'
import { command } from '../../store/command.ts'
import { focusRequested } from '../../store/composers/composers.ts'
import type { Thunk } from '../../store/store.ts'
import { panelOpened, placeOpened, routeOpened } from '../../store/window/ui.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppSelector, useChannel } from '../../store/hooks.ts'
import { selectMessage } from '../../store/selectors.ts'
import type { OpenAt } from '../messages/index.ts'
import { channelTitle } from '../sidebar/index.ts'
import { useLineOf } from '../attachments/index.ts'

export type ThreadPlace = { readonly cid: Cid; readonly parentId: MessageId }

/** Opens the window of a thread, or moves it. Errors are shown by the list. */
export const openThread = command(
  'threads/opened',
  (input: ThreadPlace & OpenAt, engine) => engine.threads.open(input),
  {
    quiet: true,
  },
)

export const closeThread = command(
  'threads/closed',
  (input: { readonly parentId: MessageId }, engine) => engine.threads.close(input),
  { quiet: true },
)

export const pageThread = command(
  'threads/paged',
  (input: { readonly parentId: MessageId; readonly direction: 'older' | 'newer' }, engine) =>
    engine.threads.page(input),
  { quiet: true },
)

export const markThreadRead = command(
  'threads/read',
  (input: ThreadPlace, engine) => engine.threads.markRead({ cid: input.cid, parentId: input.parentId }),
  { quiet: true },
)

/** All unread threads with their first unread reply, loaded before marking them read. */
export const askUnread = command('threads/unreadAsked', (_input: void, engine) => engine.channels.unreadPlaces(), {
  quiet: true,
})

/** From this reply on; without one, the whole thread. */
export const markThreadUnread = command(
  'threads/markedUnread',
  (input: ThreadPlace & { readonly messageId?: MessageId }, engine) => engine.threads.markUnread(input),
)

export const followThread = command('threads/followed', (input: ThreadPlace & { readonly follows: boolean }, engine) =>
  engine.threads.follow(input),
)

/** The dialog shows the error, so that the text is not lost. */
export const renameThread = command(
  'threads/renamed',
  (input: ThreadPlace & { readonly title: string }, engine) => engine.threads.rename(input),
  { quiet: true },
)

export const openInbox = command('threads/inboxOpened', (_input: void, engine) => engine.threads.openInbox(), {
  quiet: true,
})
export const closeInbox = command('threads/inboxClosed', (_input: void, engine) => engine.threads.closeInbox(), {
  quiet: true,
})
export const pageInbox = command('threads/inboxPaged', (_input: void, engine) => engine.threads.pageInbox(), {
  quiet: true,
})

/** In the panel, next to the current view. */
export function showBeside(place: ThreadPlace): Thunk {
  return (dispatch) => {
    dispatch(panelOpened({ kind: 'thread', ...place }))
  }
}

/** As the main view; Back returns to the previous view, with the thread in the panel. */
export function showWide({ cid, parentId }: ThreadPlace): Thunk {
  return (dispatch) => {
    dispatch(routeOpened({ view: 'thread', cid, parentId }))
    dispatch(focusRequested({ key: composerKey(cid, parentId) }))
  }
}

/** From the main view back into the panel, next to its channel. */
export function showInChannel({ cid, parentId }: ThreadPlace): Thunk {
  return (dispatch) => {
    dispatch(placeOpened({ cid, parentId }))
    dispatch(focusRequested({ key: composerKey(cid, parentId) }))
  }
}

const TITLE_LENGTH = 60

/** Its name, or the start of its text. */
export function useThreadTitle(parentId: string): string {
  const t = useTexts('thread')
  const lineOf = useLineOf()
  const message = useAppSelector((state) => selectMessage(state, parentId))
  if (message === undefined) return t('untitled')
  const title = cleanName(shownText(message.thread?.title ?? ''))
  return title === '' ? excerpt(lineOf(message), TITLE_LENGTH) : title
}

/** `#release-4-2`, or the names of a conversation between people. */
export function usePlaceName(cid: string): string {
  const channel = useChannel(cid)
  const title = useAppSelector((state) => channelTitle(state, cid))
  if (channel === undefined || title === '') return title
  return channel.directUserIds.length > 0 ? title : `#${title}`
}
