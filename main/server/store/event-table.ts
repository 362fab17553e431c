import type { Db } from './db.ts'

/** How long events are stored, and how many one /sync may return. See docs/wire.md 8.19. */
export const EVENT_DAYS = 30
export const MAX_SYNC_EVENTS = 2_000

export function logEvent(
  db: Db,
  event: { cid: string; userId: string | undefined; at: number; type: string; json: string },
): void {
  db.run(
    'INSERT INTO events (cid, user_id, at, type, json) VALUES (?, ?, ?, ?, ?)',
    event.cid,
    event.userId ?? null,
    event.at,
    event.type,
    event.json,
  )
}

export const EVENTS_SINCE = `SELECT json FROM events
  WHERE cid IN (SELECT value FROM json_each(?)) AND at > ? AND (user_id IS NULL OR user_id = ?)
  ORDER BY at, seq LIMIT ?`

/** Oldest first; one more than allowed, so that the caller sees when there are too many. */
export function eventsSince(db: Db, cids: readonly string[], since: number, userId: string): string[] {
  return db
    .all<{ json: string }>(EVENTS_SINCE, JSON.stringify(cids), since, userId, MAX_SYNC_EVENTS + 1)
    .map((row) => row.json)
}

/**
 * Removes the oldest, up to the first that is newer: events are numbered as they happen. After a clock was set back, some
 * stay longer.
 */
export function pruneEvents(db: Db, before: number): number {
  const kept = db.get<{ seq: number }>(OLDEST_KEPT, before)
  return kept === undefined ? db.run('DELETE FROM events') : db.run('DELETE FROM events WHERE seq < ?', kept.seq)
}

const OLDEST_KEPT = 'SELECT seq FROM events WHERE at >= ? ORDER BY seq LIMIT 1'
