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

/** Timers stop while the computer sleeps, and a share may end early: tracks are checked at least this often. */
const CHECK_EVERY_MS = 60_000

/**
 * Past positions of live shares, stored on this computer only if the user enabled it (`locationTracks`). A track is
 * deleted when its share has ended, and all tracks when the setting is switched off.
 */
export type Tracks = {
  start(): void
  readonly committed: (touched: Touched) => void
  settingsChanged(before: Settings): void
  /** Oldest first; empty for a share that has ended. */
  of(messageId: MessageId): readonly TrackPoint[]
}

export function createTracks(core: Core): Tracks {
  const moved = new Set<string>()
  let noting: Stop | undefined
  let pruning: Stop | undefined
  const isOn = (): boolean => core.memory.settings.locationTracks

  /** The position while it is shared. */
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
      const isSame = last?.latitude === place.latitude && last.longitude === place.longitude
      return isSame ? [] : [{ id, at: place.updatedAt, latitude: place.latitude, longitude: place.longitude }]
    })
    if (news.length > 0) core.write((tx) => news.forEach(({ id, ...point }) => table.add(tx, id, point)))
    prune()
  }

  /** Deletes the tracks of ended shares, and all of them if the setting is off. */
  function prune(): void {
    pruning?.()
    pruning = undefined
    if (core.life.aborted) return
    const ends: number[] = []
    const ended: MessageId[] = []
    for (const id of table.messageIds(core.cache.reader)) {
      const place = isOn() ? placeOf(id) : undefined
      if (place?.endAt === undefined) ended.push(id)
      else ends.push(place.endAt)
    }
    if (ended.length > 0) core.write((tx) => ended.forEach((id) => table.forget(tx, id)))
    if (ended.length > 0) core.housekeeping.erased()
    if (ends.length === 0) return
    pruning = core.ports.clock.after(Math.min(Math.min(...ends) - core.serverNow(), CHECK_EVERY_MS), prune)
  }

  core.life.addEventListener('abort', () => {
    noting?.()
    pruning?.()
  })
  return {
    start: prune,
    committed: (touched) => {
      if (!isOn()) return
      for (const id of touched.entities.get('messages') ?? []) moved.add(id)
      if (moved.size > 0) noting ??= core.ports.clock.after(0, note)
    },
    settingsChanged(before) {
      if (!before.locationTracks || isOn()) return
      moved.clear()
      pruning?.()
      pruning = core.ports.clock.after(0, prune)
    },
    of(messageId) {
      if (!isOn() || placeOf(messageId) === undefined) return []
      // The current position is the first point for a user who has just enabled tracks.
      moved.add(messageId)
      noteNow()
      return table.of(core.cache.reader, messageId)
    },
  }

  /** If the disk refuses the write, the stored points are still shown. */
  function noteNow(): void {
    try {
      noting?.()
      note()
    } catch (error) {
      if (!isDiskTrouble(error)) throw error
    }
  }
}
