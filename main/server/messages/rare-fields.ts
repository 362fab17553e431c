import type { Db } from '../store/db.ts'

export const RARE = `SELECT
  EXISTS (SELECT 1 FROM messages WHERE cid = ? AND pinned_at IS NOT NULL) AS pinned,
  EXISTS (SELECT 1 FROM messages INDEXED BY messages_pending WHERE cid = ? AND user_id = ? AND pending = 1) AS pending,
  EXISTS (SELECT 1 FROM locations WHERE cid = ? AND end_at > ?) AS live`

/** What few channels have, as 1 or 0: anything pinned, anything of this person waiting for approval, a live location. */
export type Rare = { readonly pinned: number; readonly pending: number; readonly live: number }

/**
 * Asked first of every channel of a list: three questions with empty answers, each for the whole width of a row, take
 * longer than reading the newest messages.
 */
export function rareIn(db: Db, cid: string, userId: string, now: number): Rare {
  return db.get<Rare>(RARE, cid, cid, userId, cid, now) ?? { pinned: 1, pending: 1, live: 1 }
}
