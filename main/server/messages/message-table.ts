import * as v from 'valibot'
import type { Cell, Db } from '../store/db.ts'
import { NOT_BLOCKED } from '../users/user-tables.ts'
import type { Json } from '../http/json.ts'
import { freeDoc, indexNew, indexWords } from './words.ts'
import { idText, time, whole } from '../http/shapes.ts'
import { refuse } from '../http/refusal.ts'

export type MessageRow = {
  readonly id: string
  readonly cid: string
  readonly user_id: string
  readonly type: string
  readonly text: string
  readonly parent_id: string | null
  readonly show_in_channel: number
  readonly in_channel: number
  readonly quoted_id: string | null
  readonly poll_id: string | null
  readonly silent: number
  readonly shadowed: number
  readonly created_at: number
  readonly updated_at: number
  readonly text_updated_at: number | null
  readonly deleted_at: number | null
  readonly pinned_at: number | null
  readonly pinned_by: string | null
  readonly pin_expires: number | null
  readonly reply_count: number
  readonly deleted_reply_count: number
  readonly attachments: string
  readonly mentions: string
  readonly custom: string
  /** The only users who see it, as `,ann,bob,`; null: everyone. */
  readonly audience: string | null
  readonly pending: number
  /** Fields that no query filters by, as JSON: {@link MessageExtra}. */
  readonly extra: string
}

/** Fields that few messages have, stored as JSON. */
export type MessageExtra = {
  readonly command?: string
  readonly args?: string
  readonly mml?: string
  /** Set by a server token; otherwise generated from the text. */
  readonly html?: string
  readonly mentioned_channel?: boolean
  readonly mentioned_here?: boolean
  readonly mentioned_roles?: readonly string[]
  readonly mentioned_group_ids?: readonly string[]
  readonly restricted_visibility?: readonly string[]
  readonly pending_message_metadata?: unknown
  /** Why a rule keeps the message from others: for its author. */
  readonly moderation?: Json
}

/** The columns of an insert; omitted ones get their default. */
export type NewMessage = Omit<MessageRow, 'audience' | 'pending' | 'extra'> &
  Partial<Pick<MessageRow, 'audience' | 'pending' | 'extra'>>

/** A list of users in the form of {@link MessageRow.audience}. */
export const audienceOf = (ids: Iterable<string>): string => `,${[...new Set(ids)].join(',')},`

/** The users who see a message; `undefined`: everyone. */
export function audienceIds(row: Pick<MessageRow, 'audience'>): string[] | undefined {
  return row.audience?.split(',').filter((id) => id !== '')
}

/**
 * The audience of a message that is no longer shadowed: its named readers if any, and only its author while it is
 * pending.
 */
export function audienceUnshadowed(row: MessageRow): string | null {
  if (row.pending) return row.audience
  const readers = (JSON.parse(row.extra) as MessageExtra).restricted_visibility
  return readers?.length ? audienceOf([row.user_id, ...readers]) : null
}

/**
 * Messages in a conversation of two that only their author sees, because the other user blocked the author at the time.
 */
export const messagesToBlocker = (db: Db, cid: string, userId: string): MessageRow[] =>
  db.all<MessageRow>(
    'SELECT * FROM messages WHERE cid = ? AND user_id = ? AND audience = ? AND shadowed = 0 AND pending = 0',
    cid,
    userId,
    audienceOf([userId]),
  )

export function messageById(db: Db, id: string): MessageRow | undefined {
  return db.get<MessageRow>('SELECT * FROM messages WHERE id = ?', id)
}

export function messagesByIds(db: Db, ids: Iterable<string>): Map<string, MessageRow> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = db.all<MessageRow>(
    'SELECT * FROM messages WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(wanted),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export function insertMessage(db: Db, row: NewMessage): void {
  const doc = freeDoc(db, row.created_at)
  db.run(
    `INSERT INTO messages (id, cid, user_id, type, text, parent_id, show_in_channel, in_channel, quoted_id, poll_id,
       silent, shadowed, created_at, updated_at, text_updated_at, deleted_at, pinned_at, pinned_by, pin_expires,
       reply_count, deleted_reply_count, attachments, mentions, custom, audience, pending, extra, doc)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.cid,
    row.user_id,
    row.type,
    row.text,
    row.parent_id,
    row.show_in_channel,
    row.in_channel,
    row.quoted_id,
    row.poll_id,
    row.silent,
    row.shadowed,
    row.created_at,
    row.updated_at,
    row.text_updated_at,
    row.deleted_at,
    row.pinned_at,
    row.pinned_by,
    row.pin_expires,
    row.reply_count,
    row.deleted_reply_count,
    row.attachments,
    row.mentions,
    row.custom,
    row.audience ?? null,
    row.pending ?? 0,
    row.extra ?? '{}',
    doc,
  )
  indexNew(db, doc, row)
}

const CHANGEABLE: ReadonlySet<string> = new Set([
  'type',
  'text',
  'quoted_id',
  'updated_at',
  'text_updated_at',
  'deleted_at',
  'pinned_at',
  'pinned_by',
  'pin_expires',
  'attachments',
  'mentions',
  'custom',
  'silent',
  'show_in_channel',
  'in_channel',
  'audience',
  'pending',
  'extra',
])

/** Returns the changed row; absent if there is none. */
export function changeMessage(db: Db, id: string, change: Partial<MessageRow>): MessageRow | undefined {
  const entries = Object.entries(change).filter(([column]) => CHANGEABLE.has(column))
  if (entries.length === 0) return messageById(db, id)
  const assignments = entries.map(([column]) => `${column} = ?`).join(', ')
  // A change without a new text, like a pin, leaves the index alone.
  const { text } = change
  const isIndexed = change.deleted_at === undefined && (text === undefined || text === textOf(db, id))
  const after = db.get<MessageRow>(
    'UPDATE messages SET ' + assignments + ' WHERE id = ? RETURNING *',
    ...entries.map(([, value]) => value),
    id,
  )
  if (!isIndexed) indexWords(db, id)
  return after
}

const textOf = (db: Db, id: string): string | undefined =>
  db.get<{ text: string }>('SELECT text FROM messages WHERE id = ?', id)?.text

/** Sets both reply counters of a parent from its rows. Returns the parent. */
export function recountReplies(db: Db, parentId: string): MessageRow | undefined {
  return db.get<MessageRow>(
    `UPDATE messages SET
       reply_count = (SELECT count(*) FROM messages r WHERE r.parent_id = messages.id AND r.deleted_at IS NULL
         AND r.audience IS NULL),
       deleted_reply_count = (SELECT count(*) FROM messages r WHERE r.parent_id = messages.id AND r.deleted_at IS NOT NULL)
     WHERE id = ? RETURNING *`,
    parentId,
  )
}

export function deleteMessageRow(db: Db, id: string): void {
  db.run('DELETE FROM messages WHERE parent_id = ?', id)
  db.run('UPDATE messages SET quoted_id = NULL WHERE quoted_id = ?', id)
  db.run('DELETE FROM messages WHERE id = ?', id)
}

/** Replies that are also shown in the channel. */
export function shownReplies(db: Db, parentId: string): MessageRow[] {
  return db.all<MessageRow>('SELECT * FROM messages WHERE parent_id = ? AND in_channel = 1', parentId)
}

/** Authors of a thread in the order of their first replies. At most 100. */
export function threadAuthors(db: Db, parentId: string): string[] {
  return db
    .all<{ user_id: string }>(
      `SELECT user_id FROM messages WHERE parent_id = ? AND deleted_at IS NULL AND audience IS NULL
       GROUP BY user_id ORDER BY min(created_at) LIMIT 100`,
      parentId,
    )
    .map((row) => row.user_id)
}

export function lastOwnMessageAt(db: Db, cid: string, userId: string): number | undefined {
  return (
    db.get<{ at: number | null }>(
      'SELECT max(created_at) AS at FROM messages WHERE cid = ? AND user_id = ?',
      cid,
      userId,
    )?.at ?? undefined
  )
}

/** The timeline of a page: a channel's own messages, or the replies of one message. */
type Scope = { readonly kind: 'channel' | 'replies'; readonly key: string }

type TimelinePosition = { readonly at: number; readonly id: string }

/** By the viewer, who is given as `,id,` and as id. */
const READABLE = `(audience IS NULL OR instr(audience, ?) > 0) AND ${NOT_BLOCKED}`

const HEADS = {
  channel: `SELECT * FROM messages WHERE cid = ? AND in_channel = 1 AND created_at > ? AND ${READABLE}`,
  replies: `SELECT * FROM messages WHERE parent_id = ? AND created_at > ? AND ${READABLE}`,
} as const

const STEPS = {
  newest: ' ORDER BY created_at DESC, id DESC LIMIT ?',
  before: ' AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?',
  upTo: ' AND (created_at, id) <= (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?',
  after: ' AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?',
  from: ' AND (created_at, id) >= (?, ?) ORDER BY created_at, id LIMIT ?',
} as const

export type Step = keyof typeof STEPS

export function pageSql(kind: Scope['kind'], step: Step): string {
  const head = HEADS[kind]
  // For newer messages the cursor is the lower bound: with the floor as the bound the index would be scanned from the
  // first message.
  const isForward = step === 'after' || step === 'from'
  return (isForward ? head.replace('AND created_at > ?', 'AND +created_at > ?') : head) + STEPS[step]
}

/**
 * One step through a timeline, oldest first.
 *
 * @param floor nothing at or before this time is visible (truncation, hidden history)
 */
export function readPage(
  db: Db,
  scope: Scope,
  view: { readonly viewer: string; readonly floor: number },
  step: Step,
  place: TimelinePosition | undefined,
  limit: number,
): MessageRow[] {
  if (limit <= 0) return []
  const where: Cell[] = step === 'newest' || !place ? [] : [place.at, place.id]
  const { viewer } = view
  const sql = pageSql(scope.kind, step)
  const rows = db.all<MessageRow>(sql, scope.key, view.floor, `,${viewer},`, viewer, ...where, limit)
  return step === 'after' || step === 'from' ? rows : rows.toReversed()
}

/** The ids of the newest page of each channel of a list of `[cid, floor]`, as JSON, oldest first. */
export const NEWEST_PAGES = `SELECT (SELECT json_group_array(page.id ORDER BY page.created_at, page.id) FROM (
    SELECT id, created_at FROM messages WHERE cid = place.value ->> 0 AND in_channel = 1 AND created_at > place.value ->> 1
    AND ${READABLE} ORDER BY created_at DESC, id DESC LIMIT ?) AS page) AS ids FROM json_each(?) AS place`

/** The ids of the newest messages of several channels that a user sees, oldest first. */
export function newestPages(
  db: Db,
  places: readonly { readonly cid: string; readonly floor: number }[],
  viewer: string,
  limit: number,
): string[][] {
  const list = JSON.stringify(places.map(({ cid, floor }) => [cid, floor]))
  const rows = db.all<{ ids: string }>(NEWEST_PAGES, `,${viewer},`, viewer, limit, list)
  return rows.map(({ ids }) => JSON.parse(ids) as string[])
}

export const EXCEPTIONS = `
  SELECT message_id, user_id FROM reactions WHERE message_id IN (SELECT value FROM json_each(?)) UNION ALL
  SELECT message_id, user_id FROM hidden_messages WHERE message_id IN (SELECT value FROM json_each(?)) UNION ALL
  SELECT message_id, user_id FROM reminders WHERE message_id IN (SELECT value FROM json_each(?))`

/** The users for whom these messages differ from what others see, because of rows of theirs. */
export function exceptionsOf(db: Db, messageIds: readonly string[]): Map<string, Set<string>> {
  const ids = JSON.stringify(messageIds)
  const rows = db.all<{ message_id: string; user_id: string }>(EXCEPTIONS, ids, ids, ids)
  const byMessage = Map.groupBy(rows, (row) => row.message_id)
  return new Map([...byMessage].map(([id, list]) => [id, new Set(list.map((row) => row.user_id))]))
}

export const PENDING =
  'SELECT * FROM messages INDEXED BY messages_pending WHERE cid = ? AND user_id = ? AND pending = 1 ORDER BY created_at, id LIMIT 100'

/** The user's messages here that are not approved yet, oldest first. */
export function pendingMessages(db: Db, cid: string, userId: string): MessageRow[] {
  return db.all<MessageRow>(PENDING, cid, userId)
}

export const PINNED = `SELECT * FROM messages WHERE cid = ? AND pinned_at IS NOT NULL AND created_at > ?
  AND (audience IS NULL OR instr(audience, ?) > 0) AND ${NOT_BLOCKED}
  AND deleted_at IS NULL AND (pin_expires IS NULL OR pin_expires > ?)
  ORDER BY pinned_at DESC, id DESC LIMIT ?`

/** Newest pins first. */
export function pinnedMessages(
  db: Db,
  cid: string,
  view: { readonly viewer: string; readonly floor: number },
  now: number,
  limit: number,
): MessageRow[] {
  return db.all<MessageRow>(PINNED, cid, view.floor, `,${view.viewer},`, view.viewer, now, limit)
}

/** Hides a message that a user deleted only for themselves. */
export function hideMessage(db: Db, messageId: string, userId: string): void {
  db.run('INSERT OR IGNORE INTO hidden_messages (message_id, user_id) VALUES (?, ?)', messageId, userId)
}

export function hiddenFrom(db: Db, userId: string, messageIds: readonly string[]): Set<string> {
  const rows = db.all<{ message_id: string }>(
    'SELECT message_id FROM hidden_messages WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))',
    userId,
    JSON.stringify(messageIds),
  )
  return new Set(rows.map((row) => row.message_id))
}

/** The content of a message before one of its edits. */
type HistoryRow = {
  readonly seq: number
  readonly message_id: string
  /** The user who edited it, and the time. */
  readonly user_id: string
  readonly at: number
  readonly text: string
  readonly attachments: string
  readonly custom: string
  /** The author of the stored content, and its time. */
  readonly written_by: string
  readonly written_at: number
}

/** With the deletion time of the message. */
export type HistoryEntry = HistoryRow & { readonly deleted_at: number | null }

/** The previous content was written by the last editor, or by the author if there was no edit. */
const INSERT = `INSERT INTO message_history (message_id, user_id, at, text, attachments, custom, written_by, written_at)
  SELECT m.id, ?, ?, ?, ?, ?, coalesce(last.user_id, m.user_id), coalesce(last.at, m.created_at)
  FROM messages m LEFT JOIN message_history last ON last.seq = (
    SELECT max(seq) FROM message_history WHERE message_id = m.id)
  WHERE m.id = ?`

export function addHistory(db: Db, row: Omit<HistoryRow, 'seq' | 'written_by' | 'written_at'>): void {
  db.run(INSERT, row.user_id, row.at, row.text, row.attachments, row.custom, row.message_id)
}

/** MESSAGE PAGINATION. See docs/wire.md 6.4. */
export const messagePage = v.object({
  limit: whole(300),
  id_lt: idText(),
  id_lte: idText(),
  id_gt: idText(),
  id_gte: idText(),
  id_around: idText(),
  created_at_before: time,
  created_at_before_or_equal: time,
  created_at_after: time,
  created_at_after_or_equal: time,
  created_at_around: time,
})
export type MessagePage = v.InferOutput<typeof messagePage>

type Cursor = Exclude<keyof MessagePage, 'limit'>

const ASKED_STEPS: Readonly<Record<Cursor, Step | 'around'>> = {
  id_lt: 'before',
  id_lte: 'upTo',
  id_gt: 'after',
  id_gte: 'from',
  id_around: 'around',
  created_at_before: 'before',
  created_at_before_or_equal: 'upTo',
  created_at_after: 'after',
  created_at_after_or_equal: 'from',
  created_at_around: 'around',
}

/** Whether a page has no cursor. */
export const isNewest = (page: MessagePage): boolean =>
  (Object.keys(ASKED_STEPS) as Cursor[]).every((name) => page[name] === undefined)

type View = { readonly viewer: string; readonly floor: number }

/** A page of a timeline, oldest first with every cursor. At most one cursor may be given. */
export function findPage(db: Db, scope: Scope, view: View, page: MessagePage, limit: number): MessageRow[] {
  const given = (Object.keys(ASKED_STEPS) as Cursor[]).filter((name) => page[name] !== undefined)
  const cursor = given[0]
  if (given.length > 1) return refuse('input', `only one of ${given.join(' and ')} may be given`)
  if (cursor === undefined) return readPage(db, scope, view, 'newest', undefined, limit)
  const step = ASKED_STEPS[cursor]
  const place = placeOf(db, scope, cursor, page[cursor], step)
  return step === 'around' ? around(db, scope, view, place, limit) : readPage(db, scope, view, step, place, limit)
}

/** Texts that sort before and after every id. */
const FIRST_ID = ''
const LAST_ID = '\u{10FFFF}'

function placeOf(
  db: Db,
  scope: Scope,
  cursor: Cursor,
  value: string | number | undefined,
  step: Step | 'around',
): TimelinePosition {
  if (typeof value === 'number') {
    return { at: value, id: step === 'upTo' || step === 'after' ? LAST_ID : FIRST_ID }
  }
  const message = messageById(db, value ?? '')
  const inside = message && (scope.kind === 'channel' ? message.cid : message.parent_id) === scope.key
  if (!inside) return refuse('input', `${cursor}: there is no such message here`, { [cursor]: 'no such message' })
  return { at: message.created_at, id: message.id }
}

/** Half older, half newer messages around the target; one side fills up what the other lacks. */
function around(db: Db, scope: Scope, view: View, place: TimelinePosition, limit: number): MessageRow[] {
  const older = readPage(db, scope, view, 'before', place, limit)
  const newer = readPage(db, scope, view, 'from', place, limit)
  const half = Math.floor(limit / 2)
  const newerTaken = Math.min(newer.length, Math.max(limit - half, limit - older.length))
  const olderTaken = Math.min(older.length, limit - newerTaken)
  return [...older.slice(older.length - olderTaken), ...newer.slice(0, newerTaken)]
}
