import type { Settings } from '#shared/domain/settings.ts'
import type { TrackPoint } from '#shared/domain/place.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { isLive } from '#shared/rules/locations/locations.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as table from '#main/cache/messages/tracks.ts'
import type { Touched } from '#main/cache/tx.ts'
import type { Stop } from '#main/lib/clock.ts'
import { visibleMessage } from '../../changes/visible-message.ts'
import type { Core } from '../../core.ts'
import { isDiskTrouble } from '#main/lib/disk-error.ts'

/** A timer does not run while the computer sleeps, and a share may be ended early: it is looked at least so often. */
const LOOK_AGAIN_MS = 60_000

/**
 * Where live places have been, on this computer alone, for anyone who wants it kept (`locationTracks`). A track is deleted
 * when its share is over, and all of them when no one wants them any more.
 */
export type Tracks = {
  start(): void
  readonly committed: (touched: Touched) => void
  settingsChanged(before: Settings): void
  /** Oldest first; empty for a share that is over. */
  of(messageId: MessageId): readonly TrackPoint[]
}

export function createTracks(core: Core): Tracks {
  const moved = new Set<string>()
  let noting: Stop | undefined
  let looking: Stop | undefined
  const isOn = (): boolean => core.memory.settings.locationTracks

  /** Where it is while it is shared. */
  function placeOf(messageId: MessageId) {
    const place = visibleMessage(core.context, messageId)?.location
    return place !== undefined && isLive(place, core.serverNow()) ? place : undefined
  }

  function note(): void {
    noting = undefined
    const rows = messages.byIds(core.cache.reader, [...moved])
    moved.clear()
    const news = rows.flatMap(({ id, custom }) => {
      const place = custom['shared_location'] === undefined ? undefined : placeOf(id)
      if (place === undefined) return []
      const last = table.last(core.cache.reader, id)
      const stands = last?.latitude === place.latitude && last.longitude === place.longitude
      return stands ? [] : [{ id, at: place.updatedAt, latitude: place.latitude, longitude: place.longitude }]
    })
    if (news.length > 0) core.write((tx) => news.forEach(({ id, ...point }) => table.add(tx, id, point)))
    look()
  }

  /** Lets go of the tracks of shares that are over, and of all when no one wants them. */
  function look(): void {
    looking?.()
    looking = undefined
    if (core.life.aborted) return
    const ends: number[] = []
    const over: MessageId[] = []
    for (const id of table.messageIds(core.cache.reader)) {
      const place = isOn() ? placeOf(id) : undefined
      if (place?.endAt === undefined) over.push(id)
      else ends.push(place.endAt)
    }
    if (over.length > 0) core.write((tx) => over.forEach((id) => table.forget(tx, id)))
    if (over.length > 0) core.housekeeping.erased()
    if (ends.length === 0) return
    looking = core.ports.clock.after(Math.min(Math.min(...ends) - core.serverNow(), LOOK_AGAIN_MS), look)
  }

  core.life.addEventListener('abort', () => {
    noting?.()
    looking?.()
  })
  return {
    start: look,
    committed: (touched) => {
      if (!isOn()) return
      for (const id of touched.entities.get('messages') ?? []) moved.add(id)
      if (moved.size > 0) noting ??= core.ports.clock.after(0, note)
    },
    settingsChanged(before) {
      if (!before.locationTracks || isOn()) return
      moved.clear()
      looking?.()
      looking = core.ports.clock.after(0, look)
    },
    of(messageId) {
      if (!isOn() || placeOf(messageId) === undefined) return []
      // Where it is now is the first of it for anyone who has just asked for tracks.
      moved.add(messageId)
      takeNow()
      return table.of(core.cache.reader, messageId)
    },
  }

  /** A disk that takes nothing is no reason not to show what is held. */
  function takeNow(): void {
    try {
      noting?.()
      note()
    } catch (error) {
      if (!isDiskTrouble(error)) throw error
    }
  }
}
