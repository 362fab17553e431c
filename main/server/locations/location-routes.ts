import * as v from 'valibot'
import { getLiveLocations, updateLiveLocation, type WireLocation } from '#shared/wire/messages.ts'
import { MIN_LOCATION_SHARE_MS } from '#shared/constants.ts'
import type { Identity } from '../http/auth/identify.ts'
import { encodeLocation, liveLocationsOfUser, locationOf, putLocation, type LocationRow } from './location-table.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { idText, time } from '../http/shapes.ts'
import { accessTo, mayRead, need } from '../channels/access.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { messageById } from '../messages/message-table.ts'
import { MS } from '../store/time.ts'
import type { Work } from '../work.ts'
import { channelForMany } from '../channels/channel-state.ts'
import { announceMessage, messageFor } from '../messages/message-announce.ts'
import { openMessage } from '../messages/message-checks.ts'

const degrees = (max: number) => v.optional(v.pipe(v.number(), v.minValue(-max), v.maxValue(max)))

const change = v.looseObject({
  message_id: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  created_by_device_id: idText(),
  latitude: degrees(90),
  longitude: degrees(180),
  end_at: time,
})

export const locationRoutes: readonly Route[] = [
  route(getLiveLocations, {}, ({ who }, work) => ({
    active_live_locations: liveLocationsOfUser(work.db, who.userId, work.now).map((row) =>
      fullLocation(work, row, who),
    ),
  })),
  route(updateLiveLocation, { body: change }, ({ body, who }, work) => {
    const { row: message, access } = openMessage(work, body.message_id, who)
    const known = locationOf(work.db, message.id)
    if (!known || message.deleted_at !== null) return refuse('doesNotExist', 'the message shares no location')
    if (known.user_id !== who.userId && !who.server)
      return refuse('notAllowed', 'only who shares it may move a location')
    if (known.end_at === null || known.end_at <= work.now) return refuse('input', 'the live location has ended')
    const stops = body.end_at !== undefined && isNow(work, body.end_at)
    if (!stops) need(access, who, 'share-location', 'ShareLocation')
    const row: LocationRow = {
      ...known,
      latitude: body.latitude ?? known.latitude,
      longitude: body.longitude ?? known.longitude,
      device_id: body.created_by_device_id ?? known.device_id,
      end_at: endOf(work, known, body.end_at),
      updated_at: work.now,
    }
    putLocation(work.db, { ...row, ended: Number(row.end_at !== null && row.end_at <= work.now) })
    announceMessage(work, access, who, 'message.updated', message)
    return fullLocation(work, row, who)
  }),
]

/**
 * A client computes "now" from its estimate of the server's clock: a stop must not fail because that is slightly ahead.
 */
const CLOCK_LEEWAY_MS = 10_000

const isNow = (work: Work, at: number): boolean => at <= work.now + CLOCK_LEEWAY_MS * MS

/** An end in the past stops the share now; a later one must be at least a minute after its start. */
function endOf(work: Work, known: LocationRow, endAt: number | undefined): number | null {
  if (endAt === undefined) return known.end_at
  if (isNow(work, endAt)) return work.now
  if (endAt - known.created_at < MIN_LOCATION_SHARE_MS * MS) refuse('input', 'a share lasts at least one minute')
  return endAt
}

function fullLocation(work: Work, row: LocationRow, who: Identity): WireLocation {
  const message = messageById(work.db, row.message_id)
  const channel = channelByCid(work.db, row.cid)
  const access = channel ? accessTo(work.db, channel, who) : undefined
  if (!access || !mayRead(access, who)) return encodeLocation(row)
  return {
    ...encodeLocation(row),
    channel: channelForMany(work, access),
    ...(message ? { message: messageFor(work, message, who) } : {}),
  }
}
