import * as v from 'valibot'
import { pinnedMessages } from '#shared/wire/channels.ts'
import { refuse } from '../http/refusal.ts'
import { idText, sort, time, whole } from '../http/shapes.ts'
import type { Cell, Db } from '../store/db.ts'
import { NOT_BLOCKED } from '../users/user-tables.ts'
import { route, type Route } from '../http/router.ts'
import { openChannel } from '../channels/access.ts'
import { checkChannelId } from '../channels/channels.ts'
import { messageById, type MessageRow } from './message-table.ts'
import { encodeMessages } from './encode-messages.ts'

const MAX_PINNED = 300
const DEFAULT_PINNED = 100

/** See docs/wire.md 3.2 "pinned_messages". */
const pinnedPage = {
  limit: whole(MAX_PINNED),
  offset: whole(1_000),
  id_lt: idText(),
  id_lte: idText(),
  id_gt: idText(),
  id_gte: idText(),
  id_around: idText(),
  pinned_at_before: time,
  pinned_at_before_or_equal: time,
  pinned_at_after: time,
  pinned_at_after_or_equal: time,
  pinned_at_around: time,
  sort,
}
const shape = v.object(pinnedPage)
type PinnedPage = v.InferOutput<typeof shape>

type Cursor = Exclude<keyof PinnedPage, 'limit' | 'offset' | 'sort'>
type Step = 'before' | 'upTo' | 'after' | 'from'

const CURSORS: Readonly<Record<Cursor, Step | 'around'>> = {
  id_lt: 'before',
  id_lte: 'upTo',
  id_gt: 'after',
  id_gte: 'from',
  id_around: 'around',
  pinned_at_before: 'before',
  pinned_at_before_or_equal: 'upTo',
  pinned_at_after: 'after',
  pinned_at_after_or_equal: 'from',
  pinned_at_around: 'around',
}

const HEAD = `SELECT * FROM messages WHERE cid = ? AND pinned_at IS NOT NULL AND created_at > ?
  AND (audience IS NULL OR instr(audience, ?) > 0) AND ${NOT_BLOCKED} AND deleted_at IS NULL AND (pin_expires IS NULL OR pin_expires > ?)`

const STEPS = {
  newest: ' ORDER BY pinned_at DESC, id DESC LIMIT ? OFFSET ?',
  oldest: ' ORDER BY pinned_at, id LIMIT ? OFFSET ?',
  before: ' AND (pinned_at, id) < (?, ?) ORDER BY pinned_at DESC, id DESC LIMIT ? OFFSET ?',
  upTo: ' AND (pinned_at, id) <= (?, ?) ORDER BY pinned_at DESC, id DESC LIMIT ? OFFSET ?',
  after: ' AND (pinned_at, id) > (?, ?) ORDER BY pinned_at, id LIMIT ? OFFSET ?',
  from: ' AND (pinned_at, id) >= (?, ?) ORDER BY pinned_at, id LIMIT ? OFFSET ?',
} as const

export const pinnedSql = (step: keyof typeof STEPS): string => HEAD + STEPS[step]

type PinnedView = {
  readonly cid: string
  readonly viewer: string
  readonly floor: number
  readonly now: number
}

/** Newest pins first unless `sort` asks for the oldest, with every cursor. At most one cursor. */
function findPinned(db: Db, view: PinnedView, page: PinnedPage): MessageRow[] {
  const given = (Object.keys(CURSORS) as Cursor[]).filter((name) => page[name] !== undefined)
  const cursor = given[0]
  if (given.length > 1) return refuse('input', `only one of ${given.join(' and ')} may be given`)
  const ascending = isAscending(page)
  const limit = page.limit ?? DEFAULT_PINNED
  const rows = cursor
    ? fromCursor(db, view, cursor, page, limit)
    : read(db, view, ascending ? 'oldest' : 'newest', [], limit, page.offset)
  const order = ascending ? 1 : -1
  return rows.toSorted((a, b) => order * ((a.pinned_at ?? 0) - (b.pinned_at ?? 0) || (a.id < b.id ? -1 : 1)))
}

function isAscending(page: PinnedPage): boolean {
  const [first, ...more] = page.sort ?? []
  if (!first) return false
  if (more.length > 0 || first.field !== 'pinned_at') return refuse('input', 'pinned messages are sorted by pinned_at')
  return first.direction === 1
}

function read(
  db: Db,
  view: PinnedView,
  step: keyof typeof STEPS,
  place: readonly Cell[],
  limit: number,
  offset = 0,
): MessageRow[] {
  return db.all<MessageRow>(
    pinnedSql(step),
    view.cid,
    view.floor,
    `,${view.viewer},`,
    view.viewer,
    view.now,
    ...place,
    limit,
    offset,
  )
}

const FIRST_ID = ''
const LAST_ID = '\u{10FFFF}'

function fromCursor(db: Db, view: PinnedView, cursor: Cursor, page: PinnedPage, limit: number): MessageRow[] {
  const step = CURSORS[cursor]
  const value = page[cursor]
  const place =
    typeof value === 'number'
      ? [value, step === 'upTo' || step === 'after' ? LAST_ID : FIRST_ID]
      : at(db, view, cursor, value)
  if (step !== 'around') return read(db, view, step, place, limit, page.offset)
  const older = read(db, view, 'before', place, limit)
  const newer = read(db, view, 'from', place, limit)
  const half = Math.floor(limit / 2)
  const newerTaken = Math.min(newer.length, Math.max(limit - half, limit - older.length))
  return [...older.slice(0, limit - newerTaken), ...newer.slice(0, newerTaken)]
}

function at(db: Db, view: PinnedView, cursor: string, id: string | undefined): Cell[] {
  const message = messageById(db, id ?? '')
  if (!message || message.cid !== view.cid || message.pinned_at === null) {
    return refuse('input', `${cursor}: there is no such pinned message here`, { [cursor]: 'no such message' })
  }
  return [message.pinned_at, message.id]
}

/** The keys may be in `payload` or flat in the query. */
const query = v.looseObject({ ...pinnedPage, payload: v.optional(v.looseObject(pinnedPage)) })

export const pinRoutes: readonly Route[] = [
  route(pinnedMessages, { query }, ({ params, query: input, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    const page: PinnedPage = input.payload ?? input
    const view = { cid: access.channel.cid, viewer: who.userId, floor: access.floor, now: work.now }
    const rows = findPinned(work.db, view, page)
    return { messages: encodeMessages(work.db, rows, { viewer: who.userId, now: work.now, people: work.people }) }
  }),
]
