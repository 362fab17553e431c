import { nanoid } from '@reduxjs/toolkit'
import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { Window, WindowKey } from '#shared/domain/changes.ts'
import type { Connection } from '#shared/domain/session.ts'
import type { Message } from '#shared/domain/message.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { startOfDay } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useChannelField, useWindow } from '../../../store/hooks.ts'
import { selectConnection, selectRouteCid } from '../../../store/selectors.ts'
import { noticeRaised } from '../../../store/window/notices.ts'
import { placeRefused } from '../../../store/window/ui.ts'
import type { Landing, ListView } from './list-view.ts'
import { buildRows, type Row, type RowOptions, type UnreadLine } from '../model/rows.ts'
import { newSince, sameItems, selectMessages } from '../row/select.ts'
import type { NavigationControls } from './use-navigation.ts'

type Options = {
  readonly windowKey: WindowKey
  readonly cid: Cid
  readonly parentId?: MessageId
  readonly unread?: UnreadLine
  readonly remembers?: boolean
  readonly view: ListView
  readonly controls: Pick<NavigationControls, 'navigation' | 'refused'>
}

export type Contents = {
  /** Absent while its rows are of another position than the requested one. */
  readonly window: Window | undefined
  readonly messages: readonly Message[]
  readonly rows: readonly Row[]
  /** A requested position is not loaded yet. */
  readonly isWaiting: boolean
  readonly busy: boolean
  readonly landing: Landing | undefined
}

const NO_IDS: readonly string[] = []

/** What a list shows of its window, and the position it takes with these rows. */
export function useContents({ windowKey, cid, parentId, unread, remembers, view, controls }: Options): Contents {
  const { navigation, refused } = controls
  const held = useWindow(windowKey)
  useNotOpen(cid, remembers === true ? (held?.error ?? refused) : undefined)
  const window = navigation.isHidden(held) ? undefined : held
  const ids = window?.ids ?? NO_IDS
  const messages = useAppSelector((state) => selectMessages(state, ids), sameItems)
  const lostAt = useAppSelector((state) => (parentId === undefined ? lostAtOf(selectConnection(state)) : undefined))
  const cleared = useCleared(cid, window, parentId)
  const rows = useRows(view, messages, window, { unread, lostAt, cleared, days: parentId === undefined })
  const isWaiting = navigation.isWaiting(held)
  const landing = navigation.landingIn(window, rows)
  useLayoutEffect(() => navigation.settle(landing))
  return {
    window,
    messages,
    rows,
    isWaiting,
    busy: isWaiting || window === undefined || window.loading !== 'none',
    landing,
  }
}

const CLOSED: ReadonlySet<string> = new Set(['server/not-found', 'server/not-allowed', 'server/query-not-allowed'])

/** A link to a deleted conversation, or one that the user has left, shows a notice and opens nothing. */
function useNotOpen(cid: Cid, failure: string | undefined): void {
  const dispatch = useAppDispatch()
  const isElsewhere = useAppSelector(
    (state) =>
      state.entities.channels[cid] === undefined && selectRouteCid(state) === cid && state.ui.own === undefined,
  )
  const isClosed = isElsewhere && failure !== undefined && CLOSED.has(failure)
  useEffect(() => {
    if (!isClosed) return
    dispatch(placeRefused())
    const notice = { code: 'channel/not-open', type: 'channels:open', severity: 'warning' } as const
    dispatch(noticeRaised({ ...notice, id: `local-${nanoid()}`, createdAt: Date.now() }))
  }, [dispatch, isClosed])
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
  const at = useChannelField(cid, 'truncatedAt')
  const by = useChannelField(cid, 'truncatedBy')
  const shown = parentId === undefined && window !== undefined && !window.hasPrev && window.loading !== 'initial'
  return useMemo(() => (shown && at !== undefined ? { at, by } : undefined), [shown, at, by])
}

/** The local day of times that come in order: asked for once a day. */
function localDays(): (at: number) => string {
  let [start, end] = [0, 0]
  return (at) => {
    if (at < start || at >= end) {
      start = startOfDay(at)
      // No day is longer than 25 hours, or shorter than 23.
      end = startOfDay(start + 36 * 3_600_000)
    }
    return String(start)
  }
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
          dayOf: localDays(),
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

export type NewOptions = {
  readonly cid: Cid
  readonly parentId: MessageId | undefined
  readonly messages: readonly Message[]
  readonly window: Window | undefined
  readonly atEnd: boolean
  readonly viewerId: string | undefined
}

/**
 * How many messages of others arrived since the list was last at its end: the end of the channel, not of the
 * loaded page, because messages after an old page are not new.
 */
export function useNewCount({ cid, parentId, messages, window, atEnd, viewerId }: NewOptions): number {
  const lastMessageAt = useChannelField(cid, 'lastMessageAt')
  const unreadHere = useChannelField(cid, 'unread') ?? 0
  const lastReplyAt = useAppSelector(({ entities }) => entities.messages[parentId ?? '']?.thread?.lastReplyAt)
  const lastAt = (parentId === undefined ? lastMessageAt : lastReplyAt) ?? 0
  const isNewestHeld = window !== undefined && !window.hasNext
  const newest = isNewestHeld ? Math.max(messages.at(-1)?.createdAt ?? 0, lastAt) : lastAt
  const unread = parentId === undefined ? unreadHere : 0
  const [seen, setSeen] = useState({ at: newest, unread })
  if ((atEnd || seen.at === 0) && newest > seen.at) setSeen({ at: newest, unread })
  else if (unread < seen.unread) setSeen({ at: seen.at, unread })
  if (isNewestHeld) return newSince(messages, seen.at, viewerId)
  return newest > seen.at ? Math.max(0, unread - seen.unread) : 0
}
