/** Local midnight a number of days before a local midnight. Not a multiple of 24 hours across a clock change. */
export function daysBefore(midnight: number, days: number): number {
  const day = new Date(midnight)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - days).getTime()
}

/** The same day one month earlier, or the last day of that month if it is shorter. */
export function monthBefore(midnight: number): number {
  const day = new Date(midnight)
  const lastOfMonth = new Date(day.getFullYear(), day.getMonth(), 0).getDate()
  return new Date(day.getFullYear(), day.getMonth() - 1, Math.min(day.getDate(), lastOfMonth)).getTime()
}
