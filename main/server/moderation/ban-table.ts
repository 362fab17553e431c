import type { Db } from '../store/db.ts'

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
