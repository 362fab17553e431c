import { tomorrowMorning } from '../reminders/reminders.ts'

/** How long notifications are paused from now; `off` ends the pause. */
export const PAUSES = ['half-hour', 'hour', 'tomorrow', 'off'] as const
export type Pause = (typeof PAUSES)[number]

const HALF_HOUR_MS = 30 * 60_000

/** The value of the setting `pausedUntil`, by this device's clock: epoch milliseconds, 0 for not paused. */
export function pausedUntil(pause: Pause, now: number): number {
  switch (pause) {
    case 'half-hour':
      return now + HALF_HOUR_MS
    case 'hour':
      return now + 2 * HALF_HOUR_MS
    case 'tomorrow':
      return tomorrowMorning(now)
    case 'off':
      return 0
  }
}
