import type { Clock } from '#main/lib/clock.ts'
import { isDiskTrouble } from '#main/lib/disk-error.ts'
import type { Logger } from '#main/lib/logger.ts'

/** How often a failed write is retried. */
export const DISK_RETRY_MS = 4_000

/**
 * A clock for callbacks that write: one that fails because of the disk is retried until it succeeds. A timer has no caller,
 * so the error would otherwise end the process.
 */
export function retryingClock(clock: Clock, log: Logger): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after(ms, fn) {
      let stop = clock.after(ms, turn)
      function turn(): void {
        try {
          fn()
        } catch (error) {
          if (!isDiskTrouble(error)) throw error
          log.warn('refused', { code: error.code })
          stop = clock.after(DISK_RETRY_MS, turn)
        }
      }
      return () => stop()
    },
  }
}
