import { BACKOFF_CAP_MS, FOCUSED_BACKOFF_CAP_MS } from '#shared/constants.ts'

/**
 * Milliseconds to wait before the next attempt after `failures` consecutive failures. `random` is 0 up to 1, a
 * parameter so that tests are repeatable. See docs/wire.md 2.7 "back-off".
 */
export function backoffMs(failures: number, random: number): number {
  const max = Math.min(500 + failures * 2_000, BACKOFF_CAP_MS)
  const min = Math.min(Math.max(250, (failures - 1) * 2_000), BACKOFF_CAP_MS)
  return Math.floor(random * (max - min) + min)
}

/** The same with a lower cap, while the user is active in a window. */
export const focusedBackoffMs = (failures: number, random: number): number =>
  Math.min(backoffMs(failures, random), Math.floor(FOCUSED_BACKOFF_CAP_MS * (0.8 + 0.2 * random)))
