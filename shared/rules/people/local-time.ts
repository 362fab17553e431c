/** Hours of the day between which people are not disturbed, as long as they have not said otherwise. */
export const NIGHT = { from: 22, until: 8 } as const

/** Zones come from profiles, where anybody can type anything: more than there are in the world are not kept. */
const MOST_ZONES = 1_000
const known = new Map<string, Intl.DateTimeFormat | undefined>()

function clockOf(timeZone: string): Intl.DateTimeFormat | undefined {
  if (known.has(timeZone)) return known.get(timeZone)
  if (known.size >= MOST_ZONES) known.clear()
  const clock = createClock(timeZone)
  known.set(timeZone, clock)
  return clock
}

function createClock(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', hourCycle: 'h23' })
  } catch {
    return undefined
  }
}

/** Whether there is such a time zone. */
export const isTimeZone = (text: string): boolean => clockOf(text) !== undefined

/**
 * The hour of the day in another time zone, 0 to 23.
 *
 * @param timeZone of a profile, such as `Europe/Warsaw`; typed by its owner, so it may be invalid
 * @param at epoch milliseconds
 * @returns `undefined` for an unknown zone
 */
export function hourIn(timeZone: string, at: number): number | undefined {
  const clock = clockOf(timeZone)
  return clock && Number(clock.format(at))
}

export const isNightHour = (hour: number): boolean => hour >= NIGHT.from || hour < NIGHT.until

/** Whether it is night there at this moment. Nobody knows where the zone is unknown: `false`. */
export function isNightIn(timeZone: string, at: number): boolean {
  const hour = hourIn(timeZone, at)
  return hour !== undefined && isNightHour(hour)
}
