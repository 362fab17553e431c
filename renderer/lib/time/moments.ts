/**
 * Days of the calendar and times of the clock as fields hold them: `2026-11-24`, `09:30`. Moments are epoch milliseconds
 * on this computer's clock.
 */
export type Fields = { readonly date: string; readonly time: string }

/** `2026-11-24` and `09:30` of a moment, as the fields of a form hold them. */
export function fieldsOf(at: number): Fields {
  const day = new Date(at)
  return {
    date: dayOf(day.getFullYear(), day.getMonth() + 1, day.getDate()),
    time: clockOf(day.getHours() * 60 + day.getMinutes()),
  }
}

/** The moment the fields of a form say; `undefined` while they are not filled in. */
export function momentOf(date: string, time: string): number | undefined {
  const at = new Date(`${date}T${time}`).getTime()
  return Number.isNaN(at) ? undefined : at
}

const padded = (value: number, length = 2): string => String(value).padStart(length, '0')

/** Month from 1. */
export const dayOf = (year: number, month: number, day: number): string =>
  `${padded(year, 4)}-${padded(month)}-${padded(day)}`

/** Minutes after midnight as `09:30`, and back. */
export const clockOf = (minutes: number): string => `${padded(Math.floor(minutes / 60))}:${padded(minutes % 60)}`
export function minutesOf(time: string): number | undefined {
  const [hour = Number.NaN, minute = Number.NaN] = time.split(':').map(Number)
  return Number.isInteger(hour) && Number.isInteger(minute) ? hour * 60 + minute : undefined
}

/** A moment of the day at which no change of the clocks turns it into another. */
export const noonOf = (date: string): number => new Date(`${date}T12:00`).getTime()

export function daysFrom(date: string, days: number): string {
  const at = new Date(noonOf(date))
  return dayOf(...partsOf(new Date(at.getFullYear(), at.getMonth(), at.getDate() + days, 12)))
}

/** The same day of another month; its last one where it has fewer. */
export function monthsFrom(date: string, months: number): string {
  const at = new Date(noonOf(date))
  const last = new Date(at.getFullYear(), at.getMonth() + months + 1, 0, 12)
  return dayOf(last.getFullYear(), last.getMonth() + 1, Math.min(at.getDate(), last.getDate()))
}

/** 1 is Monday. */
export const weekdayOf = (date: string): number => new Date(noonOf(date)).getDay() || 7

/** The weeks in which a month lies, whole, from its first weekday on. */
export function weeksOf(date: string, weekdays: readonly number[]): readonly (readonly string[])[] {
  const first = `${date.slice(0, 8)}01`
  const before = weekdays.indexOf(weekdayOf(first))
  const start = daysFrom(first, -before)
  const last = daysFrom(monthsFrom(first, 1), -1)
  const count = Math.ceil((before + Number(last.slice(8))) / 7)
  return Array.from({ length: count }, (_week, week) =>
    Array.from({ length: 7 }, (_day, day) => daysFrom(start, week * 7 + day)),
  )
}

const partsOf = (day: Date): [number, number, number] => [day.getFullYear(), day.getMonth() + 1, day.getDate()]
