import type { Intent } from '#shared/domain/intent.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import { DISK_RETRY_MS } from '../disk-retry.ts'
import type { Outbox } from './outbox.ts'

/** Timers stop while the device sleeps, and clocks can be changed: the chosen time is checked at least this often. */
const CHECK_EVERY_MS = 30_000

type Options = {
  readonly outbox: Pick<Outbox, 'all'>
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly log: Logger
  /** Queues a due intent. May throw when the disk refuses the write: then it is tried again. */
  readonly release: (intent: Intent) => void
  /** The timer has run out: check again for due intents. */
  readonly onDue: () => void
}

export type Schedule = {
  /** Releases what is due, in the order of the chosen times, and schedules the next check. */
  releaseDue(): void
  stop(): void
}

/**
 * Waits for the times that the user chose, online or not. What became due while the app was not running is due at
 * once.
 */
export function createSchedule({ outbox, clock, log, release, onDue }: Options): Schedule {
  let stopTimer: Stop | undefined
  const plan = (ms: number): void => void (stopTimer = clock.after(ms, onDue))

  function releaseDue(): void {
    stopTimer?.()
    stopTimer = undefined
    const now = clock.now()
    const scheduled = outbox
      .all()
      .filter((intent) => intent.state === 'scheduled')
      .toSorted((a, b) => a.nextAt - b.nextAt)
    try {
      for (const intent of scheduled) if (intent.nextAt <= now) release(intent)
    } catch (error) {
      log.error('unreleased', { error: error instanceof Error ? error.message : 'unknown' })
      return plan(DISK_RETRY_MS)
    }
    const next = scheduled.find((intent) => intent.nextAt > now)
    if (next) plan(Math.min(next.nextAt - now, CHECK_EVERY_MS))
  }

  return { releaseDue, stop: () => stopTimer?.() }
}
