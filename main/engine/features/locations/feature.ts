import type { HandlersOf } from '#shared/bridge/index.ts'
import type { LiveShare } from '#shared/bridge/calls/messages.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asMessageId, type MessageId } from '#shared/lib/brand.ts'
import { blurred, type Point, isLive } from '#shared/rules/locations/locations.ts'
import { getLiveLocations, updateLiveLocation } from '#shared/wire/messages.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { TrackPoint } from '#shared/domain/place.ts'
import * as messages from '#main/cache/messages/messages.ts'
import type { Stop } from '#main/lib/clock.ts'
import * as table from '#main/cache/messages/tracks.ts'
import type { Touched } from '#main/cache/store.ts'
import { isDiskTrouble } from '#main/lib/disk-error.ts'
import type { Core, Submissions } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { CallContext, ClientId } from '../../context.ts'
import { ApiError } from '../../api/errors.ts'
import { asWire, eachOf, idOf, timeOf } from '../../decode/read.ts'
import { submitContent } from '../messages/unsent.ts'
import { ShareWatch, deviceOf } from './sharing.ts'
import { visibleMessage } from '../../changes/visible-message.ts'

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

/** Timers stop while the device sleeps, and a share may end early: tracks are checked at least this often. */
const CHECK_EVERY_MS = 60_000

type TracksParts = Pick<
  Core,
  'cache' | 'context' | 'housekeeping' | 'life' | 'memory' | 'ports' | 'serverNow' | 'write'
>

/**
 * Past positions of live shares, stored on this device only if the user enabled it (`locationTracks`). A track is
 * deleted when its share has ended, and all tracks when the setting is switched off.
 */
class Tracks {
  readonly #core: TracksParts
  readonly #moved = new Set<string>()
  #noting: Stop | undefined
  #pruning: Stop | undefined

  constructor(core: TracksParts) {
    this.#core = core
    core.life.addEventListener('abort', () => {
      this.#noting?.()
      this.#pruning?.()
    })
  }

  start(): void {
    this.#prune()
  }

  committed(touched: Touched): void {
    if (!this.#isOn()) return
    for (const id of touched.entities.get('messages') ?? []) this.#moved.add(id)
    if (this.#moved.size > 0) this.#noting ??= this.#core.ports.clock.after(0, () => this.#note())
  }

  settingsChanged(before: Settings): void {
    if (!before.locationTracks || this.#isOn()) return
    this.#moved.clear()
    this.#pruning?.()
    this.#pruning = this.#core.ports.clock.after(0, () => this.#prune())
  }

  /** Oldest first; empty for a share that has ended. */
  of(messageId: MessageId): readonly TrackPoint[] {
    if (!this.#isOn() || this.#placeOf(messageId) === undefined) return []
    // The current position is the first point for a user who has just enabled tracks.
    this.#moved.add(messageId)
    this.#noteNow()
    return table.of(this.#core.cache.reader, messageId)
  }

  #isOn(): boolean {
    return this.#core.memory.settings.locationTracks
  }

  /** The position while it is shared. */
  #placeOf(messageId: MessageId) {
    const place = visibleMessage(this.#core.context, messageId)?.location
    return place !== undefined && isLive(place, this.#core.serverNow()) ? place : undefined
  }

  #note(): void {
    this.#noting = undefined
    const rows = messages.byIds(this.#core.cache.reader, [...this.#moved])
    this.#moved.clear()
    const news = rows.flatMap(({ id, custom }) => {
      const place = custom['shared_location'] === undefined ? undefined : this.#placeOf(id)
      if (place === undefined) return []
      const last = table.last(this.#core.cache.reader, id)
      const isSame = last?.latitude === place.latitude && last.longitude === place.longitude
      return isSame ? [] : [{ id, at: place.updatedAt, latitude: place.latitude, longitude: place.longitude }]
    })
    if (news.length > 0) this.#core.write((tx) => news.forEach(({ id, ...point }) => table.add(tx, id, point)))
    this.#prune()
  }

  /** Deletes the tracks of ended shares, and all of them if the setting is off. */
  #prune(): void {
    this.#pruning?.()
    this.#pruning = undefined
    if (this.#core.life.aborted) return
    const ends: number[] = []
    const ended: MessageId[] = []
    for (const id of table.messageIds(this.#core.cache.reader)) {
      const place = this.#isOn() ? this.#placeOf(id) : undefined
      if (place?.endAt === undefined) ended.push(id)
      else ends.push(place.endAt)
    }
    if (ended.length > 0) this.#core.write((tx) => ended.forEach((id) => table.forget(tx, id)))
    if (ended.length > 0) this.#core.housekeeping.erased()
    if (ends.length === 0) return
    this.#pruning = this.#core.ports.clock.after(
      Math.min(Math.min(...ends) - this.#core.serverNow(), CHECK_EVERY_MS),
      () => this.#prune(),
    )
  }

  /** If the disk refuses the write, the stored points are still shown. */
  #noteNow(): void {
    try {
      this.#noting?.()
      this.#note()
    } catch (error) {
      if (!isDiskTrouble(error)) throw error
    }
  }
}
