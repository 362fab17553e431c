import type { Clock } from '#main/lib/clock.ts'
import type { RateClass } from '#shared/lib/contract.ts'

/** Calls per second and burst of one window. */
const LIMITS: Record<RateClass, { readonly perSecond: number; readonly burst: number }> = {
  ordinary: { perSecond: 200, burst: 400 },
  // Reads everything a window shows: a page requests it once, and again after a disconnect.
  heavy: { perSecond: 2, burst: 10 },
  dialog: { perSecond: 5, burst: 5 },
}

/** Token buckets of one window, one per class. */
export class WindowRate {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #buckets = new Map<RateClass, { left: number; at: number }>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Takes one call; false if the window exceeds its rate. */
  take(kind: RateClass): boolean {
    const { perSecond, burst } = LIMITS[kind]
    const now = this.#clock.monotonic()
    const bucket = this.#buckets.get(kind) ?? { left: burst, at: now }
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1_000) * perSecond)
    bucket.at = now
    this.#buckets.set(kind, bucket)
    if (bucket.left < 1) return false
    bucket.left -= 1
    return true
  }
}
