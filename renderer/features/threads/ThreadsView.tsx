import { useState, useEffect, useMemo } from 'react'
import type { MessageId } from '#shared/lib/brand.ts'
import type { Message } from '#shared/domain/message.ts'
import { useTexts, useErrorText } from '../../i18n/index.ts'
import {
  useAppDispatch,
  useAppSelector,
  useConnection,
  useAttachCount,
  useSession,
  useWindow,
} from '../../store/hooks.ts'
import { THREAD_FILTERS, threadsFiltered, type ThreadFilter } from '../../store/window/views.ts'
import { Segments } from '../../ui/Choice/Choice.tsx'
import { View } from '../../ui/View/View.tsx'
import { announce } from '../../lib/page/announce.ts'
import { useDelayed } from '../../lib/time/clocks.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Empty, Skeleton } from '../../ui/View/Empty.tsx'
import { ConnectionBanner, LoadingText, SKELETON_DELAY_MS } from '../connection/index.ts'
import { ThreadList } from './ThreadList.tsx'
import {
  askUnread,
  markThreadRead,
  markThreadUnread,
  type ThreadPlace,
  closeInbox,
  openInbox,
  pageInbox,
} from './commands.ts'
import styles from './Inbox.module.css'

type Props = {
  /** Below 640 px: goes back to the channel list. */
  readonly onBack?: () => void
}

/** All threads the viewer takes part in or follows, across channels. */
export function ThreadsView({ onBack }: Props) {
  const t = useTexts('thread')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const filter = useAppSelector(({ views }) => views.threads)
  const list = useInbox(filter)
  const { offline } = useConnection()
  const unread = useAppSelector(({ entities }) => entities.inbox['self']?.unreadThreads ?? 0)
  const choose = (value: ThreadFilter) => dispatch(threadsFiltered(value))
  const readAll = useReadAll(list.unread)
  return (
    <View
      icon="thread"
      title={t('inbox.title')}
      {...(list.followed === undefined || list.followed === 0
        ? {}
        : { subtitle: t('inbox.followed', { count: list.followed }) })}
      actions={
        // One button for both actions, so that the focus stays on Undo.
        list.unread.length === 0 && readAll.undo === undefined ? undefined : (
          <IconButton
            icon={readAll.undo === undefined ? 'check-double' : 'undo'}
            label={readAll.undo === undefined ? t('inbox.readAll') : t('inbox.undoRead')}
            onClick={() => void (readAll.undo ?? readAll.run)()}
          />
        )
      }
      back={onBack && { label: common('back'), onPress: onBack }}
      banner={<ConnectionBanner />}
    >
      <div className={styles['column']} aria-busy={list.loading}>
        <div className={styles['filters']}>
          <Segments
            label={t('inbox.filter')}
            value={filter}
            choices={THREAD_FILTERS.map((value) => ({
              value,
              label: t(`inbox.filters.${value}`),
              count:
                value === 'unread' ? { value: unread, name: t('inbox.filters.unreadCount', { unread }) } : undefined,
            }))}
            onChange={choose}
          />
          <span className={styles['order']}>{t('inbox.order')}</span>
        </div>
        {list.ids.length === 0 ? (
          <InboxState list={list} filter={filter} onAll={() => choose('all')} />
        ) : (
          <ThreadList list={list} offline={offline} />
        )}
      </div>
    </View>
  )
}

type Marked = ThreadPlace & { readonly messageId: MessageId }

type ReadAll = {
  readonly run: () => Promise<void>
  /** Present once all are read: marks each thread as unread again, from its first unread reply. */
  readonly undo: (() => Promise<void>) | undefined
}

/** Marks all these threads as read; can be undone while the view is open and nothing new has arrived. */
function useReadAll(unread: readonly ThreadPlace[]): ReadAll {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const [marked, setMarked] = useState<readonly Marked[]>([])
  return {
    run: async () => {
      // Their read positions are not known anymore afterwards.
      const answer = await dispatch(askUnread())
      const firstOf = new Map(answer.ok ? answer.value.map(({ parentId, firstId }) => [parentId, firstId]) : [])
      const done = await Promise.all(
        unread.map(async (place) => ((await dispatch(markThreadRead(place))).ok ? [place] : [])),
      )
      const read = done.flat()
      setMarked(
        read.flatMap((place) => {
          const messageId = firstOf.get(place.parentId)
          return messageId === undefined ? [] : [{ ...place, messageId }]
        }),
      )
      if (read.length === unread.length) announce(t('inbox.saidRead'))
    },
    undo:
      unread.length > 0 || marked.length === 0
        ? undefined
        : async () => {
            const done = await Promise.all(marked.map((place) => dispatch(markThreadUnread(place))))
            const left = marked.filter((_place, at) => done[at]?.ok !== true)
            setMarked(left)
            if (left.length === 0) announce(t('inbox.saidUnread'))
          },
  }
}

type InboxStateProps = { readonly list: InboxList; readonly filter: ThreadFilter; readonly onAll: () => void }

/** Shown without rows: loading, offline, failed, or empty. */
function InboxState({ list, filter, onAll }: InboxStateProps) {
  const t = useTexts('thread')
  const errorText = useErrorText()
  const { state } = useConnection()
  const isWaiting = list.loading || list.hasMore || list.unanswered
  const late = useDelayed(isWaiting, SKELETON_DELAY_MS)
  if (list.error !== undefined) {
    return (
      <Empty scene="lines" title={t('inbox.failed')} action={<Button onClick={list.again}>{t('inbox.again')}</Button>}>
        {errorText({ code: list.error })}
      </Empty>
    )
  }
  if (isWaiting && state === 'healthy') return late ? <Waiting onRetry={list.again} /> : null
  if (state !== 'healthy' && (filter === 'all' || list.unanswered)) {
    return (
      <Empty scene="lines" title={t('inbox.absent')}>
        {t('inbox.absentText')}
      </Empty>
    )
  }
  return (
    <Empty
      scene="chat"
      title={t(`inbox.empty.${filter}`)}
      action={filter === 'all' ? undefined : <Button onClick={onAll}>{t('inbox.showAll')}</Button>}
    >
      {t(`inbox.empty.${filter}Text`)}
    </Empty>
  )
}

function Waiting({ onRetry }: { readonly onRetry: () => void }) {
  const t = useTexts('thread')
  return (
    <div className={styles['waiting']}>
      <LoadingText what={t('inbox.loading')} onRetry={onRetry} />
      {[0, 1, 2].map((row) => (
        <div key={row} className={styles['card']}>
          <Skeleton width={180} />
          <div className={styles['waitingLine']}>
            <Skeleton width={32} height={32} arch />
            <Skeleton width="60%" />
          </div>
          <div className={styles['waitingLine']}>
            <Skeleton width={32} height={32} arch />
            <Skeleton width="45%" />
          </div>
        </div>
      ))}
    </div>
  )
}

export type InboxList = {
  readonly ids: readonly MessageId[]
  /** Number of threads with something new, whatever filter is shown. */
  readonly unread: readonly ThreadPlace[]
  /** Number of followed threads; absent until all are loaded. */
  readonly followed: number | undefined
  /** New threads that wait to be shown. */
  readonly fresh: number
  readonly showFresh: () => void
  readonly loading: boolean
  /** Locale code: the list could not be loaded, and none is cached. */
  readonly error: string | undefined
  /** Not loaded from the server yet. */
  readonly unanswered: boolean
  readonly hasMore: boolean
  /** The next page could not be loaded. */
  readonly pageFailed: boolean
  readonly more: () => void
  readonly again: () => void
}

const NOTHING: readonly string[] = []

/** The threads of one filter. Visible rows do not move once the list is loaded: see {@link steadied}. */
function useInbox(filter: ThreadFilter): InboxList {
  const dispatch = useAppDispatch()
  const viewerId = useSession().userId
  const window = useWindow('threads')
  const messages = useAppSelector((state) => state.entities.messages)
  useInboxWindow()
  const ids = window?.ids ?? NOTHING
  const wanted = useMemo(
    () =>
      ids.filter((id) => {
        const message = messages[id]
        return message !== undefined && isWanted(message, filter, viewerId)
      }),
    [ids, messages, filter, viewerId],
  )
  const { unread, followed } = useMemo(() => {
    const roots = ids.flatMap((id) => messages[id] ?? [])
    const news = roots.filter((root) => isWanted(root, 'unread', viewerId))
    return {
      unread: news.map(({ cid, id }): ThreadPlace => ({ cid, parentId: id })),
      followed: roots.filter((root) => isWanted(root, 'following', viewerId)).length,
    }
  }, [ids, messages, viewerId])
  const held = useMemo(() => new Set(ids.filter((id) => messages[id] !== undefined)), [ids, messages])
  const [shownList, setShownList] = useState<{ readonly filter: ThreadFilter; readonly ids: readonly string[] }>()
  const [settled, setSettled] = useState(false)
  const [pageFailed, setPageFailed] = useState(false)
  const loading = window === undefined || window.loading !== 'none'
  // While the list is loaded for the first time, its order is not final.
  const isSteady = settled && shownList?.filter === filter
  const now = isSteady ? steadied(shownList.ids, wanted, held) : { shown: wanted, fresh: NOTHING }
  if (shownList?.filter !== filter || shownList.ids !== now.shown) setShownList({ filter, ids: now.shown })
  if (!loading && !settled) setSettled(true)
  return {
    ids: now.shown as readonly MessageId[],
    unread,
    followed: loading || window.hasNext ? undefined : followed,
    fresh: now.fresh.length,
    showFresh: () => setShownList({ filter, ids: wanted }),
    loading,
    error: window?.error,
    unanswered: window?.unanswered === true,
    hasMore: window?.hasNext ?? false,
    pageFailed,
    more: () => {
      setPageFailed(false)
      void dispatch(pageInbox()).then((page) => setPageFailed(!page.ok))
    },
    again: () => void dispatch(openInbox()),
  }
}

/** Opens the window now and after every attach, and closes it on unmount. */
function useInboxWindow(): void {
  const dispatch = useAppDispatch()
  const attached = useAttachCount()
  useEffect(() => {
    if (attached >= 0) void dispatch(openInbox())
  }, [dispatch, attached])
  useEffect(() => () => void dispatch(closeInbox()), [dispatch])
}

/** Whether a thread, by its first message, matches the chosen filter. `mine`: the viewer began it. */
function isWanted(message: Message, filter: ThreadFilter, viewerId: string | undefined): boolean {
  switch (filter) {
    case 'unread':
      return (message.thread?.unread ?? 0) > 0
    case 'mine':
      return message.userId === viewerId
    case 'following':
      return message.thread?.following === true
    case 'all':
      return true
  }
}

/** Visible rows, and newer ones that would be inserted among them. */
type Steady = { readonly shown: readonly string[]; readonly fresh: readonly string[] }

/**
 * The rows of a list that must not move while it is read: visible rows keep their place, also when they no longer match,
 * and new rows between them wait until the user shows them. Rows after the last one (the next page) are appended.
 *
 * @param shown the visible rows
 * @param wanted the rows that match now, in their order
 * @param held all rows that can still be drawn; others are removed
 */
export function steadied(shown: readonly string[], wanted: readonly string[], held: ReadonlySet<string>): Steady {
  const remaining = shown.filter((id) => held.has(id))
  if (remaining.length === 0) return { shown: wanted, fresh: [] }
  const remainingIds = new Set(remaining)
  const last = wanted.findLastIndex((id) => remainingIds.has(id))
  const added = wanted.filter((id, at) => !remainingIds.has(id) && at > last && last >= 0)
  const after = new Set(added)
  return {
    shown: added.length === 0 && remaining.length === shown.length ? shown : [...remaining, ...added],
    fresh: wanted.filter((id) => !remainingIds.has(id) && !after.has(id)),
  }
}
