import { useCallback, useEffect, useMemo, useState } from 'react'
import type { WindowKey } from '#shared/domain/changes.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppStore, useChannel, useSession, useWindow } from '../../../store/hooks.ts'
import { timelineMoved } from '../../../store/window/ui.ts'
import { leaveTimeline, openTimeline, pageTimeline } from '../actions/commands.ts'
import { MessagePane } from './MessagePane.tsx'
import { selectMessages, unreadLineOf, type UnreadLine } from '../row/select.ts'
import type { Aim } from './use-course.ts'

/** The messages of a channel. Its window in the engine is open for as long as they are shown. */
export function MessageList({ cid }: { readonly cid: Cid }) {
  // Another channel is another list: nothing of the old one may linger.
  return <Timeline key={cid} cid={cid} />
}

function Timeline({ cid }: { readonly cid: Cid }) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const channel = useChannel(cid)
  const windowKey: WindowKey = `timeline:${cid}`
  const unread = useUnreadLine(cid, windowKey)
  const onOpen = useCallback((aim: Aim) => dispatch(openTimeline({ cid, ...aim })), [dispatch, cid])
  // Leaving is a courtesy: a page that is going away may not be able to say so.
  const onClose = useCallback(() => void dispatch(leaveTimeline({ cid })), [dispatch, cid])
  const onPage = useCallback(
    (direction: 'older' | 'newer') => void dispatch(pageTimeline({ cid, direction })),
    [dispatch, cid],
  )
  const onAtEnd = useCallback((atBottom: boolean) => dispatch(timelineMoved({ cid, atBottom })), [dispatch, cid])
  useEffect(() => () => void dispatch(timelineMoved({ cid, atBottom: false })), [dispatch, cid])
  const name = channel === undefined ? '' : channel.name
  return (
    <MessagePane
      windowKey={windowKey}
      cid={cid}
      label={t('list.label', { name })}
      unread={unread.line}
      remembers
      onOpen={onOpen}
      onClose={onClose}
      onPage={onPage}
      onAtEnd={onAtEnd}
      onUnreadFrom={unread.moveTo}
    />
  )
}

/**
 * The unread line: placed once, when the first messages are there, and kept until the channel is left. Marking unread by
 * hand moves it.
 */
function useUnreadLine(
  cid: Cid,
  windowKey: WindowKey,
): { readonly line: UnreadLine | undefined; readonly moveTo: (messageId: MessageId) => void } {
  const store = useAppStore()
  const viewerId = useSession().userId
  const window = useWindow(windowKey)
  const [line, setLine] = useState<UnreadLine>()
  const [placed, setPlaced] = useState(false)
  const ready = window !== undefined && window.ids.length > 0
  if (ready && !placed) {
    const state = store.getState()
    setPlaced(true)
    setLine(unreadLineOf(state.entities.channels[cid], selectMessages(state, window.ids), viewerId, window.hasPrev))
  }
  const moveTo = useCallback(
    (messageId: MessageId) => {
      const state = store.getState()
      const messages = selectMessages(state, state.windows.byKey[windowKey]?.ids ?? [])
      const from = messages.findIndex((message) => message.id === messageId)
      const count = messages.slice(Math.max(0, from)).filter((message) => message.userId !== viewerId).length
      setLine({ id: messageId, count })
    },
    [store, windowKey, viewerId],
  )
  return useMemo(() => ({ line, moveTo }), [line, moveTo])
}
