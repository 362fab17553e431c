import type { TrackPoint } from '#shared/domain/place.ts'
import { asMessageId, type MessageId } from '#shared/lib/brand.ts'
import type { Reader, Tx } from '../tx.ts'

/** Where live places have been, by their message. They leave with it, and when the share is over. */
const PUT = 'INSERT OR IGNORE INTO tracks (message_id, at, latitude, longitude) VALUES (?, ?, ?, ?)'
const OF = 'SELECT at, latitude, longitude FROM tracks WHERE message_id = ? ORDER BY at'
const LAST = 'SELECT at, latitude, longitude FROM tracks WHERE message_id = ? ORDER BY at DESC LIMIT 1'
const MESSAGES = 'SELECT DISTINCT message_id AS id FROM tracks'
const FORGET = 'DELETE FROM tracks WHERE message_id = ?'
/** The newest stay. */
const TRIM = `DELETE FROM tracks WHERE message_id = ? AND at NOT IN (
  SELECT at FROM tracks WHERE message_id = ? ORDER BY at DESC LIMIT ?)`

/** A move comes every three seconds at most: the last hour of a drive. */
export const MOST_POINTS = 1_200

export function add(tx: Tx, messageId: string, { at, latitude, longitude }: TrackPoint): void {
  tx.db.run(PUT, messageId, at, latitude, longitude)
  tx.db.run(TRIM, messageId, messageId, MOST_POINTS)
}

/** Oldest first. */
export const of = (reader: Reader, messageId: string): readonly TrackPoint[] => reader.db.all<TrackPoint>(OF, messageId)

export const last = (reader: Reader, messageId: string): TrackPoint | undefined =>
  reader.db.get<TrackPoint>(LAST, messageId)

/** Messages with a track: as many as people share their place just now. */
export const messageIds = (reader: Reader): readonly MessageId[] =>
  reader.db.all<{ id: string }>(MESSAGES).map(({ id }) => asMessageId(id))

export function forget(tx: Tx, messageId: string): void {
  tx.db.run(FORGET, messageId)
}
