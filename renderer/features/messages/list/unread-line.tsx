import { useState, useCallback, useMemo } from 'react'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { Window, WindowKey } from '#shared/domain/changes.ts'
import { startOfDay, useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useChannel, useAppStore, useSession, useWindow } from '../../../store/hooks.ts'
import { selectMessage } from '../../../store/selectors.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { markChannelRead } from '../../sidebar/index.ts'
import { messageIdsOf, type Row, type UnreadLine } from '../model/rows.ts'
import { selectMessages, unreadLineOf, unreadMarkOf } from '../row/select.ts'
import { type ListPosition } from './places.ts'
import { AT_UNREAD } from './list-navigation.ts'
import type { ListView } from './list-view.ts'
import { useTopRow } from './use-list-view.ts'
import { targetOf, type NavigationControls } from './use-navigation.ts'
import styles from './MessagePane.module.css'

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

type Props = {
  readonly cid: Cid
  readonly unread: UnreadLine
  readonly rows: readonly Row[]
  readonly view: ListView
  readonly controls: Pick<NavigationControls, 'go' | 'currentPosition'>
}

/** Jumps up to the unread line until it was seen; clicked again, jumps back. */
export function UnreadPill({ cid, unread, rows, view, controls }: Props) {
  const topKey = useTopRow(view)
  const t = useTexts('messages')
  const formats = useFormats()
  const now = useMinute()
  const dispatch = useAppDispatch()
  const channel = useChannel(cid)
  const left = channel?.unread ?? 0
  const since = useAppSelector((state) => selectMessage(state, unread.id ?? '')?.createdAt)
  const [from, setFrom] = useState<ListPosition>()
  const [seen, setSeen] = useState<UnreadLine>()
  const line = rows.findIndex(({ key }) => key === 'unread')
  const top = rows.findIndex(({ key }) => key === topKey)
  const topId = rows.slice(Math.max(0, top)).flatMap(messageIdsOf)[0]
  const topAt = useAppSelector((state) => (topId === undefined ? undefined : selectMessage(state, topId)?.createdAt))
  // A line that is not loaded is above the messages written after it.
  const isAbove = line < 0 ? (topAt ?? 0) > (channel?.lastReadAt ?? 0) : line < top
  const isHere = line >= 0 && top >= 0 && !isAbove
  if (isHere && seen?.id !== unread.id) setSeen(unread)
  if (from !== undefined) {
    return (
      <div className={styles['topPill']}>
        <button
          type="button"
          className={styles['pillPart']}
          onClick={() => {
            controls.go(targetOf(from))
            setFrom(undefined)
          }}
        >
          <Icon name="arrow-down" size={16} />
          {t('pill.where')}
        </button>
      </div>
    )
  }
  if (!isAbove || top < 0 || (seen !== undefined && seen.id === unread.id)) return null
  const go = (): void => {
    setFrom(controls.currentPosition())
    // Messages read in the meantime keep their unread line, so the list goes to the line.
    if (left > 0 || unread.id === undefined) return controls.go({ kind: 'unread', id: unread.id })
    controls.go({ kind: 'back', position: AT_UNREAD, near: unread.id, at: since ?? 0 })
  }
  return (
    <div className={styles['topPill']}>
      <button type="button" className={styles['pillPart']} onClick={go}>
        <Icon name="arrow-up" size={16} />
        {since === undefined
          ? t('pill.new', { count: unread.count })
          : t('pill.newSince', { count: unread.count, time: whenOf(formats, since, now) })}
      </button>
      {left === 0 ? null : (
        <button type="button" className={styles['pillPart']} onClick={() => void dispatch(markChannelRead({ cid }))}>
          {t('pill.markRead')}
        </button>
      )}
    </div>
  )
}

/** `10:36` today, else with the day. */
const whenOf = ({ time, dayAndTime }: ReturnType<typeof useFormats>, at: number, now: number): string =>
  startOfDay(at) === startOfDay(now) ? time(at) : dayAndTime(at)
