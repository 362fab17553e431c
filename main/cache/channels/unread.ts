import { type Cid, type MessageId, asMessageId } from '#shared/lib/brand.ts'
import {
  countsAsUnread,
  holdsAllSince,
  unreadTotal,
  judge,
  tally,
  type Judged,
  type ReasonContext,
  type UnreadContext,
} from '#shared/rules/channels/unread.ts'
import { isWholeSince } from '#shared/rules/messages/message-ranges.ts'
import type { ChannelRow, MessageRow, ReadRow } from '../rows.ts'
import { type Reader, type Tx, optional } from '../store.ts'
import * as channels from './channels.ts'
import * as mutes from '../people/mutes.ts'
import * as ranges from '../messages/ranges.ts'
import * as reads from './reads.ts'
import type { MessageType } from '#shared/domain/message.ts'
import { isNamed } from '#shared/rules/messages/mentions.ts'

/**
 * Counts unread messages, by query where the count is not remembered. The rule is
 * `shared/rules/channels/unread.ts`; the SQL here must be equivalent.
 */
export type Unread = {
  readonly unread: number
  /** Cached ones that mention the viewer. */
  readonly mentions: number
  /** Oldest cached unread message. */
  readonly firstId?: MessageId
  /** No message between the mark and that message is missing: it is the first unread one. */
  readonly isFirst: boolean
  /** Everything since the mark is cached: `unread` is exact without the server's count. */
  readonly complete: boolean
}

const COUNTS = `type NOT IN ('deleted', 'ephemeral', 'error') AND deleted_at IS NULL AND silent = 0 AND shadowed = 0
  AND user_id <> ? AND created_at >= ? AND NOT EXISTS (SELECT 1 FROM mutes
    WHERE kind = 'user' AND target = user_id AND (expires_at IS NULL OR expires_at > ?))`
export const COUNT = `SELECT count(*) AS n, coalesce(sum(mentions_viewer), 0) AS mentions,
  max(created_at) AS upTo FROM messages INDEXED BY messages_timeline WHERE cid = ? AND in_channel = 1 AND created_at > ? AND ${COUNTS}`
export const FIRST = `SELECT id, created_at FROM messages INDEXED BY messages_timeline WHERE cid = ? AND in_channel = 1 AND created_at > ? AND ${COUNTS}
  ORDER BY created_at, id LIMIT 1`
export const THREAD_FIRST = `SELECT id, created_at FROM messages WHERE parent_id = ? AND created_at > ? AND ${COUNTS}
  ORDER BY created_at, id LIMIT 1`
export const THREAD_COUNT = `SELECT count(*) AS n FROM messages WHERE parent_id = ? AND created_at > ? AND ${COUNTS}`
const GONE = `SELECT count(*) AS n FROM messages WHERE cid = ? AND in_channel = 1 AND created_at > ? AND created_at <= ?
  AND deleted_at > ? AND silent = 0 AND shadowed = 0 AND user_id <> ?`
const REMOVED = `SELECT count(*) AS n FROM tombstones
  WHERE cid = ? AND created_at > ? AND created_at <= ? AND removed_at > ? AND counted = 1`

/**
 * Unread messages of a channel. `lastReadAt` overrides the server's mark while an own mark is in the outbox; `now`
 * determines which mutes are still active.
 */
export function ofChannel(reader: Reader, cid: Cid, now: number, lastReadAt?: number): Unread {
  const channel = channels.byCid(reader, cid)
  const fact = reads.own(reader, cid)
  const server = fact && stillCounts(fact, channel)
  const mark = lastReadAt ?? server?.lastReadAt
  // If the server stores no marks, only a manual one on this device counts.
  const storesNone = channel?.capabilities?.includes('read-events') === false && lastReadAt === undefined
  if (!channel || mark === undefined || storesNone) return NONE
  const binds: Binds = [reader.viewerId, channel.hideBefore ?? Number.MIN_SAFE_INTEGER, now]
  const muted = mutes.mutedTargets(reader, 'user', now)
  const context = `${channel.hideBefore ?? ''} ${muted.join(' ')}`
  const judged = { viewerId: reader.viewerId, hideBefore: channel.hideBefore, mutedUserIds: new Set<string>(muted) }
  const countAfter = (time: number) => heldAfter(reader, cid, { ...judged, lastReadAt: time }, context, binds)
  const held = countAfter(mark)
  const known = ranges.of(reader, `timeline:${cid}`)
  const complete = holdsAllSince(mark, known.at(-1), server?.countedAt)
  const unread = unreadTotal({
    lastReadAt: mark,
    held: held.n,
    complete,
    server,
    heldAfterCount: !complete && server ? countAfter(Math.max(mark, server.countedAt)).n : 0,
    deletedAfterCount: !complete && server ? removedSince(reader, cid, mark, server.countedAt) : 0,
  })
  const first = unread === 0 ? undefined : firstAfter(reader, cid, mark, context, binds)
  const isFirst = first !== undefined && isWholeSince(known, mark, { createdAt: first.created_at, id: first.id })
  return { unread, mentions: held.mentions, firstId: first && asMessageId(first.id), isFirst, complete }
}

type First = { readonly id: string; readonly created_at: number }

type Binds = readonly [viewerId: string, floor: number, now: number]

/** The oldest of the messages that {@link heldAfter} has counted. */
function firstAfter(reader: Reader, cid: Cid, time: number, context: string, binds: Binds): First | undefined {
  const counted = rememberedCount(reader, cid, time)
  const known = counted?.context === context ? counted : undefined
  if (known?.first !== undefined) return known.first
  const first = reader.db.get<First>(FIRST, cid, time, ...binds)
  if (known !== undefined) remember(reader, cid, time, { ...known, first })
  return first
}

type Held = { readonly n: number; readonly mentions: number; readonly upTo: number | null }

/** Cached messages that count after the mark of `judged`. */
function heldAfter(
  reader: Reader,
  cid: Cid,
  judged: UnreadContext,
  context: string,
  binds: Binds,
): Pick<RememberedCount, 'n' | 'mentions'> {
  const mark = judged.lastReadAt
  const known = rememberedCount(reader, cid, mark)
  if (known?.context === context) return known
  const { n, mentions, upTo } = reader.db.get<Held>(COUNT, cid, mark, ...binds) ?? { n: 0, mentions: 0, upTo: null }
  const counts = (row: MessageRow): boolean => countsAsUnread(row, judged)
  const held = { context, counts, upTo: upTo ?? mark, n, mentions, first: undefined }
  remember(reader, cid, mark, held)
  return held
}

/** Limit of a recount; a badge with more is correct after the next start. */
const DOUBTED = 50

/** Listed channels whose count is the server's and not only computed from the cache: it may be outdated. */
export const countedByServer = (reader: Reader, now: number): readonly Cid[] =>
  channels
    .listedCids(reader)
    .filter((cid) => (reads.own(reader, cid)?.unread ?? 0) > 0 && !ofChannel(reader, cid, now).complete)
    .slice(0, DOUBTED)

/** Unread replies of a thread the viewer takes part in: the cached replies after the mark, or the server's count. */
export function ofThread(reader: Reader, cid: Cid, parentId: MessageId, now: number, lastReadAt?: number): number {
  const server = reads.own(reader, cid, parentId)
  const mark = lastReadAt ?? server?.lastReadAt
  if (mark === undefined) return 0
  const floor = channels.byCid(reader, cid)?.hideBefore ?? Number.MIN_SAFE_INTEGER
  const countAfter = (time: number) =>
    reader.db.get<{ n: number }>(THREAD_COUNT, parentId, time, reader.viewerId, floor, now)?.n ?? 0
  const held = countAfter(mark)
  const complete = holdsAllSince(mark, ranges.of(reader, `thread:${parentId}`).at(-1), server?.countedAt)
  const heldAfterCount = server ? countAfter(Math.max(mark, server.countedAt)) : 0
  return unreadTotal({
    lastReadAt: mark,
    held,
    complete,
    server,
    heldAfterCount,
    deletedAfterCount: 0,
  })
}

/** Oldest cached unread reply, and whether it is the first of all: no reply between the mark and it is missing. */
export function firstOfThread(
  reader: Reader,
  cid: Cid,
  parentId: MessageId,
  now: number,
  lastReadAt: number,
): Pick<Unread, 'firstId' | 'isFirst'> {
  const floor = channels.byCid(reader, cid)?.hideBefore ?? Number.MIN_SAFE_INTEGER
  const first = reader.db.get<First>(THREAD_FIRST, parentId, lastReadAt, reader.viewerId, floor, now)
  if (first === undefined) return { isFirst: false }
  const key = { createdAt: first.created_at, id: first.id }
  return {
    firstId: asMessageId(first.id),
    isFirst: isWholeSince(ranges.of(reader, `thread:${parentId}`), lastReadAt, key),
  }
}

/** The server's count from before the history was cleared is outdated. */
function stillCounts(fact: ReadRow, channel: ChannelRow | undefined): ReadRow {
  const beginning = Math.max(
    channel?.hideBefore ?? Number.MIN_SAFE_INTEGER,
    channel?.truncatedAt ?? Number.MIN_SAFE_INTEGER,
  )
  return fact.countedAt < beginning ? { ...fact, unread: 0 } : fact
}

const NONE: Unread = { unread: 0, mentions: 0, isFirst: false, complete: true }

function removedSince(reader: Reader, cid: Cid, mark: number, countedAt: number): number {
  const soft = reader.db.get<{ n: number }>(GONE, cid, mark, countedAt, countedAt, reader.viewerId)?.n ?? 0
  return soft + (reader.db.get<{ n: number }>(REMOVED, cid, mark, countedAt, countedAt)?.n ?? 0)
}

/** The messages behind an unread count, classified one by one. The count itself is a query in `unread.ts`. */
const COLUMNS = `user_id, type, parent_id, in_channel, silent, shadowed, mentions_viewer, created_at, deleted_at`
const AFTER_MARK = `SELECT ${COLUMNS} FROM messages WHERE cid = ? AND in_channel = 1 AND created_at > ?
  ORDER BY created_at, id LIMIT ?`
const REPLIES_AFTER_MARK = `SELECT ${COLUMNS} FROM messages WHERE parent_id = ? AND created_at > ?
  ORDER BY created_at, id LIMIT ?`
const FOLLOWED = `SELECT thread_id AS id FROM reads WHERE cid = ? AND thread_id > '' AND user_id = ?`

/** Enough for any explanation shown to the user. */
const LIMIT = 20_000

type Stored = {
  user_id: string
  type: MessageType
  parent_id: string | null
  in_channel: number
  silent: number
  shadowed: number
  mentions_viewer: number
  created_at: number
  deleted_at: number | null
}

export function judgedAfter(
  reader: Reader,
  place: { readonly cid: Cid; readonly parentId?: MessageId },
  context: ReasonContext,
): ReturnType<typeof tally> {
  const { cid, parentId } = place
  const rows =
    parentId === undefined
      ? reader.db.all<Stored>(AFTER_MARK, cid, context.lastReadAt, LIMIT)
      : reader.db.all<Stored>(REPLIES_AFTER_MARK, parentId, context.lastReadAt, LIMIT)
  const judged = rows.map((row) => judge(countable(row), context))
  return tally(judged.filter((one): one is Judged => one !== undefined))
}

/** Threads of a channel in which the viewer has a read mark. */
export const followedThreads = (reader: Reader, cid: Cid): readonly MessageId[] =>
  reader.db.all<{ id: string }>(FOLLOWED, cid, reader.viewerId).map(({ id }) => asMessageId(id))

const countable = (row: Stored) => ({
  userId: row.user_id,
  type: row.type,
  parentId: optional(row.parent_id),
  // A reply also shown in the channel is in its timeline; so is a shadowed message of the viewer.
  showInChannel: row.in_channel === 1,
  silent: row.silent === 1,
  shadowed: row.shadowed === 1,
  mentionsViewer: row.mentions_viewer === 1,
  createdAt: row.created_at,
  deletedAt: optional(row.deleted_at),
})

/**
 * Remembered counts of unread messages with the time up to which they were counted. A message that arrives behind it is
 * counted as it is written; any other change that may affect the count discards it, and the next one is a query.
 */
type RememberedCount = {
  /** The other inputs of the count: the start of the visible history, and the muted people. */
  readonly context: string
  /** Whether a message counts, with these inputs. */
  readonly counts: (row: MessageRow) => boolean
  /** Time of the newest counted message. */
  readonly upTo: number
  readonly n: number
  readonly mentions: number
  /** The oldest of them; absent until someone asked for it. */
  readonly first: { readonly id: string; readonly created_at: number } | undefined
}

/** By the mark from which they were counted. A transaction that fails clears the memo with them. */
type Remembered = Map<number, RememberedCount>

const countKey = (cid: string): string => `unread ${cid}`
const rememberedOf = (reader: Reader, cid: string): Remembered | undefined =>
  reader.db.memo.peek(countKey(cid)) as Remembered | undefined

/** The viewer's own mark and the time of the server's count. */
const MARKS = 2

const rememberedCount = (reader: Reader, cid: Cid, mark: number): RememberedCount | undefined =>
  rememberedOf(reader, cid)?.get(mark)

function remember(reader: Reader, cid: Cid, mark: number, count: RememberedCount): void {
  if (count.n === 0) return
  const others = [...(rememberedOf(reader, cid) ?? [])].filter(([each]) => each !== mark).slice(1 - MARKS)
  reader.db.memo.put(countKey(cid), new Map([...others, [mark, count]]))
}

/** A message was written; `before` is its previous version. */
export function noteWritten(tx: Tx, before: MessageRow | undefined, now: MessageRow): void {
  if (!before) arrived(tx, now)
  else if (!countsAlike(tx, before, now)) forgetCount(tx, now.cid)
}

/** Counts a new message, if it is newer than all that were counted. */
function arrived(tx: Tx, row: MessageRow): void {
  const held = rememberedOf(tx, row.cid)
  if (!held) return
  for (const { upTo } of held.values()) if (row.createdAt <= upTo) return forgetCount(tx, row.cid)
  const mentions = Number(isNamed(row, tx.viewerId))
  for (const [mark, count] of held) {
    if (!count.counts(row)) continue
    held.set(mark, { ...count, upTo: row.createdAt, n: count.n + 1, mentions: count.mentions + mentions })
  }
}

export const forgetCount = (tx: Tx, cid: Cid): void => tx.db.memo.forget(countKey(cid))

const countsAlike = (tx: Tx, a: MessageRow, b: MessageRow): boolean =>
  a.cid === b.cid &&
  a.createdAt === b.createdAt &&
  a.type === b.type &&
  a.deletedAt === b.deletedAt &&
  a.silent === b.silent &&
  a.shadowed === b.shadowed &&
  a.userId === b.userId &&
  a.parentId === b.parentId &&
  a.showInChannel === b.showInChannel &&
  isNamed(a, tx.viewerId) === isNamed(b, tx.viewerId)
