import { useCallback, useMemo, useState } from 'react'
import type { Window, WindowKey } from '#shared/domain/changes.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useAppSelector, useAppStore, useSession, useWindow } from '../../../store/hooks.ts'
import type { UnreadLine } from '../model/rows.ts'
import { selectMessages, unreadLineOf, unreadMarkOf } from '../row/select.ts'

type Place = { readonly windowKey: WindowKey; readonly cid: Cid; readonly parentId?: MessageId }

/**
 * The unread line of a channel or thread: placed once, when the first messages are loaded or the first unread one was
 * found, and unchanged until the list unmounts. It moves when the user marks a message as unread, and from the first
 * loaded unread message to the first one of all once that is known.
 */
export function useUnreadLine({ windowKey, cid, parentId }: Place): {
  readonly line: UnreadLine | undefined
  readonly moveTo: (messageId: MessageId) => void
} {
  const store = useAppStore()
  const viewerId = useSession().userId
  const window = useWindow(windowKey)
  const firstId = useAppSelector((state) => unreadMarkOf(state, cid, parentId).firstUnreadId)
  const [line, setLine] = useState<UnreadLine>()
  const [placed, setPlaced] = useState(false)
  // The cached window of a list that was open before still has its last result, which is not a new one.
  const [handled, setHandled] = useState(window?.landed?.visit)
  if (!placed && window !== undefined && window.ids.length > 0) {
    const state = store.getState()
    setPlaced(true)
    const mark = unreadMarkOf(state, cid, parentId)
    setLine(unreadLineOf(mark, selectMessages(state, window.ids), viewerId, window.hasPrev))
  }
  const { landed } = window ?? {}
  if (landed !== undefined && landed.visit !== handled) {
    setHandled(landed.visit)
    const found = foundAt(landed)
    const { unread } = unreadMarkOf(store.getState(), cid, parentId)
    if (found !== undefined) setLine({ ...found, count: unread === 0 ? (line?.count ?? 0) : unread })
  } else if (line?.partial === true && firstId !== undefined) setLine({ id: firstId, count: line.count })

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

const foundAt = ({ id, unread }: NonNullable<Window['landed']>): Omit<UnreadLine, 'count'> | undefined =>
  id === null || unread === undefined ? undefined : { id, partial: unread === 'held' }
