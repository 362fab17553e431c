import type { Clock } from '#main/lib/clock.ts'
import { isDiskTrouble } from '#main/lib/disk-error.ts'
import type { Logger } from '#main/lib/logger.ts'

/** A disk that refused is looked at again this often. */
export const SICK_DISK_MS = 4_000

/**
 * A clock for work that writes: what the disk refused is done again until it is taken. No one waits for a timer, so what
 * it throws would end the whole process.
 */
export function enduring(clock: Clock, log: Logger): Clock {
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
          stop = clock.after(SICK_DISK_MS, turn)
        }
      }
      return () => stop()
    },
  }
}
