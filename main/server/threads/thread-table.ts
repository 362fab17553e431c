import type { Db } from '../store/db.ts'
import type { MessageRow } from '../messages/message-table.ts'
import type { Micros } from '../store/time.ts'

type ThreadDetails = {
  readonly parent_id: string
  readonly title: string | null
  readonly custom: string
  readonly updated_at: number
}

export function threadDetails(db: Db, parentId: string): ThreadDetails | undefined {
  return db.get<ThreadDetails>('SELECT * FROM thread_details WHERE parent_id = ?', parentId)
}

export function putThreadDetails(db: Db, row: ThreadDetails): void {
  db.run(
    `INSERT INTO thread_details (parent_id, title, custom, updated_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (parent_id) DO UPDATE SET title = excluded.title, custom = excluded.custom,
       updated_at = excluded.updated_at`,
    row.parent_id,
    row.title,
    row.custom,
    row.updated_at,
  )
}

const REPLY = `SELECT * FROM messages WHERE parent_id = ? AND deleted_at IS NULL AND audience IS NULL`
export const FIRST_REPLY = `${REPLY} ORDER BY created_at, id LIMIT 1`
export const LAST_REPLY = `${REPLY} ORDER BY created_at DESC, id DESC LIMIT 1`

/** The first and the last reply of a thread. */
export function endsOfThread(
  db: Db,
  parentId: string,
): { readonly first: MessageRow; readonly last: MessageRow } | undefined {
  const first = db.get<MessageRow>(FIRST_REPLY, parentId)
  const last = db.get<MessageRow>(LAST_REPLY, parentId)
  return first && last ? { first, last } : undefined
}

export type Participation = ParticipantRow & {
  /** Null: no longer a member of the channel. */
  readonly member: string | null
  readonly last_message_at: number | null
}

export const PARTICIPATIONS = `SELECT p.*, me.user_id AS member,
    (SELECT max(r.created_at) FROM messages r WHERE r.parent_id = p.parent_id AND r.user_id = p.user_id) AS last_message_at
  FROM thread_participants p LEFT JOIN members me ON me.cid = p.cid AND me.user_id = p.user_id
  WHERE p.parent_id = ? ORDER BY p.created_at, p.user_id LIMIT ?`

/** In the order in which they joined. */
export function participationsIn(db: Db, parentId: string, limit: number): Participation[] {
  return db.all<Participation>(PARTICIPATIONS, parentId, limit)
}

/** All participants ever, and those who are still members. */
export function countParticipants(db: Db, parentId: string): { readonly all: number; readonly active: number } {
  return (
    db.get<{ all: number; active: number }>(
      `SELECT count(*) AS "all", count(me.user_id) AS active FROM thread_participants p
       LEFT JOIN members me ON me.cid = p.cid AND me.user_id = p.user_id WHERE p.parent_id = ?`,
      parentId,
    ) ?? { all: 0, active: 0 }
  )
}

type ParticipantRow = {
  readonly parent_id: string
  readonly user_id: string
  readonly cid: string
  readonly created_at: Micros
  readonly last_read: Micros
  readonly last_read_message_id: string | null
  /** When the user left the channel; null: they are in it. */
  readonly left_at: Micros | null
}

/** A user leaves a channel and with it its threads; their rows stay. See docs/wire.md 8.11. */
export function leaveThreads(db: Db, cid: string, userId: string, at: Micros): void {
  db.run('UPDATE thread_participants SET left_at = ? WHERE user_id = ? AND cid = ?', at, userId, cid)
}

/** A user is back in a channel. */
export function returnToThreads(db: Db, cid: string, userId: string): void {
  db.run('UPDATE thread_participants SET left_at = NULL WHERE user_id = ? AND cid = ?', userId, cid)
}

const JOIN = `INSERT INTO thread_participants (parent_id, user_id, cid, created_at, last_read, last_read_message_id)
  VALUES (?, ?, ?, ?, ?, ?)`
const HAS_READ = ` ON CONFLICT (parent_id, user_id)
  DO UPDATE SET last_read = excluded.last_read, last_read_message_id = excluded.last_read_message_id`

/**
 * A reply was sent: its author takes part and has read up to it; the parent's author and earlier authors take part
 * from now on, with this reply unread. See docs/wire.md 8.11.
 */
export function noteReply(db: Db, reply: MessageRow, parentId: string, others: Iterable<string>): void {
  const { cid, created_at: at } = reply
  db.run(JOIN + HAS_READ, parentId, reply.user_id, cid, at, at, reply.id)
  for (const userId of others) {
    if (userId === reply.user_id) continue
    db.run(`${JOIN} ON CONFLICT DO NOTHING`, parentId, userId, cid, at, at - 1, null)
  }
}

/** Participants who are still members. */
export const participantIds = (db: Db, parentId: string): string[] =>
  db
    .all<{ user_id: string }>(
      `SELECT p.user_id FROM thread_participants p JOIN members m ON m.cid = p.cid AND m.user_id = p.user_id
       WHERE p.parent_id = ?`,
      parentId,
    )
    .map((row) => row.user_id)

/** Sets how far a user has read a thread; they take part from then on. */
export function readThread(
  db: Db,
  parent: Pick<MessageRow, 'id' | 'cid'>,
  userId: string,
  mark: { readonly at: Micros; readonly messageId: string | null },
): void {
  db.run(JOIN + HAS_READ, parent.id, userId, parent.cid, mark.at, mark.at, mark.messageId)
}

/** Reply `r` counts as unread for participant `p`. */
export const COUNTS_AS_UNREAD = `r.created_at > p.last_read AND r.user_id <> p.user_id AND r.deleted_at IS NULL AND r.silent = 0
  AND (r.audience IS NULL OR instr(r.audience, ',' || p.user_id || ',') > 0)
  AND NOT EXISTS (SELECT 1 FROM user_mutes u WHERE u.user_id = p.user_id AND u.target_id = r.user_id)
  AND NOT EXISTS (SELECT 1 FROM user_blocks b WHERE b.user_id = p.user_id AND b.blocked_id = r.user_id)`

/** Unread replies of a user in one thread. */
export const unreadReplies = (db: Db, parentId: string, userId: string): number =>
  db.get<{ n: number }>(
    `SELECT count(*) AS n FROM thread_participants p JOIN messages r ON r.parent_id = p.parent_id
     WHERE p.parent_id = ? AND p.user_id = ? AND ${COUNTS_AS_UNREAD}`,
    parentId,
    userId,
  )?.n ?? 0

/** Unread replies in threads a user can open: in existing channels of theirs, and not truncated. */
const UNREAD_REPLIES = `FROM thread_participants p JOIN messages r ON r.parent_id = p.parent_id
    JOIN members m ON m.cid = p.cid AND m.user_id = p.user_id
    JOIN channels c ON c.cid = p.cid JOIN messages t ON t.id = p.parent_id
  WHERE p.user_id = ? AND c.deleted_at IS NULL AND t.deleted_at IS NULL
    AND t.created_at > max(coalesce(c.truncated_at, 0), coalesce(m.hide_before, 0)) AND ${COUNTS_AS_UNREAD}`

export const THREAD_TOTALS = `SELECT count(*) AS threads, coalesce(sum(n), 0) AS messages FROM (
  SELECT count(*) AS n ${UNREAD_REPLIES} GROUP BY p.parent_id)`

type ThreadTotals = { readonly unread_threads: number; readonly unread_thread_messages: number }

/** The counters that events about threads carry. See docs/wire.md 4.1 "THR". */
export function threadTotals(db: Db, userId: string): ThreadTotals {
  const found = db.get<{ threads: number; messages: number }>(THREAD_TOTALS, userId)
  return { unread_threads: found?.threads ?? 0, unread_thread_messages: found?.messages ?? 0 }
}

type UnreadThread = {
  readonly parent_id: string
  readonly unread: number
  readonly last_read: Micros
  readonly last_read_message_id: string | null
}

/** The single threads that {@link threadTotals} sums up. */
export function unreadThreads(db: Db, userId: string): UnreadThread[] {
  return db.all<UnreadThread>(
    `SELECT p.parent_id, count(*) AS unread, p.last_read, p.last_read_message_id ${UNREAD_REPLIES}
     GROUP BY p.parent_id ORDER BY p.parent_id`,
    userId,
  )
}
