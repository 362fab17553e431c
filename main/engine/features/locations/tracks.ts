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

/** Timers stop while the device sleeps, and a share may end early: tracks are checked at least this often. */
const CHECK_EVERY_MS = 60_000

type Parts = Pick<Core, 'cache' | 'context' | 'housekeeping' | 'life' | 'memory' | 'ports' | 'serverNow' | 'write'>

/**
 * Past positions of live shares, stored on this device only if the user enabled it (`locationTracks`). A track is
 * deleted when its share has ended, and all tracks when the setting is switched off.
 */
export class Tracks {
  readonly #core: Parts
  readonly #moved = new Set<string>()
  #noting: Stop | undefined
  #pruning: Stop | undefined

  constructor(core: Parts) {
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
