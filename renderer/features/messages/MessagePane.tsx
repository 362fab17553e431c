import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import type { Window, WindowKey } from '#shared/domain/changes.ts'
import type { Connection } from '#shared/domain/connection.ts'
import type { Message } from '#shared/domain/message.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { focusAsked } from '../../store/composers.ts'
import { startOfDay } from '../../i18n/index.ts'
import { useTexts } from '../../i18n/index.ts'
import { useRoving } from '../../lib/roving.ts'
import { useAppDispatch, useAppSelector, useChannel, useSession, useWindow } from '../../store/hooks.ts'
import { selectConnection } from '../../store/selectors.ts'
import { PaneRows } from './PaneRows.tsx'
import { JumpPill } from './JumpPill.tsx'
import { StickyDay } from './StickyDay.tsx'
import { PaneState } from './PaneState.tsx'
import { MentionMarks } from './MentionMarks.tsx'
import { AT_END, type Position } from './list/list-view.ts'
import { useListView } from './list/use-list-view.ts'
import { messageIdsOf, RowLayout, type Row, type RowOptions } from './model/rows.ts'
import { ScopeContext } from './scope.ts'
import {
  isDelivered,
  newestOwnOf,
  newSince,
  readersByMessage,
  sameItems,
  selectMessages,
  type UnreadLine,
} from './select.ts'
import { useAnnouncements } from './use-announcements.ts'
import { useDays } from './use-days.tsx'
import { useFocusKeeper } from './use-focus-keeper.ts'
import { useJump } from './use-jump.ts'
import { useOwnSend } from './use-own-send.ts'
import { usePaneActions } from './use-pane-actions.tsx'
import { UNREAD_OFFSET_PX, UnreadPill } from './UnreadPill.tsx'
import { usePlaceKeeper } from './use-place-keeper.ts'
import { useWalks } from './use-walks.ts'
import styles from './MessagePane.module.css'

export type PaneSource = {
  readonly windowKey: WindowKey
  readonly cid: Cid
  /** Set in a thread. */
  readonly parentId?: MessageId
  /** Accessible name of the list. */
  readonly label: string
  /** Code of why the window could not be opened. */
  readonly refused?: string | undefined
  readonly unread?: UnreadLine | undefined
  readonly opening?: Position
  /** Above the first row: the parent of a thread. */
  readonly lead?: ReactNode
  readonly onPage: (direction: 'older' | 'newer') => void
  readonly onLatest: () => void
  readonly onAround: (messageId: MessageId) => void
  readonly onRetry: () => void
  readonly onAtEnd?: (atEnd: boolean) => void
  readonly onLeave?: (position: Position) => void
  readonly onUnreadFrom?: (messageId: MessageId) => void
}

const NO_IDS: readonly string[] = []
const NO_READS: readonly never[] = []
const PAGE_ROWS = 10

/** A list of messages over an engine window: a channel's timeline or a thread's replies. */
export function MessagePane(source: PaneSource) {
  const { windowKey, cid, parentId, unread, lead } = source
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const viewerId = useSession().userId
  const window = useWindow(windowKey)
  const ids = window?.ids ?? NO_IDS
  const messages = useAppSelector((state) => selectMessages(state, ids), sameItems)
  const lostAt = useAppSelector((state) => (parentId === undefined ? lostAtOf(selectConnection(state)) : undefined))
  const cleared = useCleared(cid, window, parentId)
  const rows = useRows(messages, window, { unread, lostAt, cleared, days: parentId === undefined })
  const [atEnd, setAtEnd] = useState(true)
  // Where a jump began: the pill leads back there.
  const [origin, setOrigin] = useState<Origin>()
  const newest = messages.at(-1)?.createdAt ?? 0
  const [seenAt, setSeenAt] = useState(newest)
  if (atEnd && newest > seenAt) setSeenAt(newest)
  const list = useListView({
    shape: {
      rows,
      hasOlder: window?.hasPrev ?? false,
      hasNewer: window?.hasNext ?? false,
      busy: window === undefined || window.loading !== 'none',
    },
    opening: () => source.opening ?? (unread !== undefined ? { key: 'unread', offset: UNREAD_OFFSET_PX } : AT_END),
    onOlder: () => source.onPage('older'),
    onNewer: () => source.onPage('newer'),
    onAtEnd: (now) => {
      setAtEnd(now)
      if (now) setOrigin(undefined)
      source.onAtEnd?.(now)
    },
    onLeave: (position) => source.onLeave?.(position),
  })
  const { view } = list
  const focusIds = useMemo(() => rows.flatMap((row) => messageIdsOf(row)[0] ?? []), [rows])
  const reveal = useCallback((id: string) => view.reveal(id, 'nearest'), [view])
  const roving = useRoving({ ids: focusIds, initialId: focusIds.at(-1), pageSize: PAGE_ROWS, reveal })
  const { ref, onFocus } = roving.containerProps
  const here = useRef<() => MessageId | undefined>(undefined)
  useEffect(() => {
    here.current = () => (atEnd ? undefined : topMessageOf(rows, view.topRow()))
  })
  const leavePlace = useCallback(() => {
    const messageId = here.current?.()
    setOrigin(messageId === undefined ? undefined : { kind: 'where', messageId })
  }, [])
  const { onAround } = source
  const end = useCallback(() => view.toEnd(), [view])
  const onMove = usePlaceKeeper({ list: windowKey, rows, view, onAround, onLatest: end })
  const jump = useJump({ cid, parentId, ids, view, onAround, onForeign: leavePlace, onMove })
  const toLatest = useCallback(() => {
    if (window?.hasNext === true) source.onLatest()
    view.toEnd()
  }, [source, view, window?.hasNext])
  const jumpFrom = useCallback(
    (messageId: MessageId, from?: MessageId) => {
      setOrigin(from === undefined ? undefined : { kind: 'back', messageId: from })
      jump(messageId)
    },
    [jump],
  )
  const actions = usePaneActions({
    cid,
    parentId,
    viewerId,
    jump: jumpFrom,
    onUnreadFrom: source.onUnreadFrom,
    order: focusIds,
  })
  const walks = useWalks({
    cid,
    parentId,
    messages,
    viewerId,
    focusIds,
    hasNext: window?.hasNext ?? false,
    unread,
    focus: roving.focus,
    jump,
    toLatest,
    onReact: actions.reactTo,
  })
  const onKeyDown = useFocusKeeper({ cid, parentId, view, roving, focusIds, actions, walks, onEnd: toLatest })
  const days = useDays({
    cid,
    listening: parentId === undefined,
    onJump: (messageId) => {
      leavePlace()
      jump(messageId)
    },
    onNewest: toLatest,
  })
  useOwnSend({ cid, parentId, onSent: toLatest })
  useAnnouncements(messages, window, viewerId)
  const reads =
    useAppSelector((state) => (parentId === undefined ? state.entities.reads[cid]?.reads : undefined)) ?? NO_READS
  const readers = useMemo(() => readersByMessage(messages, reads, viewerId), [messages, reads, viewerId])
  const newestOwn = newestOwnOf(messages, viewerId)
  return (
    <ScopeContext value={actions.scope}>
      <div className={styles['pane']} data-place={parentId === undefined ? 'channel' : 'thread'}>
        <StickyDay rows={rows} view={view} />
        <div
          ref={ref as RefObject<HTMLDivElement | null>}
          onFocus={onFocus}
          className={styles['scroller']}
          role="log"
          aria-live="off"
          aria-label={source.label}
          aria-busy={window === undefined || window.loading !== 'none'}
          data-message-list={parentId === undefined ? cid : `${cid}/${parentId}`}
          data-loaded={messages.length}
          onKeyDown={onKeyDown}
        >
          <div className={parentId === undefined ? styles['inner'] : styles['innerTop']}>
            {lead}
            {window?.hasPrev === true ? (
              <div className={styles['loader']} data-busy={window.loading === 'older' || undefined} />
            ) : null}
            <PaneRows
              list={list}
              activeId={roving.activeId}
              heldId={actions.heldId}
              readers={readers}
              newestOwn={newestOwn?.id}
              delivered={isDelivered(newestOwn, reads)}
              onGap={source.onAround}
              onDay={days.open}
            />
            {rows.length === 0 ? (
              <PaneState
                window={window}
                refused={source.refused}
                cid={cid}
                thread={parentId !== undefined}
                onRetry={source.onRetry}
              />
            ) : null}
          </div>
        </div>
        <MentionMarks messages={messages} viewerId={viewerId} view={view} />
        {unread === undefined || parentId !== undefined ? null : (
          <UnreadPill cid={cid} unread={unread} rows={rows} view={view} onJump={jump} />
        )}
        <JumpPill
          shown={!atEnd && rows.length > 0}
          count={origin === undefined ? newSince(messages, seenAt, viewerId) : 0}
          label={t(`pill.${origin?.kind ?? 'latest'}`)}
          onPress={() => {
            if (origin === undefined) toLatest()
            else jumpFrom(origin.messageId)
            // The pill goes away with the press; the focus must not go with it.
            dispatch(focusAsked({ key: composerKey(cid, parentId) }))
          }}
        />
        {actions.overlays}
        {days.overlays}
      </div>
    </ScopeContext>
  )
}

type Origin = {
  /** `back`: to the message whose quote was followed; `where`: to what was read. */
  readonly kind: 'back' | 'where'
  readonly messageId: MessageId
}

/** The message at the top edge of the view, or the first below it. */
function topMessageOf(rows: readonly Row[], topKey: string | undefined): MessageId | undefined {
  const from = rows.findIndex((row) => row.key === topKey)
  return from < 0 ? undefined : rows.slice(from).flatMap(messageIdsOf)[0]
}

/** When the connection went, once the window says that it is gone. */
const lostAtOf = ({ offline, lostAt }: Connection): number | undefined => (offline ? lostAt : undefined)

type RowFacts = {
  readonly unread: UnreadLine | undefined
  readonly lostAt: number | undefined
  readonly cleared: RowOptions['cleared'] | undefined
  readonly days: boolean
}

/** The line where the history begins, once nothing older is left to load. */
function useCleared(cid: Cid, window: Window | undefined, parentId: MessageId | undefined): RowFacts['cleared'] {
  const channel = useChannel(cid)
  const [at, by] = [channel?.truncatedAt, channel?.truncatedBy]
  const shown = parentId === undefined && window !== undefined && !window.hasPrev && window.loading !== 'initial'
  return useMemo(
    () => (shown && at !== undefined ? { at, ...(by === undefined ? {} : { by }) } : undefined),
    [shown, at, by],
  )
}

/** Rows of the window; unchanged ones keep their identity from one render to the next. */
function useRows(
  messages: readonly Message[],
  window: Window | undefined,
  { unread, lostAt, cleared, days }: RowFacts,
): readonly Row[] {
  const [layout] = useState(() => new RowLayout())
  const gaps = window?.gapsBefore
  return useMemo(
    () =>
      layout.build(messages, {
        days,
        dayOf: (at) => String(startOfDay(at)),
        ...(lostAt === undefined || window?.hasNext === true ? {} : { lostAt }),
        ...(cleared === undefined ? {} : { cleared }),
        ...(gaps === undefined ? {} : { gapsBefore: gaps }),
        ...(unread === undefined ? {} : { unreadId: unread.id, unreadCount: unread.count }),
      }),
    [layout, messages, gaps, unread, lostAt, cleared, window?.hasNext, days],
  )
}
