import type { Precision } from '#shared/domain/place.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { LiveShare } from '#shared/bridge/calls/messages.ts'
import type { Point } from '#shared/rules/locations/locations.ts'
import { ok } from '#shared/lib/app-error.ts'
import { command, type Command } from '../../store/command.ts'

const quiet = { quiet: true }

type PlaceToShare = Point & {
  readonly cid: Cid
  readonly precision: Precision
  readonly forMs?: number
  readonly device?: string
  readonly replaces?: string
  readonly again?: boolean
}

/** Quiet: the dialog or the card shows the error. */
export const shareLocation = command(
  'locations/shared',
  (place: PlaceToShare, engine) => engine.locations.share(place),
  quiet,
)
export const moveLocation = command('locations/moved', (to: Point, engine) => engine.locations.move(to), quiet)
export const stopLocation = command('locations/stopped', (share: { readonly messageId: MessageId }, engine) =>
  engine.locations.stop(share),
)
export const readLive = command('locations/liveAsked', (_input: void, engine) => engine.locations.live(), quiet)

export const setTracksEnabled = command('locations/tracksKept', (on: boolean, engine) =>
  engine.settings.update({ locationTracks: on }),
)

/** Stops all own shares; resolves with their number. */
export function stopAllLocations(shares: readonly Pick<LiveShare, 'messageId'>[]): Command<number> {
  return async (dispatch) => {
    for (const { messageId } of shares) {
      const stopped = await dispatch(stopLocation({ messageId }))
      if (!stopped.ok) return stopped
    }
    return ok(shares.length)
  }
}

export type Position = Point & { readonly accuracy: number }
/** Why the device's position is not available. */
export type NoPosition = 'denied' | 'unavailable' | 'slow' | 'missing'

const TIMEOUT_MS = 10_000

/** Reads the device's position. The host and the user decide whether it is allowed. */
export function readPosition(): Promise<Position | NoPosition> {
  const { geolocation } = navigator as { readonly geolocation?: Geolocation }
  if (geolocation === undefined) return Promise.resolve('missing')
  return new Promise((resolve) => {
    geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy } }) => resolve({ latitude, longitude, accuracy }),
      ({ code }) => resolve(code === 1 ? 'denied' : code === 3 ? 'slow' : 'unavailable'),
      { enableHighAccuracy: true, timeout: TIMEOUT_MS, maximumAge: 60_000 },
    )
  })
}

/** Watches the device's position until stopped; only if permission was granted before, so that there is no prompt. */
export function watchPosition(onMove: (to: Point) => void): () => void {
  const { geolocation, permissions } = navigator as {
    readonly geolocation?: Geolocation
    readonly permissions?: Permissions
  }
  let watch: number | undefined
  let over = false
  const start = async (): Promise<void> => {
    const allowed = await permissions?.query({ name: 'geolocation' })
    if (over || allowed?.state !== 'granted') return
    watch = geolocation?.watchPosition(
      ({ coords: { latitude, longitude } }) => onMove({ latitude, longitude }),
      (reason) => console.debug('no position', reason.code),
      { enableHighAccuracy: true },
    )
  }
  start().catch((reason: unknown) => console.debug('no permissions to ask for', reason))
  return () => {
    over = true
    if (watch !== undefined) geolocation?.clearWatch(watch)
  }
}
