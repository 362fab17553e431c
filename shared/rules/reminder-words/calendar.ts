import type { Part, Unit } from './lexicon.ts'

/** What a phrase said about a moment, before it is put on the calendar. */
export type Said = {
  readonly offset?: { readonly [Name in Unit]?: number }
  /** Days from today. */
  readonly day?: number
  /** 1 is Monday. */
  readonly weekday?: number
  readonly date?: { readonly day: number; readonly month: number; readonly year?: number }
  readonly dayOfMonth?: number
  readonly nextWeek?: true
  readonly nextMonth?: true
  readonly hour?: number
  readonly minute?: number
  readonly part?: Part
  /** The hour was said without minutes and may mean the afternoon. */
  readonly loose?: boolean
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** When a part of the day begins, for somebody who wants to be reminded in it. */
const PART_HOURS: Readonly<Record<Part, number>> = {
  morning: 9,
  noon: 12,
  afternoon: 15,
  evening: 18,
  night: 21,
  midnight: 24,
}
const MORNING = 9
const MONDAY = 1

type Day = { readonly year: number; readonly month: number; readonly day: number }

/**
 * The moment, in this computer's time zone; `undefined` for days that do not exist. Epoch milliseconds.
 *
 * @param firstWeekday the day on which the next week begins, 1 is Monday
 */
export function momentOfWords(said: Said, now: number, firstWeekday = 1): number | undefined {
  const { offset } = said
  const today = dayOf(now)
  const time = timeOf(said)
  if (offset) return afterOffset(offset, time, now)
  const day = namedDay(said, today, firstWeekday)
  if (day === 'none' || (day && contradicts(said, day, today))) return undefined
  if (day) return atTime(day, time ?? { hour: said.day === 0 ? PART_HOURS.evening : MORNING, minute: 0 })
  if (!time) return undefined
  // An hour alone is the next one that comes.
  const soon = atTime(today, time)
  return soon > now ? soon : atTime(moved(today, 1), time)
}

function afterOffset(offset: NonNullable<Said['offset']>, time: Time | undefined, now: number): number | undefined {
  const { minute = 0, hour = 0, day = 0, week = 0, month = 0, year = 0 } = offset
  const days = day + week * 7
  const whole = Math.floor(days)
  const months = month + year * 12
  if (!Number.isInteger(months)) return undefined
  const start = new Date(now)
  const target = moved(monthsOn(dayOf(now), months), whole)
  if (time) return hour === 0 && minute === 0 && whole === days ? atTime(target, time) : undefined
  const rest = (days - whole) * 24 * HOUR_MS + hour * HOUR_MS + minute * MINUTE_MS
  if (months === 0 && whole === 0) return now + rest
  const { year: y, month: m, day: d } = target
  return new Date(y, m - 1, d, start.getHours(), start.getMinutes(), start.getSeconds()).getTime() + rest
}

/** A weekday beside a day must be the one of that day. */
function contradicts({ weekday, day, date, dayOfMonth }: Said, named: Day, today: Day): boolean {
  if (weekday === undefined || (day === undefined && date === undefined && dayOfMonth === undefined)) return false
  return weekdayOf(day === undefined ? named : moved(today, day)) !== weekday
}

/** `none`: a day was named that does not exist. */
function namedDay(said: Said, today: Day, firstWeekday: number): Day | 'none' | undefined {
  const { day, weekday, date, dayOfMonth, nextWeek, nextMonth } = said
  if (nextMonth) return { ...monthsOn({ ...today, day: 1 }, 1), day: dayOfMonth ?? 1 }
  if (nextWeek) {
    const inWeek = (each: number): number => (each - firstWeekday + 7) % 7
    return moved(today, 7 - inWeek(weekdayOf(today)) + inWeek(weekday ?? MONDAY))
  }
  if (date) return dateFrom(date, today)
  if (weekday !== undefined) return moved(today, ((weekday - weekdayOf(today) + 6) % 7) + 1)
  if (day !== undefined) return moved(today, day)
  if (dayOfMonth === undefined) return undefined
  const here = { ...today, day: dayOfMonth }
  return existing(dayOfMonth > today.day ? here : { ...monthsOn({ ...today, day: 1 }, 1), day: dayOfMonth })
}

/** Without a year, the next one that comes. */
function dateFrom(date: NonNullable<Said['date']>, today: Day): Day | 'none' {
  if (date.year !== undefined) return existing({ day: date.day, month: date.month, year: date.year })
  const isOver = date.month < today.month || (date.month === today.month && date.day < today.day)
  return existing({ day: date.day, month: date.month, year: today.year + (isOver ? 1 : 0) })
}

type Time = { readonly hour: number; readonly minute: number }

function timeOf({ hour, minute = 0, part, loose }: Said): Time | undefined {
  if (hour === undefined) return part && { hour: PART_HOURS[part], minute: 0 }
  return { hour: hourIn(part, hour, loose === true), minute }
}

function hourIn(part: Part | undefined, hour: number, loose: boolean): number {
  if (part === undefined) return loose && hour >= 1 && hour <= 6 ? hour + 12 : hour
  if (part === 'morning') return hour % 12
  if (part === 'night') return hour >= 7 && hour < 12 ? hour + 12 : hour === 12 ? 24 : hour
  if (part === 'midnight') return 24
  return hour < 12 ? hour + 12 : hour
}

function dayOf(at: number): Day {
  const date = new Date(at)
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() }
}

const atTime = ({ year, month, day }: Day, { hour, minute }: Time): number =>
  new Date(year, month - 1, day, hour, minute).getTime()

const moved = ({ year, month, day }: Day, days: number): Day => dayOf(new Date(year, month - 1, day + days).getTime())

/** The same day of another month, or its last one. */
function monthsOn({ year, month, day }: Day, months: number): Day {
  const first = new Date(year, month - 1 + months, 1)
  const last = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate()
  return { year: first.getFullYear(), month: first.getMonth() + 1, day: Math.min(day, last) }
}

/** 1 is Monday. */
const weekdayOf = ({ year, month, day }: Day): number => ((new Date(year, month - 1, day).getDay() + 6) % 7) + 1

function existing(day: Day): Day | 'none' {
  const same = moved(day, 0)
  return same.month === day.month && same.day === day.day ? day : 'none'
}
