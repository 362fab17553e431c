import type { Db } from '../store/db.ts'
import { forgetTotals, recountUnreadOf } from '../channels/member-table.ts'

export type ChannelMuteRow = {
  readonly user_id: string
  readonly cid: string
  readonly created_at: number
  readonly updated_at: number
  readonly expires_at: number | null
}

export function channelMutesOf(db: Db, userId: string): ChannelMuteRow[] {
  return db.all<ChannelMuteRow>('SELECT * FROM channel_mutes WHERE user_id = ? ORDER BY created_at, cid', userId)
}

export function channelMute(db: Db, userId: string, cid: string): ChannelMuteRow | undefined {
  return db.get<ChannelMuteRow>('SELECT * FROM channel_mutes WHERE user_id = ? AND cid = ?', userId, cid)
}

export function putChannelMute(db: Db, row: ChannelMuteRow): void {
  db.keepingCaches.run(
    `INSERT INTO channel_mutes (user_id, cid, created_at, updated_at, expires_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (user_id, cid) DO UPDATE SET updated_at = excluded.updated_at, expires_at = excluded.expires_at`,
    row.user_id,
    row.cid,
    row.created_at,
    row.updated_at,
    row.expires_at,
  )
  forgetTotals(db, row.user_id)
}

export function deleteChannelMute(db: Db, userId: string, cid: string): boolean {
  forgetTotals(db, userId)
  return db.keepingCaches.run('DELETE FROM channel_mutes WHERE user_id = ? AND cid = ?', userId, cid) > 0
}

/** Deletes expired channel mutes and returns their users. */
export function takeExpiredMutes(db: Db, now: number): string[] {
  const ended = db.keepingCaches
    .all<{ user_id: string }>(
      'DELETE FROM channel_mutes WHERE expires_at IS NOT NULL AND expires_at <= ? RETURNING user_id',
      now,
    )
    .map((row) => row.user_id)
  for (const userId of ended) forgetTotals(db, userId)
  return ended
}

export type UserMuteRow = {
  readonly user_id: string
  readonly target_id: string
  readonly created_at: number
  readonly updated_at: number
  readonly expires_at: number | null
}

export function userMutesOf(db: Db, userId: string): UserMuteRow[] {
  return db.all<UserMuteRow>('SELECT * FROM user_mutes WHERE user_id = ? ORDER BY created_at, target_id', userId)
}

export function userMute(db: Db, userId: string, targetId: string): UserMuteRow | undefined {
  return db.get<UserMuteRow>('SELECT * FROM user_mutes WHERE user_id = ? AND target_id = ?', userId, targetId)
}

export function putUserMute(db: Db, row: UserMuteRow): void {
  db.run(
    `INSERT INTO user_mutes (user_id, target_id, created_at, updated_at, expires_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (user_id, target_id) DO UPDATE SET updated_at = excluded.updated_at, expires_at = excluded.expires_at`,
    row.user_id,
    row.target_id,
    row.created_at,
    row.updated_at,
    row.expires_at,
  )
  recountUnreadOf(db, row.user_id)
}

export function deleteUserMute(db: Db, userId: string, targetId: string): boolean {
  const deleted = db.run('DELETE FROM user_mutes WHERE user_id = ? AND target_id = ?', userId, targetId) > 0
  if (deleted) recountUnreadOf(db, userId)
  return deleted
}

/** Deletes expired user mutes and returns their owners. */
export function takeExpiredUserMutes(db: Db, now: number): string[] {
  const ended = db
    .all<{ user_id: string }>(
      'DELETE FROM user_mutes WHERE expires_at IS NOT NULL AND expires_at <= ? RETURNING user_id',
      now,
    )
    .map((row) => row.user_id)
  for (const userId of new Set(ended)) recountUnreadOf(db, userId)
  return ended
}
