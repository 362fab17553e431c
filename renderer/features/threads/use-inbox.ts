import { useEffect, useMemo, useState } from 'react'
import type { MessageId } from '#shared/lib/brand.ts'
import type { Message } from '#shared/domain/message.ts'
import { useAppDispatch, useAppSelector, useAttachCount, useSession, useWindow } from '../../store/hooks.ts'
import type { ThreadFilter } from '../../store/window/views.ts'
import { closeInbox, openInbox, pageInbox, type ThreadPlace } from './commands.ts'

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
export function useInbox(filter: ThreadFilter): InboxList {
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
