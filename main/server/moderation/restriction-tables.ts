import type { Db } from '../store/db.ts'
import { forgetTotals, recountUnreadOf } from '../channels/member-table.ts'

/** The `cid` of a ban in the whole app. */
export const EVERYWHERE = ''

export type BanRow = {
  readonly user_id: string
  /** {@link EVERYWHERE}, or one channel. */
  readonly cid: string
  readonly shadow: number
  readonly banned_by: string | null
  readonly reason: string | null
  readonly created_at: number
  readonly expires_at: number | null
}

/** A ban that is over. `ended_by` absent: its time was over, or a program with the server token ended it. */
export type EndedBanRow = BanRow & { readonly ended_at: number; readonly ended_by: string | null }

type FutureBanRow = Omit<BanRow, 'cid' | 'banned_by'> & { readonly banned_by: string }

export function banOf(db: Db, userId: string, cid: string): BanRow | undefined {
  return db.get<BanRow>('SELECT * FROM bans WHERE user_id = ? AND cid = ?', userId, cid)
}

/** App-wide first, then by channel. At most 100. */
export function bansOf(db: Db, userId: string): BanRow[] {
  return db.all<BanRow>('SELECT * FROM bans WHERE user_id = ? ORDER BY cid LIMIT 100', userId)
}

const valuesOf = (row: BanRow) =>
  [row.user_id, row.cid, row.shadow, row.banned_by, row.reason, row.created_at, row.expires_at] as const

/** Writes the ban and its copy in the user or member row. */
export function putBan(db: Db, row: BanRow): void {
  db.run(
    `INSERT INTO bans (user_id, cid, shadow, banned_by, reason, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (user_id, cid) DO UPDATE SET shadow = excluded.shadow, banned_by = excluded.banned_by,
       reason = excluded.reason, created_at = excluded.created_at, expires_at = excluded.expires_at`,
    ...valuesOf(row),
  )
  markBan(db, row.user_id, row.cid)
}

export function deleteBan(db: Db, userId: string, cid: string): boolean {
  const deleted = db.run('DELETE FROM bans WHERE user_id = ? AND cid = ?', userId, cid) > 0
  markBan(db, userId, cid)
  return deleted
}

/** Keeps a ban that is over for the list of ended bans. */
export function putEndedBan(db: Db, row: EndedBanRow): void {
  db.run(
    `INSERT INTO ended_bans (user_id, cid, shadow, banned_by, reason, created_at, expires_at, ended_at, ended_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...valuesOf(row),
    row.ended_at,
    row.ended_by,
  )
}

/** Copies the ban to the row that requests read: the user's, or the member's if there is one. */
export function markBan(db: Db, userId: string, cid: string): void {
  const row = banOf(db, userId, cid)
  const banned = row && row.shadow === 0 ? 1 : 0
  const shadow = row && row.shadow === 1 ? 1 : 0
  const ends = row?.expires_at ?? null
  if (cid === EVERYWHERE) {
    db.changing('users').run(
      'UPDATE users SET banned = ?, shadow_banned = ?, ban_expires = ? WHERE id = ?',
      banned,
      shadow,
      ends,
      userId,
    )
  } else {
    db.keepingCaches.run(
      'UPDATE members SET banned = ?, shadow_banned = ?, ban_expires = ? WHERE cid = ? AND user_id = ?',
      banned,
      shadow,
      ends,
      cid,
      userId,
    )
  }
}

/** Whether messages of the user here are visible to themselves only. */
export function isShadowBanned(db: Db, cid: string, userId: string): boolean {
  return (
    db.get(
      'SELECT 1 FROM bans WHERE user_id = ? AND shadow = 1 AND (cid = ? OR cid = ?) LIMIT 1',
      userId,
      cid,
      EVERYWHERE,
    ) !== undefined
  )
}

export const EXPIRED_BANS = 'SELECT * FROM bans WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT 100'

export function expiredBans(db: Db, now: number): BanRow[] {
  return db.all<BanRow>(EXPIRED_BANS, now)
}

export function futureBansOf(db: Db, bannedBy: string, now: number): FutureBanRow[] {
  return db.all<FutureBanRow>(
    'SELECT * FROM future_bans WHERE banned_by = ? AND (expires_at IS NULL OR expires_at > ?)',
    bannedBy,
    now,
  )
}

export function putFutureBan(db: Db, row: FutureBanRow): void {
  db.run(
    `INSERT INTO future_bans (user_id, banned_by, shadow, reason, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (user_id, banned_by) DO UPDATE SET shadow = excluded.shadow, reason = excluded.reason,
       created_at = excluded.created_at, expires_at = excluded.expires_at`,
    row.user_id,
    row.banned_by,
    row.shadow,
    row.reason,
    row.created_at,
    row.expires_at,
  )
}

export function deleteFutureBan(db: Db, userId: string, bannedBy: string): void {
  db.run('DELETE FROM future_bans WHERE user_id = ? AND banned_by = ?', userId, bannedBy)
}

export const FUTURE_BANS = `SELECT * FROM future_bans WHERE (? IS NULL OR user_id = ?)
  AND (? IS NULL OR expires_at IS NULL OR expires_at > ?) ORDER BY created_at, user_id, banned_by LIMIT ? OFFSET ?`

/** @param now leaves out bans that ended before it; absent: all */
export function futureBans(
  db: Db,
  userId: string | undefined,
  now: number | undefined,
  page: { limit: number; offset: number },
): FutureBanRow[] {
  const [user, after] = [userId ?? null, now ?? null]
  return db.all<FutureBanRow>(FUTURE_BANS, user, user, after, after, page.limit, page.offset)
}

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
