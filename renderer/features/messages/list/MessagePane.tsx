import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react'
import type { Window, WindowKey } from '#shared/domain/changes.ts'
import type { Connection } from '#shared/domain/connection.ts'
import type { Message } from '#shared/domain/message.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { focusRequested } from '../../../store/composers/composers.ts'
import { startOfDay } from '../../../i18n/index.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useAppDispatch, useAppSelector, useChannel, useSession, useWindow } from '../../../store/hooks.ts'
import { selectConnection } from '../../../store/selectors.ts'
import { PaneRows } from './PaneRows.tsx'
import { JumpPill } from './JumpPill.tsx'
import { StickyDay } from './StickyDay.tsx'
import { PaneState } from './PaneState.tsx'
import { MentionMarks } from './MentionMarks.tsx'
import { ListView } from './list-view.ts'
import { useListView } from './use-list-view.ts'
import { buildRows, messageIdsOf, type Row, type RowOptions, type UnreadLine } from '../model/rows.ts'
import { ScopeContext } from './scope.ts'
import { isDelivered, newestOwnOf, newSince, readersByMessage, sameItems, selectMessages } from '../row/select.ts'
import { useAnnouncements } from './use-announcements.ts'
import { useCourse, type Opens } from './use-course.ts'
import { useDays } from './use-days.tsx'
import { useFocusKeeper } from './use-focus-keeper.ts'
import { useNotOpen } from './use-not-open.ts'
import { useOwnSend } from './use-own-send.ts'
import { usePaneActions } from '../actions/use-pane-actions.tsx'
import { UnreadPill } from './UnreadPill.tsx'
import { useWalks } from './use-walks.ts'
import styles from './MessagePane.module.css'

type PaneSource = Opens & {
  readonly windowKey: WindowKey
  /** Set in a thread. */
  readonly parentId?: MessageId
  /** Accessible name of the list. */
  readonly label: string
  readonly unread?: UnreadLine
  /** Rendered above the first row: the parent message of a thread. */
  readonly lead?: ReactNode
  readonly onPage: (direction: 'older' | 'newer') => void
  readonly onAtEnd?: (atEnd: boolean) => void
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
  const [view] = useState(() => new ListView())
  const [atEnd, setAtEnd] = useState(true)
  // Start of a jump, to which the button returns.
  const [origin, setOrigin] = useState<Origin>()
  const here = useRef<() => MessageId | undefined>(undefined)
  const leavePlace = useCallback(() => {
    const messageId = here.current?.()
    setOrigin(messageId === undefined ? undefined : { kind: 'where', messageId })
  }, [])
  const travel = useCourse({ ...source, view, onForeign: leavePlace })
  const { course } = travel
  const held = useWindow(windowKey)
  useNotOpen(cid, source.remembers === true ? (held?.error ?? travel.refused) : undefined)
  const window = course.isBare(held) ? undefined : held
  const ids = window?.ids ?? NO_IDS
  const messages = useAppSelector((state) => selectMessages(state, ids), sameItems)
  const lostAt = useAppSelector((state) => (parentId === undefined ? lostAtOf(selectConnection(state)) : undefined))
  const cleared = useCleared(cid, window, parentId)
  const rows = useRows(view, messages, window, { unread, lostAt, cleared, days: parentId === undefined })
  const isWaiting = course.isWaiting(held)
  const busy = isWaiting || window === undefined || window.loading !== 'none'
  const newCount = useNewCount({ cid, parentId, messages, window, atEnd, viewerId })
  const landing = course.landingIn(window, rows)
  useLayoutEffect(() => course.settle(landing))
  const list = useListView({
    view,
    shape: { rows, hasOlder: window?.hasPrev ?? false, hasNewer: window?.hasNext ?? false, busy },
    landing,
    onOlder: () => source.onPage('older'),
    onNewer: () => source.onPage('newer'),
    onAtEnd: (now) => {
      setAtEnd(now)
      if (now) setOrigin(undefined)
      source.onAtEnd?.(now)
    },
  })
  const focusIds = useMemo(() => rows.flatMap((row) => messageIdsOf(row)[0] ?? []), [rows])
  const reveal = useCallback((id: string) => view.reveal(id), [view])
  const roving = useRoving({ ids: focusIds, initialId: focusIds.at(-1), pageSize: PAGE_ROWS, reveal })
  const { ref, onFocus } = roving.containerProps
  useEffect(() => {
    here.current = () => (atEnd ? undefined : topMessageOf(rows, view.topRow()))
  })
  const { go, jump: jumpTo } = travel
  const jump = useCallback((id: MessageId) => jumpTo({ kind: 'message', id }), [jumpTo])
  const toLatest = useCallback(() => go({ kind: 'newest' }), [go])
  const toUnread = useCallback(() => jumpTo({ kind: 'unread' }), [jumpTo])
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
    isWhole: window?.gapsBefore.length === 0,
    viewerId,
    focusIds,
    hasNext: isWaiting || window?.hasNext === true,
    unread,
    focus: roving.focus,
    jump,
    toLatest,
    toUnread,
    onReact: actions.reactTo,
  })
  const onKeyDown = useFocusKeeper({ cid, parentId, view, roving, focusIds, actions, walks, onEnd: toLatest })
  const days = useDays({
    cid,
    listening: parentId === undefined,
    onJump: (at) => {
      leavePlace()
      jumpTo({ kind: 'time', at })
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
          aria-busy={busy}
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
              onGap={(around) => void source.onOpen({ around })}
              onDay={days.open}
            />
            {rows.length === 0 ? (
              <PaneState
                window={window}
                refused={travel.refused}
                cid={cid}
                thread={parentId !== undefined}
                onRetry={travel.retry}
              />
            ) : null}
          </div>
        </div>
        <MentionMarks messages={messages} viewerId={viewerId} rows={rows} view={view} />
        {unread === undefined || parentId !== undefined ? null : (
          <UnreadPill cid={cid} unread={unread} rows={rows} view={view} travel={travel} />
        )}
        <JumpPill
          shown={!atEnd && rows.length > 0}
          count={origin === undefined ? newCount : 0}
          label={t(`pill.${origin?.kind ?? 'latest'}`)}
          onPress={() => {
            if (origin === undefined) toLatest()
            else jumpFrom(origin.messageId)
            // The button disappears on click, so the focus moves to the composer.
            dispatch(focusRequested({ key: composerKey(cid, parentId) }))
          }}
        />
        {actions.overlays}
        {days.overlays}
      </div>
    </ScopeContext>
  )
}

type Origin = {
  /** `back`: to the message whose quote was followed; `where`: to the previous reading position. */
  readonly kind: 'back' | 'where'
  readonly messageId: MessageId
}

type NewOptions = {
  readonly cid: Cid
  readonly parentId: MessageId | undefined
  readonly messages: readonly Message[]
  readonly window: Window | undefined
  readonly atEnd: boolean
  readonly viewerId: string | undefined
}

/**
 * How many messages of others arrived since the reader was at the end of the list: the end of the channel, not of the
 * loaded page, because messages after an old page are not new.
 */
function useNewCount({ cid, parentId, messages, window, atEnd, viewerId }: NewOptions): number {
  const channel = useChannel(cid)
  const lastReplyAt = useAppSelector(({ entities }) => entities.messages[parentId ?? '']?.thread?.lastReplyAt)
  const lastAt = (parentId === undefined ? channel?.lastMessageAt : lastReplyAt) ?? 0
  const isNewestHeld = window !== undefined && !window.hasNext
  const newest = isNewestHeld ? Math.max(messages.at(-1)?.createdAt ?? 0, lastAt) : lastAt
  const unread = parentId === undefined ? (channel?.unread ?? 0) : 0
  const [seen, setSeen] = useState({ at: newest, unread })
  if ((atEnd || seen.at === 0) && newest > seen.at) setSeen({ at: newest, unread })
  else if (unread < seen.unread) setSeen({ at: seen.at, unread })
  if (isNewestHeld) return newSince(messages, seen.at, viewerId)
  return newest > seen.at ? Math.max(0, unread - seen.unread) : 0
}

/** The message at the top edge of the view, or the first below it. */
function topMessageOf(rows: readonly Row[], topKey: string | undefined): MessageId | undefined {
  const from = rows.findIndex((row) => row.key === topKey)
  return from < 0 ? undefined : rows.slice(from).flatMap(messageIdsOf)[0]
}

/** When the connection was lost, once the window shows that it is offline. */
const lostAtOf = ({ offline, lostAt }: Connection): number | undefined => (offline ? lostAt : undefined)

type RowFacts = {
  readonly unread: UnreadLine | undefined
  readonly lostAt: number | undefined
  readonly cleared: RowOptions['cleared'] | undefined
  readonly days: boolean
}

/** The line at the start of a cleared history, once nothing older is left to load. */
function useCleared(cid: Cid, window: Window | undefined, parentId: MessageId | undefined): RowFacts['cleared'] {
  const channel = useChannel(cid)
  const [at, by] = [channel?.truncatedAt, channel?.truncatedBy]
  const shown = parentId === undefined && window !== undefined && !window.hasPrev && window.loading !== 'initial'
  return useMemo(() => (shown && at !== undefined ? { at, by } : undefined), [shown, at, by])
}

/** Rows of the window; those that the list shows already and that are unchanged keep their identity. */
function useRows(
  view: ListView,
  messages: readonly Message[],
  window: Window | undefined,
  { unread, lostAt, cleared, days }: RowFacts,
): readonly Row[] {
  const gaps = window?.gapsBefore
  return useMemo(
    () =>
      buildRows(
        messages,
        {
          days,
          dayOf: (at) => String(startOfDay(at)),
          lostAt: lostAt === undefined || window?.hasNext === true ? undefined : lostAt,
          cleared,
          gapsBefore: gaps,
          unreadLine: unread?.id === undefined ? undefined : unread,
        },
        view.rows,
      ),
    [view, messages, gaps, unread, lostAt, cleared, window?.hasNext, days],
  )
}
