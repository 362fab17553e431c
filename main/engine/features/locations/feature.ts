import type { HandlersOf } from '#shared/bridge/index.ts'
import type { LiveShare } from '#shared/bridge/calls/locations.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { blurred, type Point } from '#shared/rules/locations/locations.ts'
import { getLiveLocations, updateLiveLocation } from '#shared/wire/locations.ts'
import * as messages from '#main/cache/messages/messages.ts'
import type { Stop } from '#main/lib/clock.ts'
import type { Core, Submissions } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { CallContext, ClientId } from '../../context.ts'
import { ApiError } from '../../api/errors.ts'
import { asWire, eachOf, idOf, timeOf } from '../../decode/read.ts'
import { submitContent } from '../messages/unsent.ts'
import { ShareWatch, deviceOf } from './sharing.ts'
import { Tracks } from './tracks.ts'

declare module '../../registry/feature.ts' {
  interface Offers {
    /** When the last live share ends that was started since the program started; absent if none runs. Server time. */
    sharesUntil(): number | undefined
    /** Ends all live shares at once. */
    stopSharing(): void
  }
}

type Parts = Submissions &
  Pick<
    Core,
    'api' | 'background' | 'collector' | 'context' | 'housekeeping' | 'isHealthy' | 'life' | 'stores' | 'write'
  >

export const locationsFeature = defineFeature({
  create(core: Parts) {
    const shares = new ShareWatch(core)
    const tracks = new Tracks(core)
    return {
      calls: { locations: locationCalls(core, shares, tracks) },
      offers: { sharesUntil: () => shares.endsAt(), stopSharing: () => shares.stopAll() },
      start: [
        // A share that is due while the app was closed is parked before the queue would release it.
        { phase: 'before-queue', order: 10, run: () => shares.start() },
        { phase: 'before-queue', order: 30, run: () => tracks.start() },
      ],
      onTouched: [{ order: 20, run: (touched) => tracks.committed(touched) }],
      onSettings: [{ order: 20, run: (before) => tracks.settingsChanged(before) }],
    }
  },
})

/** Own live shares are updated at most this often. See docs/wire.md 7.13. */
const MOVE_EVERY_MS = 3_000

type ShareInput = Parameters<HandlersOf<'locations', CallContext>['share']>[0]

/** See docs/wire.md 7.13. The server ends a share at its time, whether or not this program runs. */
function locationCalls(core: Parts, watch: ShareWatch, tracks: Tracks): HandlersOf<'locations', CallContext> {
  const { live } = core.memory.sharing
  let cooldown: Stop | undefined
  let next: Point | undefined
  core.life.addEventListener('abort', () => cooldown?.())

  function send(point: Point): void {
    cooldown = core.ports.clock.after(MOVE_EVERY_MS, () => {
      cooldown = undefined
      const latest = next
      next = undefined
      if (latest && live.size > 0 && !core.life.aborted) send(latest)
    })
    for (const [messageId, share] of live) {
      const position = blurred(point, share.precision)
      if (share.endAt <= core.serverNow()) live.delete(messageId)
      else if (share.at?.latitude !== position.latitude || share.at.longitude !== position.longitude) {
        share.at = position
        core.background('location', () =>
          sendOne(messageId, position).catch((error: unknown) => again(messageId, point, error)),
        )
      }
    }
  }

  const sendOne = (messageId: MessageId, position: Point) =>
    core.api.send(updateLiveLocation, {
      body: { message_id: messageId, created_by_device_id: deviceOf(core), ...position },
      signal: core.life,
    })

  /**
   * If the user stops moving now, others would see an outdated position: it is sent again unless there is a newer
   * one.
   */
  function again(messageId: MessageId, point: Point, error: unknown): void {
    const share = live.get(messageId)
    if (error instanceof ApiError && error.verdict.task === 'park') live.delete(messageId)
    else if (share && !core.life.aborted) {
      share.at = undefined
      if (cooldown) next ??= point
      else send(point)
    }
    throw error
  }

  return {
    share: (input, { client }) => share(core, watch, input, client),
    move: (point) => {
      if (live.size === 0) return
      if (cooldown) next = point
      else send(point)
    },
    stop: async ({ messageId }) => {
      if (!messages.byId(core.cache.reader, messageId) && !live.has(messageId)) throw new AppError('message/gone')
      await watch.stop(messageId)
    },
    live: () => fetchLive(core),
    track: ({ messageId }) => tracks.of(messageId),
  }
}

function share(core: Submissions, watch: ShareWatch, input: ShareInput, client: ClientId): MessageId {
  const { cid, forMs, precision, replaces, device, again } = input
  const until = core.serverNow() + (forMs ?? 0)
  const place = {
    ...blurred(input, precision),
    precision,
    ...(device === undefined ? {} : { device }),
    ...(forMs === undefined ? {} : { live: { forMs, until } }),
  }
  const id = submitContent(core, { cid, content: { place }, replaces, again }, client)
  watch.check()
  return id
}

/** Shares of an earlier run are listed, so that they can be ended; they are not updated automatically. */
async function fetchLive(core: Parts): Promise<readonly LiveShare[]> {
  if (!core.isHealthy()) return []
  const { active_live_locations: shares } = await core.api.send(getLiveLocations, { signal: core.life })
  const now = core.serverNow()
  return eachOf(shares, (each): LiveShare | undefined => {
    const wire = asWire(each) ?? {}
    const [messageId, cid, endAt] = [idOf(wire['message_id']), idOf(wire['channel_cid']), timeOf(wire['end_at']) ?? 0]
    if (messageId === undefined || cid === undefined || endAt <= now) return undefined
    if (core.memory.sharing.stopped.has(asMessageId(messageId))) return undefined
    return { messageId: asMessageId(messageId), cid: asCid(cid), endAt }
  })
}
