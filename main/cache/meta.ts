import type { Reader, Tx } from './tx.ts'

/** Small facts about the store itself and about synchronisation. */
const GET = 'SELECT value FROM meta WHERE key = ?'
const PUT = 'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'
const NEWEST = 'newest-server-time'

/** Events may reach us a little out of order: what is asked again overlaps by this. */
export const CURSOR_OVERLAP_MS = 5_000

export const get = (reader: Reader, key: string): string | undefined =>
  reader.db.memo.of(`meta ${key}`, () => reader.db.get<{ value: string }>(GET, key)?.value)

export function set(tx: Tx, key: string, value: string): void {
  tx.db.run(PUT, key, value)
  tx.db.memo.put(`meta ${key}`, value)
}

/** Newest server time seen in anything; 0 before the first. Never the local clock. */
export const newestServerTime = (reader: Reader): number => Number(get(reader, NEWEST) ?? 0)

export function sawServerTime(tx: Tx, time: number): void {
  if (time > newestServerTime(tx)) set(tx, NEWEST, String(time))
}
