import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEventHandler,
  type ReactNode,
  type RefObject,
} from 'react'
import type { WindowKey, Window } from '#shared/domain/changes.ts'
import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import { composerKey } from '#shared/domain/draft.ts'
import type { Message } from '#shared/domain/message.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useRoving, type Roving } from '../../../lib/page/roving.ts'
import {
  useAppDispatch,
  useAppSelector,
  useObject,
  useSession,
  useAppStore,
  useSetting,
  useWindow,
} from '../../../store/hooks.ts'
import { overlayPart } from '../../../lib/page/part.tsx'
import { announce, dropArrivals } from '../../../lib/page/announce.ts'
import { languageOfText } from '../../../lib/text/language-mark.ts'
import { timelineMoved } from '../../../store/window/ui.ts'
import { selectName } from '../../people/index.ts'
import { channelTitle } from '../../sidebar/index.ts'
import { messageIdsOf, type UnreadLine, type Row } from '../model/rows.ts'
import { isDelivered, newestOwnOf, readersByMessage, mentions } from '../row/select.ts'
import { usePaneActions, type PaneActions } from '../actions/use-pane-actions.tsx'
import { lineOf } from '../../attachments/index.ts'
import { leaveTimeline, openTimeline, pageTimeline } from '../actions/commands.ts'
import { PaneRows, StickyDay, PaneState } from './PaneRows.tsx'
import { LIST_SIZES } from './list-layout.ts'
import { ListView } from './list-view.ts'
import { useListView, type MountedList } from './use-list-view.ts'
import { ScopeContext } from './scope.ts'
import { useContents, useNewCount, type Contents, type NewOptions } from './use-contents.ts'
import { useNavigation, type Opens, type NavigationControls, type OpenAt } from './use-navigation.ts'
import { useDays } from './JumpToDay.tsx'
import { useListFocus, useWalks } from './use-list-keys.ts'
import type { ReturnPillProps } from './ReturnPill.tsx'
import { UnreadPill, useUnreadLine } from './unread-line.tsx'
import styles from './MessagePane.module.css'

/** Not needed at the start: a list opens at its newest message. */
export const ReturnPill = overlayPart(async () => (await import('./ReturnPill.tsx')).ReturnPill)

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

const NO_READS: readonly never[] = []
const PAGE_ROWS = 10

/** A list of messages over an engine window: a channel's timeline or a thread's replies. */
export function MessagePane(source: PaneSource) {
  const { cid, parentId, unread, onPage } = source
  const viewerId = useSession().userId
  const sizes = useObject(LIST_SIZES)
  const [view] = useState(() => new ListView(sizes, source.windowKey))
  const [atEnd, setAtEnd] = useState(true)
  const jumps = usePaneJumps(source, view)
  const { controls, setOrigin, toLatest } = jumps
  const contents = useContents({ ...source, view, controls })
  const { messages, window, rows } = contents
  const list = useListView({
    view,
    shape: { rows, hasOlder: window?.hasPrev ?? false, hasNewer: window?.hasNext ?? false, busy: contents.busy },
    landing: contents.landing,
    onOlder: () => onPage('older'),
    onNewer: () => onPage('newer'),
    onAtEnd: (now) => {
      setAtEnd(now)
      if (now) setOrigin(undefined)
      source.onAtEnd?.(now)
    },
  })
  const { roving, actions, onKeyDown } = useKeyboard({ source, view, contents, jumps, viewerId })
  const days = useDays({ cid, listening: parentId === undefined, onJump: jumps.toTime, onNewest: toLatest })
  useAnnouncements({ list: source.windowKey, messages, window, viewerId })
  return (
    <ScopeContext value={actions.scope}>
      <div className={styles['pane']} data-place={parentId === undefined ? 'channel' : 'thread'}>
        <div className={styles['view']}>
          <StickyDay rows={rows} view={view} onDay={days.open} />
          <MessageLog
            {...{ source, contents, list, controls, roving, viewerId, onKeyDown }}
            heldId={actions.heldId}
            onDay={days.open}
          />
          <MentionMarks messages={messages} viewerId={viewerId} rows={rows} view={view} />
          {unread === undefined || parentId !== undefined ? null : (
            <UnreadPill cid={cid} unread={unread} rows={rows} view={view} controls={controls} />
          )}
          <Return {...{ cid, parentId, messages, window, atEnd, viewerId, jumps }} isEmpty={rows.length === 0} />
        </div>
        {actions.overlays}
        {days.overlays}
        <OwnSend cid={cid} parentId={parentId} onSent={toLatest} />
      </div>
    </ScopeContext>
  )
}

type LogProps = {
  readonly source: PaneSource
  readonly contents: Contents
  readonly list: MountedList
  readonly controls: NavigationControls
  readonly roving: Roving
  readonly viewerId: UserId | undefined
  readonly heldId: string | undefined
  readonly onDay: (anchor: Element) => void
  readonly onKeyDown: KeyboardEventHandler<HTMLElement>
}

const setOnce = (element: Element, name: string, value: string): void => {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

/**
 * Tells screen readers which of the loaded messages a row is, and how many there are; -1 while there are more. Set on the
 * mounted elements after each render, so that a new message does not render all others.
 */
function usePlaces(scroller: RefObject<HTMLElement | null>, rows: readonly Row[], window: Window | undefined): void {
  const places = useMemo(() => new Map(rows.flatMap(messageIdsOf).map((id, at) => [String(id), at + 1])), [rows])
  const isWhole = window !== undefined && !window.hasPrev && !window.hasNext
  useLayoutEffect(() => {
    for (const row of scroller.current?.querySelectorAll<HTMLElement>('article[data-message-id]') ?? []) {
      const place = places.get(row.getAttribute('data-message-id') ?? '')
      if (place !== undefined) {
        setOnce(row, 'aria-posinset', String(place))
        setOnce(row, 'aria-setsize', String(isWhole ? places.size : -1))
      }
    }
  })
}

/** The scrolling element with the rows, or what is shown without rows. */
function MessageLog({ source, contents, list, controls, roving, viewerId, heldId, onDay, onKeyDown }: LogProps) {
  const { cid, parentId, label, lead, onOpen } = source
  const { messages, window, rows, busy } = contents
  const { ref, onFocus } = roving.containerProps
  usePlaces(ref, rows, window)
  const reads =
    useAppSelector((state) => (parentId === undefined ? state.entities.reads[cid]?.reads : undefined)) ?? NO_READS
  const readers = useMemo(() => readersByMessage(messages, reads, viewerId), [messages, reads, viewerId])
  const newestOwn = newestOwnOf(messages, viewerId)
  return (
    <div
      ref={ref as RefObject<HTMLDivElement | null>}
      onFocus={onFocus}
      className={styles['scroller']}
      role="log"
      aria-live="off"
      aria-label={label}
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
          heldId={heldId}
          readers={readers}
          newestOwn={newestOwn?.id}
          delivered={isDelivered(newestOwn, reads)}
          onGap={(around) => void onOpen({ around })}
          onDay={onDay}
        />
        {rows.length === 0 && (lead === undefined || parentId !== undefined) ? (
          <PaneState
            window={window}
            refused={controls.refused}
            cid={cid}
            thread={parentId !== undefined}
            onRetry={controls.retry}
          />
        ) : null}
      </div>
    </div>
  )
}

/** Jumps of a list, and the message that the button at its end returns to. */
function usePaneJumps(source: PaneSource, view: ListView) {
  const [origin, setOrigin] = useState<ReturnPillProps['origin']>()
  const savePosition = useCallback(() => {
    const messageId = view.isAtEnd ? undefined : topMessageOf(view)
    setOrigin(messageId === undefined ? undefined : { kind: 'where', messageId })
  }, [view])
  const controls = useNavigation({ ...source, view, onForeign: savePosition })
  const { go, jump: jumpTo } = controls
  const jump = useCallback((id: MessageId) => jumpTo({ kind: 'message', id }), [jumpTo])
  const toLatest = useCallback(() => go({ kind: 'newest' }), [go])
  const toUnread = useCallback(() => jumpTo({ kind: 'unread' }), [jumpTo])
  const toTime = useCallback(
    (at: number) => {
      savePosition()
      jumpTo({ kind: 'time', at })
    },
    [savePosition, jumpTo],
  )
  const jumpFrom = useCallback(
    (messageId: MessageId, from?: MessageId) => {
      setOrigin(from === undefined ? undefined : { kind: 'back', messageId: from })
      jump(messageId)
    },
    [jump],
  )
  return { controls, origin, setOrigin, jump, jumpFrom, toLatest, toUnread, toTime }
}

type PaneJumps = ReturnType<typeof usePaneJumps>

/** The message at the top edge of the view, or the first below it. */
function topMessageOf({ rows, topRow }: ListView): MessageId | undefined {
  const topKey = topRow()
  const from = rows.findIndex((row) => row.key === topKey)
  return from < 0 ? undefined : rows.slice(from).flatMap(messageIdsOf)[0]
}

type ReturnProps = NewOptions & { readonly jumps: PaneJumps; readonly isEmpty: boolean }

/** The button at the end of a list that is scrolled up. A component, so that the list is not rendered to count. */
function Return({ jumps, isEmpty, ...at }: ReturnProps) {
  const newCount = useNewCount(at)
  if (at.atEnd || isEmpty) return null
  return <ReturnPill {...jumps} cid={at.cid} parentId={at.parentId} newCount={newCount} />
}

type KeyboardOptions = {
  readonly source: PaneSource
  readonly view: ListView
  readonly contents: Contents
  readonly jumps: PaneJumps
  readonly viewerId: UserId | undefined
}

/** Focus of the rows, and the keys that move it or act on the focused row. */
function useKeyboard({ source, view, contents, jumps, viewerId }: KeyboardOptions): {
  readonly roving: Roving
  readonly actions: PaneActions
  readonly onKeyDown: KeyboardEventHandler<HTMLElement>
} {
  const { cid, parentId, unread, onUnreadFrom } = source
  const { rows, messages, window, isWaiting } = contents
  const { jump, jumpFrom, toLatest, toUnread } = jumps
  const focusIds = useMemo(() => rows.flatMap((row) => messageIdsOf(row)[0] ?? []), [rows])
  const reveal = useCallback((id: string) => view.reveal(id), [view])
  const roving = useRoving({ ids: focusIds, initialId: focusIds.at(-1), pageSize: PAGE_ROWS, reveal })
  const actions = usePaneActions({ cid, parentId, viewerId, jump: jumpFrom, onUnreadFrom, order: focusIds })
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
  const onKeyDown = useListFocus({ cid, parentId, view, roving, focusIds, actions, walks, onEnd: toLatest })
  return { roving, actions, onKeyDown }
}

type SendOptions = { readonly cid: Cid; readonly parentId: MessageId | undefined; readonly onSent: () => void }

/** Sending a message scrolls its list to the end. Renders nothing: a component, so that the list is not rendered for it. */
function OwnSend({ cid, parentId, onSent }: SendOptions) {
  const key = composerKey(cid, parentId)
  const latest = useRef(onSent)
  const newestFlight = useAppSelector((state) => state.composers[key]?.inFlight.at(-1)?.id)
  useEffect(() => {
    latest.current = onSent
  })
  useEffect(() => {
    if (newestFlight !== undefined) latest.current()
  }, [newestFlight])
  return null
}

type MentionMarksProps = {
  readonly messages: readonly Message[]
  readonly viewerId: string | undefined
  readonly rows: readonly Row[]
  readonly view: ListView
}

/** Marks beside the scroll bar at mentions of the viewer. Hidden from screen readers, because the rows say it and keys move between mentions. */
function MentionMarks({ messages, viewerId, rows, view }: MentionMarksProps) {
  const shares = useMemo(() => {
    const mentioning = messages.filter((message) => mentions(message, viewerId))
    return mentioning.length === 0 ? [] : view.sharesOf(new Set(mentioning.map(({ id }) => id)), rows)
  }, [messages, viewerId, rows, view])
  if (shares.length === 0) return null
  return (
    <div className={styles['marks']} aria-hidden="true">
      {shares.map((share) => (
        <span key={share} style={{ insetBlockStart: `${share * 100}%` }} />
      ))}
    </div>
  )
}

/** More messages than this are announced as a count. */
const MAX_SPOKEN = 3

type Announced = {
  readonly list: WindowKey
  readonly messages: readonly Message[]
  readonly window: Window | undefined
  readonly viewerId: string | undefined
}

/** Announces messages of others that arrive at the end of the open list, but not loaded history. */
function useAnnouncements({ list, messages, window, viewerId }: Announced): void {
  const t = useTexts('messages')
  const store = useAppStore()
  const speech = useSetting('speech')
  const spokenUpTo = useRef<number>(undefined)
  const shownList = useRef<WindowKey>(undefined)
  const live = window !== undefined && !window.hasNext && window.loading !== 'initial'
  useEffect(() => {
    const newest = messages.at(-1)?.createdAt
    const since = spokenUpTo.current
    if (!live || newest === undefined) return
    spokenUpTo.current = Math.max(newest, since ?? 0)
    if (since === undefined) return
    const fresh = messages.filter(
      (message) => message.createdAt > since && message.userId !== viewerId && !message.silent,
    )
    const tell = (text: string, count: number, language?: string): void =>
      announce(text, { arrivals: { place: list, count, many: (all) => t('announce.many', { count: all }) }, language })
    if (fresh.length > MAX_SPOKEN) tell(t('announce.many', { count: fresh.length }), fresh.length)
    else for (const message of fresh) void tellOf(message)
    async function tellOf(message: Message): Promise<void> {
      const text = textOf(message)
      if (speech === 'brief' || message.text === '') return tell(text, 1)
      const language = await languageOfText(message.text, store.getState().entities.users[message.userId]?.language)
      if (shownList.current === list) tell(text, 1, language)
    }
    function textOf(message: Message): string {
      const author = selectName(store.getState(), message.userId)
      const text = lineOf(message, t)
      if (speech === 'brief') return t('announce.from', { author })
      return speech === 'text' ? text : t('announce.one', { author, text })
    }
  }, [messages, live, list, viewerId, store, speech, t])
  useEffect(() => {
    shownList.current = list
    return () => {
      shownList.current = undefined
      dropArrivals(list)
    }
  }, [list])
}

type ListProps = {
  readonly cid: Cid
  /** Above the first message ever, once the list reaches back to it. */
  readonly start?: ReactNode
}

/** The messages of a channel. Its window in the engine is open while they are shown. */
export function MessageList({ cid, start }: ListProps) {
  // Keyed by channel, so that no state of the previous one remains.
  return <Timeline key={cid} cid={cid} start={start} />
}

function Timeline({ cid, start }: ListProps) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => channelTitle(state, cid))
  const windowKey: WindowKey = `timeline:${cid}`
  const unread = useUnreadLine({ windowKey, cid })
  const onOpen = useCallback((openAt: OpenAt) => dispatch(openTimeline({ cid, ...openAt })), [dispatch, cid])
  // Best effort: a page that is closing may not be able to send it.
  const onClose = useCallback(() => void dispatch(leaveTimeline({ cid })), [dispatch, cid])
  const onPage = useCallback(
    (direction: 'older' | 'newer') => void dispatch(pageTimeline({ cid, direction })),
    [dispatch, cid],
  )
  const onAtEnd = useCallback((atBottom: boolean) => dispatch(timelineMoved({ cid, atBottom })), [dispatch, cid])
  useEffect(() => () => void dispatch(timelineMoved({ cid, atBottom: false })), [dispatch, cid])
  const window = useWindow(windowKey)
  const isWhole = window !== undefined && !window.hasPrev && window.loading !== 'initial'
  return (
    <MessagePane
      windowKey={windowKey}
      cid={cid}
      label={t('list.label', { name })}
      lead={isWhole ? start : undefined}
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
