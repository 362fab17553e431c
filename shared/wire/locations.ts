import { endpoint, type None } from './endpoint.ts'
import type { Maybe, WireChannel, WireMessage } from './objects.ts'

/** A location, or with `end_at` a live share. See docs/wire.md 5.14. */
export type WireLocation = {
  message_id: string
  channel_cid: string
  user_id: string
  /** -90 to 90. */
  latitude: number
  /** -180 to 180. */
  longitude: number
  created_by_device_id: string
  end_at?: Maybe<string>
  created_at: string
  updated_at: string
  channel?: Maybe<WireChannel>
  message?: Maybe<WireMessage>
}

/** See docs/wire.md 3.9. */
export const getLiveLocations = endpoint('GET', '/users/live_locations', 'GetUserLiveLocations')<
  None,
  None,
  { active_live_locations: readonly WireLocation[] }
>()
export const updateLiveLocation = endpoint('PUT', '/users/live_locations', 'UpdateLiveLocation')<
  None,
  { message_id: string; created_by_device_id?: string; latitude?: number; longitude?: number; end_at?: string },
  WireLocation
>()
