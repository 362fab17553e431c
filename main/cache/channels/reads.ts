import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import type { ReadRow } from '../rows.ts'
import { type CacheSql, optional, type Reader, type Tx } from '../store.ts'
import { checked, upsertInto, summed } from '../files/sums.ts'

/** Read marks by channel and by thread. Other people's marks only move forward. */
type Stored = {
  cid: string
  thread_id: string
  user_id: string
  last_read_at: number
  last_read_message_id: string | null
  unread: number
  counted_at: number
  first_unread_id: string | null
  as_of: number
  delivered_at: number | null
  sum: number
}

/** A microsecond, the resolution of the server's times. */
const SMALLEST_STEP_MS = 0.001

const ONE = 'SELECT * FROM reads WHERE cid = ? AND thread_id = ? AND user_id = ?'
const OTHERS = `SELECT * FROM reads WHERE cid = ? AND thread_id = '' AND user_id <> ?`
const PUT = upsertInto('reads', 'cid, thread_id, user_id')
const OWN_CHANNELS = `SELECT r.* FROM channels c CROSS JOIN reads r
  ON r.cid = c.cid AND r.thread_id = '' AND r.user_id = ?`

/** The viewer's own mark in a channel, or in one of its threads. */
export function own(reader: Reader, cid: Cid, threadId?: MessageId): ReadRow | undefined {
  return one(reader, cid, reader.viewerId, threadId)
}

export function one(reader: Reader, cid: Cid, userId: UserId, threadId?: MessageId): ReadRow | undefined {
  const row = `read ${cid} ${threadId ?? ''} ${userId}`
  return reader.db.memo.of(row, () => {
    const { waiting } = reader.db
    const read = (): Stored | undefined => reader.db.get<Stored>(ONE, cid, threadId ?? '', userId)
    const stored = waiting.of(row) ? read() : waiting.besides(read)
    return stored && toRow(reader.db, stored)
  })
}

/** The marks of everyone in a channel except the viewer: asked after each message, which moves the mark of its author. */
export function others({ db, viewerId }: Reader, cid: Cid): readonly ReadRow[] {
  return db.memo.of(othersOf(cid), () =>
    db
      .all<Stored>(OTHERS, cid, viewerId)
      .map((stored) => toRow(db, stored))
      .toSorted(byUser),
  )
}

const byUser = (a: ReadRow, b: ReadRow): number => (a.userId < b.userId ? -1 : 1)

const othersOf = (cid: Cid): string => `reads ${cid}`

/**
 * Writes a mark from the server. The viewer's own mark follows the newest copy (it may go back after a mark-unread);
 * for others the furthest mark wins.
 */
export function put(tx: Tx, row: ReadRow): void {
  const stored = one(tx, row.cid, row.userId, row.threadId)
  const merged = stored ? mergeRead(stored, row, tx.viewerId) : row
  if (stored && isSame(stored, merged)) return
  write(tx, merged)
  if (!stored || !isSame({ ...stored, asOf: merged.asOf }, merged)) touchRead(tx, merged)
}

export function putMany(tx: Tx, rows: readonly ReadRow[]): void {
  for (const row of rows) put(tx, row)
}

/**
 * A person wrote or read at server time `at`: their mark moves forward, never back. The viewer's own mark is unchanged
 * if the server sent a newer one (an older event does not undo a mark-unread).
 */
export function advance(
  tx: Tx,
  mark: { cid: Cid; userId: UserId; threadId?: MessageId; at: number; messageId?: MessageId },
): void {
  const { cid, userId, threadId, at, messageId } = mark
  const stored = one(tx, cid, userId, threadId)
  if (stored && (stored.lastReadAt >= at || (userId === tx.viewerId && stored.asOf > at))) return
  const base = { cid, userId, threadId, lastReadAt: at, lastReadMessageId: messageId, firstUnreadId: undefined }
  const { deliveredAt } = stored ?? {}
  write(tx, { ...base, deliveredAt, unread: 0, countedAt: at, asOf: Math.max(at, stored?.asOf ?? 0) })
  touchRead(tx, mark)
}

/** Messages up to server time `at` were delivered to a person's device. The mark moves forward, never back. */
export function delivered(tx: Tx, mark: { cid: Cid; userId: UserId; at: number }): void {
  const { cid, userId, at } = mark
  const stored = one(tx, cid, userId)
  if (userId === tx.viewerId || (stored?.deliveredAt ?? 0) >= at) return
  const blank = { cid, userId, lastReadAt: 0, unread: 0, countedAt: 0, asOf: 0 }
  write(tx, { ...(stored ?? blank), deliveredAt: at })
  touchRead(tx, mark)
}

/**
 * The viewer follows a thread: without a mark of theirs, replies from `from` on are unread. Its `asOf` is 0, so that
 * any mark of the server replaces it.
 */
export function follow(tx: Tx, thread: { cid: Cid; threadId: MessageId; from: number }): void {
  const { cid, threadId, from } = thread
  if (own(tx, cid, threadId)) return
  const before = from - SMALLEST_STEP_MS
  const mark = { cid, userId: tx.viewerId, threadId, lastReadAt: before, lastReadMessageId: undefined }
  write(tx, { ...mark, unread: 0, countedAt: before, firstUnreadId: undefined, asOf: 0 })
  touchRead(tx, mark)
}

/** The server reports that nothing is unread anywhere. */
export function allRead(tx: Tx, at: number): void {
  for (const stored of tx.db.all<Stored>(OWN_CHANNELS, tx.viewerId)) {
    if (stored.as_of > at) continue
    const row = toRow(tx.db, stored)
    write(tx, {
      ...row,
      lastReadAt: Math.max(row.lastReadAt, at),
      unread: 0,
      countedAt: at,
      asOf: at,
      firstUnreadId: undefined,
    })
    touchRead(tx, row)
  }
}

function mergeRead(stored: ReadRow, incoming: ReadRow, viewerId: UserId): ReadRow {
  if (stored.userId === viewerId) return incoming.asOf >= stored.asOf ? incoming : stored
  const further = incoming.lastReadAt >= stored.lastReadAt ? incoming : stored
  const deliveredAt = Math.max(stored.deliveredAt ?? 0, incoming.deliveredAt ?? 0)
  return {
    ...further,
    asOf: Math.max(stored.asOf, incoming.asOf),
    ...(deliveredAt === 0 ? {} : { deliveredAt }),
  }
}

function write(tx: Tx, row: ReadRow): void {
  const key = `read ${row.cid} ${row.threadId ?? ''} ${row.userId}`
  tx.db.memo.put(key, row)
  noteWritten(tx, row)
  tx.write(key, () => tx.db.run(PUT, ...summed('reads', columnsOf(row))))
}

function noteWritten({ db, viewerId }: Tx, row: ReadRow): void {
  if (row.threadId !== undefined || row.userId === viewerId) return
  const key = othersOf(row.cid)
  const held = db.memo.peek(key) as readonly ReadRow[] | undefined
  if (held === undefined) return
  const at = held.findIndex(({ userId }) => userId === row.userId)
  db.memo.put(key, at < 0 ? [...held, row].toSorted(byUser) : held.with(at, row))
}

const columnsOf = (row: ReadRow) => ({
  cid: row.cid,
  thread_id: row.threadId ?? '',
  user_id: row.userId,
  last_read_at: row.lastReadAt,
  last_read_message_id: row.lastReadMessageId,
  unread: row.unread,
  counted_at: row.countedAt,
  first_unread_id: row.firstUnreadId,
  as_of: row.asOf,
  delivered_at: row.deliveredAt,
})

function touchRead(tx: Tx, row: { cid: Cid; userId: UserId; threadId?: MessageId }): void {
  if (row.userId === tx.viewerId) tx.touch('channels', row.cid)
  else tx.touch('reads', row.cid)
  if (row.threadId !== undefined) tx.touch('messages', row.threadId)
}

function toRow(db: CacheSql, stored: Stored): ReadRow {
  checked(db, 'reads', stored)
  return {
    cid: asCid(stored.cid),
    userId: asUserId(stored.user_id),
    threadId: stored.thread_id === '' ? undefined : asMessageId(stored.thread_id),
    lastReadAt: stored.last_read_at,
    lastReadMessageId: stored.last_read_message_id === null ? undefined : asMessageId(stored.last_read_message_id),
    unread: stored.unread,
    countedAt: stored.counted_at,
    firstUnreadId: stored.first_unread_id === null ? undefined : asMessageId(optional(stored.first_unread_id) ?? ''),
    asOf: stored.as_of,
    deliveredAt: optional(stored.delivered_at),
  }
}
