import type { LocalTime } from '#shared/rules/notifications/notifying.ts'

const SUNDAY = 7

/** Local time of this computer. `at`: epoch milliseconds. */
export function localTime(at: number): LocalTime {
  const date = new Date(at)
  return { at, weekday: date.getDay() === 0 ? SUNDAY : date.getDay(), minute: date.getHours() * 60 + date.getMinutes() }
}
