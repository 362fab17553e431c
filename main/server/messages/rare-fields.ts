import type { Db } from '../store/db.ts'

export const RARE = `SELECT
  EXISTS (SELECT 1 FROM messages WHERE cid = ? AND pinned_at IS NOT NULL) AS pinned,
  EXISTS (SELECT 1 FROM messages INDEXED BY messages_pending WHERE cid = ? AND user_id = ? AND pending = 1) AS pending,
  EXISTS (SELECT 1 FROM locations WHERE cid = ? AND end_at > ?) AS live`

/** Which rare parts a channel has, as 1 or 0: pinned messages, the user's pending messages, live locations. */
export type Rare = { readonly pinned: number; readonly pending: number; readonly live: number }

/**
 * Read before the parts themselves: three queries over whole rows with empty results take longer for a list of channels
 * than reading the newest messages.
 */
export function rareIn(db: Db, cid: string, userId: string, now: number): Rare {
  return db.get<Rare>(RARE, cid, cid, userId, cid, now) ?? { pinned: 1, pending: 1, live: 1 }
}
