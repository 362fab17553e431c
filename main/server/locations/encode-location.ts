import type { WireLocation } from '#shared/wire/locations.ts'
import type { LocationRow } from './location-table.ts'
import { toText } from '../time.ts'

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
