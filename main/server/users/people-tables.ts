import type { Db } from '../store/db.ts'

type BlockRow = { readonly user_id: string; readonly blocked_id: string; readonly created_at: number }

export function blocksOf(db: Db, userId: string): BlockRow[] {
  return db.all<BlockRow>('SELECT * FROM user_blocks WHERE user_id = ? ORDER BY created_at, blocked_id', userId)
}

export function blockOf(db: Db, userId: string, blockedId: string): BlockRow | undefined {
  return db.get<BlockRow>('SELECT * FROM user_blocks WHERE user_id = ? AND blocked_id = ?', userId, blockedId)
}

/** Returns since when the other is blocked. */
export function putBlock(db: Db, row: BlockRow): number {
  const stored = db.get<{ created_at: number }>(
    `INSERT INTO user_blocks (user_id, blocked_id, created_at) VALUES (?, ?, ?)
     ON CONFLICT (user_id, blocked_id) DO UPDATE SET created_at = user_blocks.created_at RETURNING created_at`,
    row.user_id,
    row.blocked_id,
    row.created_at,
  )
  return stored?.created_at ?? row.created_at
}

export function deleteBlock(db: Db, userId: string, blockedId: string): boolean {
  return db.run('DELETE FROM user_blocks WHERE user_id = ? AND blocked_id = ?', userId, blockedId) > 0
}

/** Excludes messages (or other rows with a `user_id`) of users that the viewer `?` blocks. */
export const NOT_BLOCKED = 'user_id NOT IN (SELECT x.blocked_id FROM user_blocks x WHERE x.user_id = ?)'

export const BLOCKERS = 'SELECT user_id FROM user_blocks WHERE blocked_id = ?'

/** The users who block this user. */
export function blockersOf(db: Db, blockedId: string): string[] {
  return db.all<{ user_id: string }>(BLOCKERS, blockedId).map((row) => row.user_id)
}

/** The users that this user blocks. */
export function blockedBy(db: Db, userId: string): Set<string> {
  return new Set(blocksOf(db, userId).map((row) => row.blocked_id))
}

/** Conversations of exactly these two users, by the index of memberships. */
export const PAIR_CHANNELS = `SELECT c.cid FROM members a JOIN channels c ON c.cid = a.cid
  JOIN members b ON b.cid = a.cid AND b.user_id = ? WHERE a.user_id = ? AND c.member_count = 2 AND c.deleted_at IS NULL`

export function pairChannels(db: Db, one: string, other: string): string[] {
  return db.all<{ cid: string }>(PAIR_CHANNELS, other, one).map((row) => row.cid)
}

/** Whether one of the two members of channel `c` blocks the other. Takes no parameters. */
export const BLOCKED_PAIR = `EXISTS (SELECT 1 FROM members one JOIN members two ON two.cid = one.cid
  JOIN user_blocks b ON b.user_id = one.user_id AND b.blocked_id = two.user_id WHERE one.cid = c.cid)`

/** Whether the other user of a conversation of two blocks this user. */
export function isBlockedIn(db: Db, cid: string, userId: string): boolean {
  const sql = `SELECT 1 FROM channels c JOIN members o ON o.cid = c.cid
    JOIN user_blocks b ON b.user_id = o.user_id AND b.blocked_id = ? WHERE c.cid = ? AND c.member_count = 2`
  return db.get(sql, userId, cid) !== undefined
}

/** Conversations of this user with one other. */
export function directChannelsOf(db: Db, userId: string): string[] {
  return db
    .all<{ cid: string }>(
      `SELECT c.cid FROM members a JOIN channels c ON c.cid = a.cid
       WHERE a.user_id = ? AND c.member_count <= 2 AND c.id LIKE '!members-%' AND c.deleted_at IS NULL`,
      userId,
    )
    .map((row) => row.cid)
}

export type DeviceRow = {
  readonly user_id: string
  readonly id: string
  readonly push_provider: string
  readonly push_provider_name: string | null
  readonly created_at: number
}

export function devicesOf(db: Db, userId: string): DeviceRow[] {
  return db.all<DeviceRow>('SELECT * FROM devices WHERE user_id = ? ORDER BY created_at, id', userId)
}

export function putDevice(db: Db, row: DeviceRow): void {
  db.run(
    `INSERT INTO devices (user_id, id, push_provider, push_provider_name, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (user_id, id) DO UPDATE SET push_provider = excluded.push_provider,
       push_provider_name = excluded.push_provider_name`,
    row.user_id,
    row.id,
    row.push_provider,
    row.push_provider_name,
    row.created_at,
  )
}

export function deleteDevice(db: Db, userId: string, id: string): boolean {
  return db.run('DELETE FROM devices WHERE user_id = ? AND id = ?', userId, id) > 0
}

/** The preference as JSON; an empty `cid` stands for all channels. */
export function pushPreference(db: Db, userId: string, cid: string): string | undefined {
  return db.get<{ json: string }>('SELECT json FROM push_preferences WHERE user_id = ? AND cid = ?', userId, cid)?.json
}

export function putPushPreference(db: Db, userId: string, cid: string, json: string): void {
  db.run(
    `INSERT INTO push_preferences (user_id, cid, json) VALUES (?, ?, ?)
     ON CONFLICT (user_id, cid) DO UPDATE SET json = excluded.json`,
    userId,
    cid,
    json,
  )
}
