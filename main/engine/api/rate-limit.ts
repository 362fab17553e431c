import type { Clock } from '#main/lib/clock.ts'

/** The longest a call itself waits; for longer pauses it fails at once with the time left. See docs/wire.md 1.9. */
export const RATE_WAIT_CAP_MS = 25_000
/** Random spread of the first calls after a reset. */
const JITTER_MS = 1_000
/** A larger value in the header is invalid. */
const PAUSE_CAP_MS = 10 * 60_000
/** Smaller numbers are seconds from now, larger ones a time in epoch seconds. */
const EPOCH_SECONDS_FROM = 1_000_000_000

/**
 * Milliseconds until the limit resets, from `X-RateLimit-Reset` (epoch seconds) or `Retry-After` (seconds). Both also
 * occur as `300, 300` and with invalid values: the first number counts; without one the result is `undefined`.
 */
export function resetInMs(headers: Readonly<Record<string, string>>, serverNow: number): number | undefined {
  const text = headers['x-ratelimit-reset'] ?? headers['retry-after']
  const seconds = Number(/^\s*(\d{1,12})/.exec(text ?? '')?.[1] ?? Number.NaN)
  if (!Number.isFinite(seconds)) return undefined
  const waitMs = seconds >= EPOCH_SECONDS_FROM ? seconds * 1_000 - serverNow : seconds * 1_000
  return Math.min(Math.max(0, waitMs), PAUSE_CAP_MS)
}

/** Which operations are paused, and for how long. One paused operation does not stop the others. */
type RateGate = {
  pause(operation: string, waitMs: number): number
  /** Milliseconds left, jitter included; 0 when the operation may be called. */
  leftMs(operation: string): number
}

export function createRateGate(clock: Clock, random: () => number): RateGate {
  const until = new Map<string, number>()
  return {
    pause(operation, waitMs) {
      const total = waitMs + Math.floor(random() * JITTER_MS)
      until.set(operation, clock.monotonic() + total)
      return total
    },
    leftMs(operation) {
      const left = (until.get(operation) ?? 0) - clock.monotonic()
      if (left > 0) return left
      until.delete(operation)
      return 0
    },
  }
}
