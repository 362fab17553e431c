/**
 * The hour of the day somewhere else, 0 to 23.
 *
 * @param timeZone as people write it into their profile, `Europe/Warsaw`
 * @param at epoch milliseconds
 * @returns nothing where no such zone is known
 */
export function hourIn(timeZone: string, at: number): number | undefined {
  try {
    const hour = new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(at)
    return Number(hour)
  } catch {
    return undefined
  }
}
