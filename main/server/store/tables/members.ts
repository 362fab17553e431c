import { countedTypes } from '../../rules/types.ts'
import type { Db } from '../db.ts'

export type MemberRow = {
  readonly cid: string
  readonly user_id: string
  readonly channel_role: string
  readonly role: string
  readonly invited: number
  readonly status: string | null
  readonly invite_accepted_at: number | null
  readonly invite_rejected_at: number | null
  readonly banned: number
  readonly shadow_banned: number
  readonly ban_expires: number | null
  readonly pinned_at: number | null
  readonly archived_at: number | null
  readonly hidden: number
  readonly hide_before: number | null
  readonly created_at: number
  readonly updated_at: number
  readonly last_read: number
  readonly last_read_message_id: string | null
  readonly unread: number
  readonly last_delivered_at: number | null
  readonly last_delivered_message_id: string | null
  readonly custom: string
  /** 1: the member muted the channel. */
  readonly muted?: number
}

/** The columns of {@link MemberRow}, of members named `m`. */
export const MEMBER_COLUMNS = `m.*, EXISTS (SELECT 1 FROM channel_mutes x WHERE x.user_id = m.user_id AND x.cid = m.cid) AS muted`

const MEMBER = `SELECT ${MEMBER_COLUMNS} FROM members m WHERE m.cid = ? AND m.user_id = ?`

export function memberOf(db: Db, cid: string, userId: string): MemberRow | undefined {
  return db.get<MemberRow>(MEMBER, cid, userId)
}

export const MEMBER_PAGE = `SELECT ${MEMBER_COLUMNS} FROM members m WHERE m.cid = ?
  ORDER BY m.created_at, m.user_id LIMIT ? OFFSET ?`

export function membersOf(db: Db, cid: string, limit: number, offset = 0): MemberRow[] {
  return db.all<MemberRow>(MEMBER_PAGE, cid, limit, offset)
}

export function memberIds(db: Db, cid: string): string[] {
  return db.all<{ user_id: string }>('SELECT user_id FROM members WHERE cid = ?', cid).map((row) => row.user_id)
}

export function insertMember(
  db: Db,
  row: Pick<MemberRow, 'cid' | 'user_id' | 'channel_role' | 'role' | 'created_at' | 'custom'> & {
    readonly invited?: boolean
    readonly hideBefore?: number | null
  },
): void {
  db.run(
    `INSERT INTO members (cid, user_id, channel_role, role, invited, status, hide_before, created_at, updated_at,
       last_read, custom) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.cid,
    row.user_id,
    row.channel_role,
    row.role,
    row.invited ? 1 : 0,
    row.invited ? 'pending' : null,
    row.hideBefore ?? null,
    row.created_at,
    row.created_at,
    row.created_at,
    row.custom,
  )
}

const CHANGEABLE: ReadonlySet<string> = new Set([
  'channel_role',
  'role',
  'status',
  'invite_accepted_at',
  'invite_rejected_at',
  'banned',
  'shadow_banned',
  'pinned_at',
  'archived_at',
  'hidden',
  'hide_before',
  'updated_at',
  'last_read',
  'last_read_message_id',
  'unread',
  'last_delivered_at',
  'last_delivered_message_id',
  'custom',
])

export function changeMember(db: Db, cid: string, userId: string, change: Partial<MemberRow>): void {
  const entries = Object.entries(change).filter(([column]) => CHANGEABLE.has(column))
  if (entries.length === 0) return
  const assignments = entries.map(([column]) => `${column} = ?`).join(', ')
  db.run(
    'UPDATE members SET ' + assignments + ' WHERE cid = ? AND user_id = ?',
    ...entries.map(([, value]) => value),
    cid,
    userId,
  )
}

export function deleteMember(db: Db, cid: string, userId: string): boolean {
  return db.run('DELETE FROM members WHERE cid = ? AND user_id = ?', cid, userId) > 0
}

/**
 * One message more for everybody it counts for: not its author, not who muted the author, not who hid the history it
 * belongs to. Source: wire contract 8.8 "increment".
 */
export function countUnread(db: Db, cid: string, authorId: string, at: number, audience: string | null = null): void {
  db.run(
    `UPDATE members SET unread = unread + 1
     WHERE cid = ? AND user_id <> ? AND coalesce(hide_before, 0) < ?
       AND (? IS NULL OR instr(?, ',' || user_id || ',') > 0)
       AND NOT EXISTS (SELECT 1 FROM user_mutes u WHERE u.user_id = members.user_id AND u.target_id = ?)`,
    cid,
    authorId,
    at,
    audience,
    audience,
    authorId,
  )
}

/** Counts unread messages of one member, or of everybody, from the rows. For deletions, truncation and "mark unread". */
export function recountUnread(db: Db, cid: string, userId?: string): void {
  const whose = userId === undefined ? '' : ' AND user_id = ?'
  db.run(
    `UPDATE members SET unread = (
       SELECT count(*) FROM messages m JOIN channels c ON c.cid = m.cid
       WHERE m.cid = members.cid AND m.in_channel = 1
         AND m.created_at > max(members.last_read, coalesce(members.hide_before, 0), coalesce(c.truncated_at, 0))
         AND m.user_id <> members.user_id AND m.silent = 0 AND m.deleted_at IS NULL
         AND (m.audience IS NULL OR instr(m.audience, ',' || members.user_id || ',') > 0)
         AND NOT EXISTS (SELECT 1 FROM user_mutes u WHERE u.user_id = members.user_id AND u.target_id = m.user_id))
     WHERE cid = ?` + whose,
    ...(userId === undefined ? [cid] : [cid, userId]),
  )
}

export type Totals = { readonly total: number; readonly channels: number }

/** The rows of a person that the badge counts: in channels they joined, of types that have read states. */
const COUNTED = `FROM members m JOIN channels c ON c.cid = m.cid
  WHERE m.user_id = ? AND m.unread > 0 AND m.hidden = 0 AND c.deleted_at IS NULL
    AND coalesce(m.status, '') NOT IN ('pending', 'rejected')
    AND c.type IN (SELECT value FROM json_each(?))
    AND NOT EXISTS (SELECT 1 FROM channel_mutes x WHERE x.user_id = m.user_id AND x.cid = m.cid)`

export const TOTALS = 'SELECT coalesce(sum(m.unread), 0) AS total, count(*) AS channels ' + COUNTED

export type UnreadChannel = {
  readonly cid: string
  readonly type: string
  readonly unread: number
  readonly last_read: number
}

/** Channel by channel what {@link unreadTotals} adds up. */
export function unreadChannels(db: Db, userId: string): UnreadChannel[] {
  return db.all<UnreadChannel>(
    `SELECT m.cid, c.type, m.unread, m.last_read ${COUNTED} ORDER BY m.cid`,
    userId,
    countedTypes(db),
  )
}

/** Every channel a person has something unread in, muted and hidden ones too. */
export function channelsWithUnread(db: Db, userId: string): string[] {
  return db
    .all<{ cid: string }>('SELECT cid FROM members WHERE user_id = ? AND unread > 0', userId)
    .map((row) => row.cid)
}

/** What the badge shows. Muted and hidden channels do not count. Source: wire contract 8.8. */
export function unreadTotals(db: Db, userId: string): Totals {
  return db.get<Totals>(TOTALS, userId, countedTypes(db)) ?? { total: 0, channels: 0 }
}
