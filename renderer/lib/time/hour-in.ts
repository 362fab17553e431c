/**
 * The hour of the day in another time zone, 0 to 23.
 *
 * @param timeZone of a profile, such as `Europe/Warsaw`; typed by its owner, so it may be invalid
 * @param at epoch milliseconds
 * @returns `undefined` for an unknown zone
 */
export function hourIn(timeZone: string, at: number): number | undefined {
  try {
    const hour = new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(at)
    return Number(hour)
  } catch {
    return undefined
  }
}
