import type { Placed } from '#shared/domain/message.ts'
import type { RangeScope } from '../rows.ts'
import type { Reader } from '../store.ts'
import { type MessageId, asMessageId, type Cid, type UserId } from '#shared/lib/brand.ts'

/**
 * Keys of cached messages of a timeline or a thread, ascending, by keyset pagination. Pages may cross gaps: the ranges
 * mark them (`shared/rules/messages/message-ranges.ts`, `gapsBefore`), or pass `floor` / `ceiling` to stay inside one
 * range.
 */
type Key = { id: string; created_at: number }

export const TIMELINE_NEWEST = `SELECT id, created_at FROM messages WHERE cid = ? AND in_channel = 1
  ORDER BY created_at DESC, id DESC LIMIT ?`
export const TIMELINE_BEFORE = `SELECT id, created_at FROM messages WHERE cid = ? AND in_channel = 1
  AND (created_at, id) < (?, ?) AND (created_at, id) >= (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?`
export const TIMELINE_AFTER = `SELECT id, created_at FROM messages WHERE cid = ? AND in_channel = 1
  AND (created_at, id) > (?, ?) AND (created_at, id) <= (?, ?) ORDER BY created_at, id LIMIT ?`
export const THREAD_NEWEST = `SELECT id, created_at FROM messages WHERE parent_id = ?
  ORDER BY created_at DESC, id DESC LIMIT ?`
export const THREAD_BEFORE = `SELECT id, created_at FROM messages WHERE parent_id = ?
  AND (created_at, id) < (?, ?) AND (created_at, id) >= (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?`
export const THREAD_AFTER = `SELECT id, created_at FROM messages WHERE parent_id = ?
  AND (created_at, id) > (?, ?) AND (created_at, id) <= (?, ?) ORDER BY created_at, id LIMIT ?`

const BESIDE_AFTER = `SELECT id, created_at FROM messages WHERE cid = ? AND in_channel = 0
  AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`

export const TIMELINE_BETWEEN = `SELECT id, created_at FROM messages WHERE cid = ? AND in_channel = 1
  AND (created_at, id) >= (?, ?) AND (created_at, id) <= (?, ?) ORDER BY created_at, id`
export const TIMELINE_COUNT = `SELECT COUNT(*) AS n FROM messages WHERE cid = ? AND in_channel = 1
  AND (created_at, id) >= (?, ?) AND (created_at, id) < (?, ?)`
export const THREAD_BETWEEN = `SELECT id, created_at FROM messages WHERE parent_id = ?
  AND (created_at, id) >= (?, ?) AND (created_at, id) <= (?, ?) ORDER BY created_at, id`

export const BEGINNING: Placed = { createdAt: Number.MIN_SAFE_INTEGER, id: '' }
/** Ids are compared as UTF-8: no real id sorts after this. */
export const END: Placed = { createdAt: Number.MAX_SAFE_INTEGER, id: '\u{10FFFF}' }

/** The part of a scope that the tables know: a cid or a parent id. */
const scopeKey = (scope: RangeScope): string => scope.slice(scope.indexOf(':') + 1)
const isThread = (scope: RangeScope): boolean => scope.startsWith('thread:')

export function newest(reader: Reader, scope: RangeScope, limit: number): readonly Placed[] {
  const statement = isThread(scope) ? THREAD_NEWEST : TIMELINE_NEWEST
  return reader.db.all<Key>(statement, scopeKey(scope), limit).toReversed().map(toPlaced)
}

/** The `limit` messages right before `at`, none older than `floor`. */
export function before(
  reader: Reader,
  scope: RangeScope,
  at: Placed,
  limit: number,
  floor: Placed = BEGINNING,
): readonly Placed[] {
  const statement = isThread(scope) ? THREAD_BEFORE : TIMELINE_BEFORE
  const binds = [scopeKey(scope), at.createdAt, at.id, floor.createdAt, floor.id, limit]
  return reader.db
    .all<Key>(statement, ...binds)
    .toReversed()
    .map(toPlaced)
}

/** The `limit` messages right after `at`, none newer than `ceiling`. */
export function after(
  reader: Reader,
  scope: RangeScope,
  at: Placed,
  limit: number,
  ceiling: Placed = END,
): readonly Placed[] {
  const statement = isThread(scope) ? THREAD_AFTER : TIMELINE_AFTER
  const binds = [scopeKey(scope), at.createdAt, at.id, ceiling.createdAt, ceiling.id, limit]
  return reader.db.all<Key>(statement, ...binds).map(toPlaced)
}

/** Replies not shown in the channel, right after `at`. */
export const besideAfter = (reader: Reader, cid: string, at: Placed, limit: number): readonly Placed[] =>
  reader.db.all<Key>(BESIDE_AFTER, cid, at.createdAt, at.id, limit).map(toPlaced)

/** About `limit` messages with `at` in the middle; `at` itself only if it is cached. */
export function around(reader: Reader, scope: RangeScope, at: Placed, limit: number): readonly Placed[] {
  const half = Math.max(1, Math.floor(limit / 2))
  const older = before(reader, scope, at, half)
  return [...older, ...between(reader, scope, at, at), ...after(reader, scope, at, half)]
}

/** All cached keys between two keys, both inclusive. */
export function between(reader: Reader, scope: RangeScope, first: Placed, last: Placed): readonly Placed[] {
  const statement = isThread(scope) ? THREAD_BETWEEN : TIMELINE_BETWEEN
  const binds = [scopeKey(scope), first.createdAt, first.id, last.createdAt, last.id]
  return reader.db.all<Key>(statement, ...binds).map(toPlaced)
}

/** How many messages a channel has cached in a period; `until` (epoch milliseconds) is not part of it. */
export const countWithin = (reader: Reader, cid: string, from: number, until: number): number =>
  reader.db.get<{ n: number }>(TIMELINE_COUNT, cid, from, '', until, '')?.n ?? 0

const toPlaced = (key: Key): Placed => ({ createdAt: key.created_at, id: key.id })

/** Time of the newest reaction; the stored reactions are sorted newest first. */
const NEWEST = `json_extract(social, '$.latestReactions[0].createdAt')`
export const REACTED = `SELECT id, ${NEWEST} AS at FROM messages INDEXED BY messages_reacted
  WHERE user_id = ? AND ${NEWEST} < ? AND ${NEWEST} IS NOT NULL AND type <> 'deleted' ORDER BY ${NEWEST} DESC LIMIT ?`

/**
 * The viewer's own messages with reactions, by the newest one.
 *
 * @param before epoch milliseconds: only those whose newest reaction is older
 */
export const newestReacted = (
  reader: Reader,
  before: number,
  limit: number,
): readonly { readonly id: MessageId; readonly at: number }[] =>
  reader.db
    .all<{ id: string; at: number }>(REACTED, reader.viewerId, before, limit)
    .map(({ id, at }) => ({ id: asMessageId(id), at }))

/** Cached messages of others that mention the viewer, in the order of their list. */
const NAMES = `mentions_viewer = 1 AND user_id <> ? AND shadowed = 0 AND deleted_at IS NULL
  AND type NOT IN ('deleted', 'ephemeral', 'error') AND created_at >= ?`
const CHANNEL = 'SELECT id, created_at FROM messages WHERE cid = ? AND in_channel = 1'
const THREAD = 'SELECT id, created_at FROM messages WHERE parent_id = ?'
const NEWER = `AND (created_at, id) > (?, ?) AND ${NAMES} ORDER BY created_at, id LIMIT 1`
const OLDER = `AND (created_at, id) < (?, ?) AND ${NAMES} ORDER BY created_at DESC, id DESC LIMIT 1`

export type Direction = 'older' | 'newer'

/** The nearest cached one, before or after `at`; none from before `floor`. */
export function nearestCachedMention(
  reader: Reader,
  scope: RangeScope,
  at: Placed,
  direction: Direction,
  floor = Number.MIN_SAFE_INTEGER,
): Placed | undefined {
  const statement = `${scope.startsWith('thread:') ? THREAD : CHANNEL} ${direction === 'newer' ? NEWER : OLDER}`
  const binds = [scopeKey(scope), at.createdAt, at.id, reader.viewerId, floor]
  const found = reader.db.get<{ id: string; created_at: number }>(statement, ...binds)
  return found && { createdAt: found.created_at, id: found.id }
}

/** What rules look at in a stored message. */
export type WalkedMessage = Placed & {
  readonly cid: Cid
  readonly userId: UserId
  readonly type: string
  readonly text: string
  readonly attachments: number
}

type Stored = {
  readonly id: string
  readonly cid: Cid
  readonly user_id: UserId
  readonly type: string
  readonly text: string
  readonly created_at: number
  readonly attachments: number
}

const COLUMNS = `id, cid, user_id, type, text, created_at,
  coalesce(json_array_length(json, '$.attachments'), 0) AS attachments`
const WALK_TIMELINE = `SELECT ${COLUMNS} FROM messages WHERE cid = ? AND in_channel = 1
  AND (created_at, id) < (?, ?) AND created_at >= ? ORDER BY created_at DESC, id DESC LIMIT ?`
const WALK_BESIDE = `SELECT ${COLUMNS} FROM messages WHERE cid = ? AND in_channel = 0
  AND (created_at, id) < (?, ?) AND created_at >= ? ORDER BY created_at DESC, id DESC LIMIT ?`

/** Messages of a channel before a place, newest first: those of its timeline, or its other replies. */
export function walk(
  reader: Reader,
  {
    cid,
    beside,
    before,
    since,
  }: { readonly cid: Cid; readonly beside: boolean; readonly before: Placed; readonly since: number },
  limit: number,
): readonly WalkedMessage[] {
  const sql = beside ? WALK_BESIDE : WALK_TIMELINE
  return reader.db
    .all<Stored>(sql, cid, before.createdAt, before.id, since, limit)
    .map(({ user_id, created_at, ...row }) => ({ ...row, userId: user_id, createdAt: created_at }))
}
