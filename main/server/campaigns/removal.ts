import { wakeDueTimer } from '../store/due-timer.ts'
import type { Db } from '../store/db.ts'
import type { Work } from '../work.ts'

type Removable = 'campaigns' | 'segments'

/** Rows that one slice removes, in one transaction. */
export const REMOVED = 1_000

/** What removes each kind, from the first row to the last. */
export const REMOVALS = {
  campaigns: {
    begin: 'UPDATE campaigns SET removed_at = ?, gathering = NULL WHERE id = ?',
    begun: 'SELECT id FROM campaigns WHERE removed_at IS NOT NULL LIMIT 1',
    slice: `DELETE FROM campaign_targets WHERE (campaign_id, kind, target_id) IN (
      SELECT campaign_id, kind, target_id FROM campaign_targets WHERE campaign_id = ? LIMIT ?)`,
    end: 'DELETE FROM campaigns WHERE id = ?',
    rest: 'DELETE FROM campaigns WHERE id = ? AND removed_at IS NOT NULL',
  },
  segments: {
    begin: 'UPDATE segments SET removed_at = ? WHERE id = ?',
    begun: 'SELECT id FROM segments WHERE removed_at IS NOT NULL LIMIT 1',
    slice: `DELETE FROM segment_targets WHERE (segment_id, target_id) IN (
      SELECT segment_id, target_id FROM segment_targets WHERE segment_id = ? LIMIT ?)`,
    end: 'DELETE FROM segments WHERE id = ?',
    rest: 'DELETE FROM segments WHERE id = ? AND removed_at IS NOT NULL',
  },
} as const

/**
 * Removes a campaign or a segment: from now on nobody sees it. It may have 100,000 people, who are removed in slices, so
 * that others are answered in between. A restart continues with those who are left.
 */
export function remove(work: Work, kind: Removable, id: string): void {
  const { db } = work
  // Clears the cached sizes of segments. The slices do not: nobody asks for the size of what they do not see.
  db.changing('segment_targets').run(REMOVALS[kind].begin, work.now, id)
  if (!removeSlice(db, kind, id)) work.afterwards(() => wakeDueTimer(db))
}

/** Removes some more of what is being removed. */
export function continueRemovals({ db }: Work): void {
  for (const kind of ['campaigns', 'segments'] as const) {
    const row = db.get<{ id: string }>(REMOVALS[kind].begun)
    if (row !== undefined) removeSlice(db, kind, row.id)
  }
}

/** Whoever takes the id of a removed one gets nothing of it. That is rare, so what is left of it goes at once. */
export function freeId(db: Db, kind: Removable, id: string): void {
  db.changing('segment_targets').run(REMOVALS[kind].rest, id)
}

/** Whether that was all of it. */
function removeSlice(db: Db, kind: Removable, id: string): boolean {
  if (db.keepingCaches.run(REMOVALS[kind].slice, id, REMOVED) === REMOVED) return false
  db.keepingCaches.run(REMOVALS[kind].end, id)
  return true
}
