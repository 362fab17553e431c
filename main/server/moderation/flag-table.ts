import type { Db } from '../store/db.ts'

export type FlagRow = {
  readonly id: string
  readonly user_id: string
  readonly kind: 'message' | 'user'
  readonly target_id: string
  readonly cid: string | null
  readonly reason: string | null
  readonly custom: string
  readonly created_at: number
  readonly updated_at: number
  readonly reviewed_at: number | null
  readonly reviewed_by: string | null
  readonly review_result: string | null
}

export function flagOf(db: Db, kind: FlagRow['kind'], targetId: string, userId: string): FlagRow | undefined {
  return db.get<FlagRow>('SELECT * FROM flags WHERE kind = ? AND target_id = ? AND user_id = ?', kind, targetId, userId)
}

export function flagById(db: Db, id: string): FlagRow | undefined {
  return db.get<FlagRow>('SELECT * FROM flags WHERE id = ?', id)
}

export function insertFlag(db: Db, row: FlagRow): void {
  db.run(
    `INSERT INTO flags (id, user_id, kind, target_id, cid, reason, custom, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.user_id,
    row.kind,
    row.target_id,
    row.cid,
    row.reason,
    row.custom,
    row.created_at,
    row.updated_at,
  )
}

export function deleteFlag(db: Db, id: string): void {
  db.run('DELETE FROM flags WHERE id = ?', id)
}

/** Reviews every flag of a message or user, and returns them. */
export function reviewFlags(
  db: Db,
  kind: FlagRow['kind'],
  targetId: string,
  review: { at: number; by: string; result: string },
): FlagRow[] {
  return db.all<FlagRow>(
    `UPDATE flags SET reviewed_at = ?, reviewed_by = ?, review_result = ?, updated_at = ?
     WHERE kind = ? AND target_id = ? RETURNING *`,
    review.at,
    review.by,
    review.result,
    review.at,
    kind,
    targetId,
  )
}
