import type { TrackPoint } from '#shared/domain/place.ts'
import { asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { checked, insertInto, summed } from '../files/sums.ts'
import type { Reader, Tx } from '../store.ts'

/** Paths of live locations, by message. They are deleted with the message, and when the share ends. */
type Stored = TrackPoint & { readonly message_id: string; readonly sum: number }

const PUT = insertInto('tracks', 'IGNORE')
const OF = 'SELECT * FROM tracks WHERE message_id = ? ORDER BY at'
const LAST = 'SELECT * FROM tracks WHERE message_id = ? ORDER BY at DESC LIMIT 1'
const MESSAGES = 'SELECT DISTINCT message_id AS id FROM tracks'
const FORGET = 'DELETE FROM tracks WHERE message_id = ?'
/** The newest remain. */
const TRIM = `DELETE FROM tracks WHERE message_id = ? AND at NOT IN (
  SELECT at FROM tracks WHERE message_id = ? ORDER BY at DESC LIMIT ?)`

/** At most one position every three seconds: the last hour of a drive. */
const MOST_POINTS = 1_200

export function add(tx: Tx, messageId: string, { at, latitude, longitude }: TrackPoint): void {
  tx.db.run(PUT, ...summed('tracks', { message_id: messageId, at, latitude, longitude }))
  tx.db.run(TRIM, messageId, messageId, MOST_POINTS)
}

/** Oldest first. */
export const of = (reader: Reader, messageId: string): readonly TrackPoint[] =>
  reader.db.all<Stored>(OF, messageId).map((stored) => toPoint(reader, stored))

export function last(reader: Reader, messageId: string): TrackPoint | undefined {
  const stored = reader.db.get<Stored>(LAST, messageId)
  return stored && toPoint(reader, stored)
}

function toPoint({ db }: Reader, stored: Stored): TrackPoint {
  const { at, latitude, longitude } = checked(db, 'tracks', stored)
  return { at, latitude, longitude }
}

/** Messages with a track: as many as there are live shares. */
export const messageIds = (reader: Reader): readonly MessageId[] =>
  reader.db.all<{ id: string }>(MESSAGES).map(({ id }) => asMessageId(id))

export function forget(tx: Tx, messageId: string): void {
  tx.db.run(FORGET, messageId)
}
