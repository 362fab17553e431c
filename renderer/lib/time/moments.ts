/**
 * Dates and times as form fields have them: `2026-11-24`, `09:30`, in the local time zone. Moments are epoch milliseconds.
 */
export type Fields = { readonly date: string; readonly time: string }

/** The date and time fields of a moment. */
export function fieldsOf(at: number): Fields {
  const day = new Date(at)
  return {
    date: dayOf(day.getFullYear(), day.getMonth() + 1, day.getDate()),
    time: clockOf(day.getHours() * 60 + day.getMinutes()),
  }
}

/** The moment of date and time fields; `undefined` while they are incomplete. */
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

/** Noon of a day: no daylight saving change moves it to another day. */
export const noonOf = (date: string): number => new Date(`${date}T12:00`).getTime()

export function daysFrom(date: string, days: number): string {
  const at = new Date(noonOf(date))
  return dayOf(...partsOf(new Date(at.getFullYear(), at.getMonth(), at.getDate() + days, 12)))
}

/** The same day of another month, or its last day if it is shorter. */
export function monthsFrom(date: string, months: number): string {
  const at = new Date(noonOf(date))
  const last = new Date(at.getFullYear(), at.getMonth() + months + 1, 0, 12)
  return dayOf(last.getFullYear(), last.getMonth() + 1, Math.min(at.getDate(), last.getDate()))
}

/** 1 is Monday. */
export const weekdayOf = (date: string): number => new Date(noonOf(date)).getDay() || 7

/** The full weeks that contain a month. */
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
