import type { Point } from '#shared/rules/locations/locations.ts'

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
