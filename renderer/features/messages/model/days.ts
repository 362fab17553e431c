/** Local midnight so many days before a local midnight; days of a clock change are not 24 hours long. */
export function daysBefore(midnight: number, days: number): number {
  const day = new Date(midnight)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - days).getTime()
}

/** The same day a month before, or the last day of that month where it has no such day. */
export function monthBefore(midnight: number): number {
  const day = new Date(midnight)
  const lastOfMonth = new Date(day.getFullYear(), day.getMonth(), 0).getDate()
  return new Date(day.getFullYear(), day.getMonth() - 1, Math.min(day.getDate(), lastOfMonth)).getTime()
}
