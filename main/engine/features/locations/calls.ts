import type { HandlersOf } from '#shared/bridge/index.ts'
import type { LiveShare } from '#shared/bridge/locations.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import { splitCid } from '#shared/rules/channels.ts'
import { NOTICES } from '#shared/rules/notices.ts'
import { getLiveLocations, updateLiveLocation } from '#shared/wire/locations.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import * as messages from '#main/cache/tables/messages.ts'
import type { Stop } from '#main/lib/clock.ts'
import type { CallContext } from '../../context.ts'
import type { Core } from '../../core.ts'
import { asWire, eachOf, idOf, timeOf } from '../../decode/read.ts'
import { receiveMessage } from '../../sync/write.ts'
import { requireLine } from '../line.ts'

/** Own live shares are moved at most this often. Source: wire contract 7.13. */
export const MOVE_EVERY_MS = 3_000

type Point = { readonly latitude: number; readonly longitude: number }

/** Source: wire contract 7.13. A share ends on the server by itself, whatever becomes of this program (promise R38). */
export function locationCalls(core: Core): HandlersOf<'locations', CallContext> {
  const live = new Map<MessageId, { readonly endAt: number; at: Point | undefined }>()
  let resting: Stop | undefined
  let next: Point | undefined

  function tell(point: Point): void {
    resting = core.ports.clock.after(MOVE_EVERY_MS, () => {
      resting = undefined
      const latest = next
      next = undefined
      if (latest && !core.life.aborted) tell(latest)
    })
    for (const [messageId, share] of live) {
      if (share.endAt <= core.serverNow()) live.delete(messageId)
      else if (share.at?.latitude !== point.latitude || share.at.longitude !== point.longitude) {
        share.at = point
        const body = { message_id: messageId, created_by_device_id: deviceOf(core), ...point }
        core.background('location', () => core.api.send(updateLiveLocation, { body, signal: core.life }))
      }
    }
  }

  return {
    share: async (input) => {
      requireLine(core)
      const id = asMessageId(core.ports.ids.uuid())
      const endAt = input.forMs === undefined ? undefined : core.serverNow() + input.forMs
      await share(core, id, { ...input, endAt })
      if (endAt !== undefined) live.set(id, { endAt, at: input })
      return id
    },
    move: (point) => {
      if (live.size === 0) return
      if (resting) next = point
      else tell(point)
    },
    stop: async ({ messageId }) => {
      requireLine(core)
      if (!messages.byId(core.cache.reader, messageId) && !live.has(messageId)) throw new AppError('message/gone')
      await core.api.send(updateLiveLocation, {
        body: { message_id: messageId, created_by_device_id: deviceOf(core), end_at: formatTime(core.serverNow()) },
        signal: core.life,
      })
      live.delete(messageId)
    },
    live: () => fetchLive(core),
  }
}

/** Which computer shares: only it moves its shares. */
const deviceOf = (core: Core): string => core.stores.report.installId

type Shared = Point & { readonly cid: Cid; readonly endAt: number | undefined }

async function share(core: Core, id: MessageId, { cid, latitude, longitude, endAt }: Shared): Promise<void> {
  const asOf = core.asOf()
  const place = { latitude, longitude, created_by_device_id: deviceOf(core) }
  const shared = endAt === undefined ? place : { ...place, end_at: formatTime(endAt) }
  try {
    const { message } = await core.api.send(sendMessage, {
      params: splitCid(cid),
      body: { message: { id, shared_location: shared } },
      signal: core.life,
    })
    const live = core.isHealthy() && core.watched.has(cid)
    core.write((tx) => receiveMessage(tx, message, { asOf, cid, live, isAnswer: true }))
  } catch (cause) {
    core.notify(NOTICES.locationFailed)
    throw new AppError('location/failed', { cause })
  }
}

/** A share of another start of the program is listed, so that it can be ended; it is not moved again by itself. */
async function fetchLive(core: Core): Promise<readonly LiveShare[]> {
  if (!core.isHealthy()) return []
  const { active_live_locations: shares } = await core.api.send(getLiveLocations, { signal: core.life })
  const now = core.serverNow()
  return eachOf(shares, (each): LiveShare | undefined => {
    const wire = asWire(each) ?? {}
    const [messageId, cid, endAt] = [idOf(wire['message_id']), idOf(wire['channel_cid']), timeOf(wire['end_at']) ?? 0]
    if (messageId === undefined || cid === undefined || endAt <= now) return undefined
    return { messageId: asMessageId(messageId), cid: asCid(cid), endAt }
  })
}
