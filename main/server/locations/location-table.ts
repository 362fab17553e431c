import type { Db } from '../store/db.ts'
import type { WireLocation } from '#shared/wire/messages.ts'
import { toText } from '../store/time.ts'

export type LocationRow = {
  readonly message_id: string
  readonly cid: string
  readonly user_id: string
  readonly latitude: number
  readonly longitude: number
  readonly device_id: string
  /** Null: a static location; otherwise a live one until this time. */
  readonly end_at: number | null
  readonly ended: number
  readonly created_at: number
  readonly updated_at: number
}

export function locationOf(db: Db, messageId: string): LocationRow | undefined {
  return db.get<LocationRow>('SELECT * FROM locations WHERE message_id = ?', messageId)
}

export function locationsOf(db: Db, messageIds: readonly string[]): Map<string, LocationRow> {
  const rows = db.all<LocationRow>(
    'SELECT * FROM locations WHERE message_id IN (SELECT value FROM json_each(?))',
    JSON.stringify(messageIds),
  )
  return new Map(rows.map((row) => [row.message_id, row]))
}

export function putLocation(db: Db, row: LocationRow): void {
  db.run(
    `INSERT INTO locations (message_id, cid, user_id, latitude, longitude, device_id, end_at, ended, created_at,
       updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (message_id) DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude,
       device_id = excluded.device_id, end_at = excluded.end_at, ended = excluded.ended,
       updated_at = excluded.updated_at`,
    row.message_id,
    row.cid,
    row.user_id,
    row.latitude,
    row.longitude,
    row.device_id,
    row.end_at,
    row.ended,
    row.created_at,
    row.updated_at,
  )
}

export const LIVE_OF_USER = `SELECT l.* FROM locations l JOIN messages m ON m.id = l.message_id
  WHERE l.user_id = ? AND l.end_at > ? AND m.deleted_at IS NULL ORDER BY l.end_at LIMIT 100`

export const LIVE_OF_CHANNEL = `SELECT l.* FROM locations l JOIN messages m ON m.id = l.message_id
  WHERE l.cid = ? AND l.end_at > ? AND m.deleted_at IS NULL AND (m.audience IS NULL OR instr(m.audience, ?) > 0)
  ORDER BY l.end_at LIMIT 100`

/** Live locations that have not ended. */
export function liveLocationsOfUser(db: Db, userId: string, now: number): LocationRow[] {
  return db.all<LocationRow>(LIVE_OF_USER, userId, now)
}

export function liveLocationsOfChannel(db: Db, cid: string, viewer: string, now: number): LocationRow[] {
  return db.all<LocationRow>(LIVE_OF_CHANNEL, cid, now, `,${viewer},`)
}

export const TAKE_ENDED = `UPDATE locations SET ended = 1 WHERE message_id IN (
  SELECT message_id FROM locations WHERE ended = 0 AND end_at IS NOT NULL AND end_at <= ? LIMIT 100)
  RETURNING message_id`

/** Live locations that have ended, each returned once. */
export function takeEndedLocations(db: Db, now: number): string[] {
  return db.all<{ message_id: string }>(TAKE_ENDED, now).map((row) => row.message_id)
}

/** See docs/wire.md 5.14. */
export function encodeLocation(row: LocationRow): WireLocation {
  return {
    message_id: row.message_id,
    channel_cid: row.cid,
    user_id: row.user_id,
    latitude: row.latitude,
    longitude: row.longitude,
    created_by_device_id: row.device_id,
    ...(row.end_at === null ? {} : { end_at: toText(row.end_at) }),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}
