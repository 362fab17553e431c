import type { Part, Unit } from './grammar.ts'

export type Length = { readonly [Name in Unit]?: number }

export type Time = {
  readonly hour: number
  readonly minute: number
  /** Ambiguous between morning and afternoon. */
  readonly loose?: true
  /** A number that is an hour only together with a day or a part of a day. */
  readonly bare?: true
}

/** A day as a phrase names it. */
export type DayName =
  /** Days from today. */
  | { readonly kind: 'shift'; readonly days: number }
  | { readonly kind: 'date'; readonly day: number; readonly month: number; readonly year?: number }
  /** The next day with this number, in this month or the following one. */
  | { readonly kind: 'monthDay'; readonly day: number; readonly isNextMonth?: true }
  | { readonly kind: 'week'; readonly ahead: number }
  | { readonly kind: 'weekend'; readonly ahead: number }
  | { readonly kind: 'start' | 'end'; readonly of: 'week' | 'month' | 'year'; readonly ahead: number }
  | { readonly kind: 'endOfMonth'; readonly month: number }

/** The parts of a phrase before they are resolved to a time. */
export type PhraseParts = {
  readonly length?: Length
  /** What the length is relative to. */
  readonly from?: 'now' | 'after' | 'before'
  readonly day?: DayName
  /** 1 is Monday. */
  readonly weekday?: number
  readonly time?: Time | 'same'
  readonly part?: Part
  /** The hour at which a morning begins, for `early` and `first thing`. */
  readonly opening?: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The time of a reminder in a part of the day, and the hour at which that part ends. */
const PARTS: Readonly<Record<Part, { readonly at: number; readonly over: number }>> = {
  dawn: { at: 5, over: 7 },
  morning: { at: 9, over: 12 },
  noon: { at: 12, over: 13 },
  lunch: { at: 13, over: 15 },
  afternoon: { at: 15, over: 18 },
  close: { at: 17, over: 17 },
  dusk: { at: 17, over: 18 },
  evening: { at: 18, over: 22 },
  night: { at: 21, over: 24 },
  tonight: { at: 21, over: 24 },
  midnight: { at: 24, over: 24 },
}
/** The hours allowed together with a part of the day: from the first, up to but not including the last. */
const HOURS: Readonly<Record<Part, readonly (readonly [from: number, before: number])[]>> = {
  dawn: [[3, 8]],
  morning: [[1, 12]],
  noon: [[12, 13]],
  lunch: [],
  afternoon: [[12, 19]],
  close: [],
  dusk: [[15, 19]],
  evening: [[16, 24]],
  night: [
    [0, 6],
    [18, 25],
  ],
  tonight: [[17, 29]],
  midnight: [[24, 25]],
}
const MORNING = 9
const CLOSE = 17
const FRIDAY = 5
const SATURDAY = 6
const HALF_HOUR = 30 * MINUTE_MS

type Day = { readonly year: number; readonly month: number; readonly day: number }
type Clock = { readonly hour: number; readonly minute: number }
type Reference = { readonly now: number; readonly today: Day; readonly firstWeekday: number }

/**
 * The time of a phrase in this device's time zone; `undefined` for days that do not exist and for contradictory
 * phrases. Every field of the phrase is used or the phrase is refused. Epoch milliseconds.
 *
 * @param firstWeekday the first day of a week, 1 is Monday
 */
export function resolveTime(parts: PhraseParts, now: number, firstWeekday = 1): number | undefined {
  const reference = { now, today: dayOf(now), firstWeekday }
  const time = timeOf(parts, now)
  if (time === 'none') return undefined
  if (parts.length === undefined) return calendarMoment(parts, time, reference)
  return parts.from === 'now'
    ? afterNow(parts, parts.length, time, reference)
    : besideDay(parts, parts.length, time, reference)
}

/** A day, an hour, or both. */
function calendarMoment(parts: PhraseParts, time: Clock | undefined, reference: Reference): number | undefined {
  const { now, today } = reference
  if (parts.day === undefined && parts.weekday === undefined) {
    if (time === undefined || parts.opening !== undefined)
      return parts.part === 'morning' ? nextAt(time, reference) : undefined
    return parts.part === 'close' ? atTime(today, time) : nextAt(time, reference)
  }
  const day = namedDay(parts, time, reference)
  if (day === undefined) return undefined
  const at = atTime(day, time ?? { hour: usualHour(parts.day), minute: 0 })
  const isToday = day.day === today.day && day.month === today.month && day.year === today.year
  return isToday && at <= now && parts.time === undefined ? laterToday(parts.part, reference) : at
}

/** An hour alone is its next occurrence. */
function nextAt(time: Clock | undefined, { now, today }: Reference): number | undefined {
  if (time === undefined) return undefined
  const candidate = atTime(today, time)
  return candidate > now ? candidate : atTime(moved(today, 1), time)
}

/** `tonight` at ten in the evening is the next full hour. */
function laterToday(part: Part | undefined, { now, today }: Reference): number | undefined {
  const over = atTime(today, { hour: part === undefined ? 24 : PARTS[part].over, minute: 0 })
  const date = new Date(now + HALF_HOUR)
  const isFull = date.getMinutes() === 0 && date.getSeconds() === 0 && date.getMilliseconds() === 0
  const next = new Date(date).setHours(date.getHours() + (isFull ? 0 : 1), 0, 0, 0)
  return next <= over ? next : undefined
}

function usualHour(day: DayName | undefined): number {
  if (day?.kind === 'end' || day?.kind === 'endOfMonth') return CLOSE
  return day?.kind === 'shift' && day.days === 0 ? PARTS.evening.at : MORNING
}

/** `in 2 hours`, `in 2 days at 9`, `in two weeks on tuesday`. */
function afterNow(
  { day, weekday }: PhraseParts,
  length: Length,
  time: Clock | undefined,
  reference: Reference,
): number | undefined {
  if (day !== undefined) return undefined
  const { now, today } = reference
  const target = moveBy(today, length, 1)
  if (target === undefined) return undefined
  if (weekday !== undefined) {
    // A month has no fixed weekday: `in a month on friday` is ambiguous.
    if (!isOfDays(length) || length.month !== undefined || length.year !== undefined) return undefined
    const at = time ?? { hour: MORNING, minute: 0 }
    const { week, ...others } = length
    if (week !== undefined && Object.keys(others).length === 0) return atTime(inWeeks(week, weekday, reference), at)
    return weekdayOf(target.day) === weekday ? atTime(target.day, at) : undefined
  }
  if (time) return isOfDays(length) ? atTime(target.day, time) : undefined
  if (target.day.day === today.day && target.day.month === today.month && target.day.year === today.year)
    return now + target.rest
  const start = new Date(now)
  const { year, month, day: date } = target.day
  const [hour, minute, second] = [start.getHours(), start.getMinutes(), start.getSeconds()]
  return new Date(year, month - 1, date, hour, minute, second).getTime() + target.rest
}

/** That weekday of the week this many weeks ahead; at least a week from now, because the phrase says a week. */
function inWeeks(weeks: number, weekday: number, reference: Reference): Day {
  const days = daysToWeek(weeks, weekday, reference)
  return moved(reference.today, days < 7 ? days + 7 : days)
}

/** `a week from friday`, `two weeks from tomorrow`, `an hour before midnight`. */
function besideDay(
  parts: PhraseParts,
  length: Length,
  time: Clock | undefined,
  reference: Reference,
): number | undefined {
  const sign = parts.from === 'before' ? -1 : 1
  const isNamed = parts.day !== undefined || parts.weekday !== undefined
  if (!isOfDays(length)) {
    if (time === undefined) return undefined
    const moment = (at: number): number | undefined => momentBeside(at, length, sign)
    if (isNamed) {
      const day = namedDay(parts, time, reference)
      return day && moment(atTime(day, time))
    }
    const candidate = moment(atTime(reference.today, time))
    return candidate !== undefined && candidate <= reference.now
      ? moment(atTime(moved(reference.today, 1), time))
      : candidate
  }
  const day = isNamed ? namedDay(parts, time, reference) : undefined
  const target = day && moveBy(day, length, sign)
  if (target === undefined) return undefined
  const isToday = parts.day?.kind === 'shift' && parts.day.days === 0
  const now = new Date(reference.now)
  const usual = isToday ? { hour: now.getHours(), minute: now.getMinutes() } : { hour: usualHour(parts.day), minute: 0 }
  return atTime(target.day, time ?? usual)
}

const momentBeside = (at: number, { hour = 0, minute = 0, ...days }: Length, sign: number): number | undefined =>
  Object.keys(days).length > 0 ? undefined : at + sign * (hour * HOUR_MS + minute * MINUTE_MS)

/** Whether a length is a whole number of days. */
const isOfDays = ({ minute, hour, day = 0, week = 0 }: Length): boolean =>
  minute === undefined && hour === undefined && Number.isInteger(day + week * 7)

/** The day at that distance, and the remaining milliseconds. */
function moveBy(from: Day, length: Length, sign: number): { readonly day: Day; readonly rest: number } | undefined {
  const { minute = 0, hour = 0, day = 0, week = 0, month = 0, year = 0 } = length
  const months = month + year * 12
  if (!Number.isInteger(months)) return undefined
  const days = day + week * 7
  const full = Math.floor(days)
  const rest = (days - full) * 24 * HOUR_MS + hour * HOUR_MS + minute * MINUTE_MS
  return { day: moved(monthsOn(from, sign * months), sign * full), rest }
}

/** `undefined`: the named day does not exist, or two different days were named. */
function namedDay(parts: PhraseParts, time: Clock | undefined, reference: Reference): Day | undefined {
  const { day, weekday } = parts
  const { today } = reference
  if (day === undefined)
    return weekday === undefined ? undefined : moved(today, ((weekday - weekdayOf(today) + 6) % 7) + 1)
  if (day.kind === 'week') {
    if (day.ahead === 0 && weekday === undefined) return undefined
    return moved(today, daysToWeek(day.ahead, weekday ?? 1, reference))
  }
  const named = dayNamed(day, time, reference)
  if (named === undefined || weekday === undefined) return named
  const canDiffer = day.kind === 'shift' || day.kind === 'date' || day.kind === 'monthDay'
  return canDiffer && weekdayOf(named) === weekday ? named : undefined
}

function dayNamed(
  day: Exclude<DayName, { kind: 'week' }>,
  time: Clock | undefined,
  reference: Reference,
): Day | undefined {
  const { today, now } = reference
  switch (day.kind) {
    case 'shift':
      return moved(today, day.days)
    case 'date':
      return dateFrom(day, today)
    case 'monthDay': {
      const here = existing({ ...today, day: day.day })
      const isAhead = here !== undefined && atTime(here, time ?? { hour: MORNING, minute: 0 }) > now
      return isAhead && day.isNextMonth !== true ? here : existing({ ...firstOfMonth(today, 1), day: day.day })
    }
    case 'weekend': {
      const isSaturday = weekdayOf(today) === SATURDAY && day.ahead === 0
      if (isSaturday) return moved(today, 1)
      return moved(today, day.ahead === 0 ? daysTo(SATURDAY, today) : daysToWeek(day.ahead, SATURDAY, reference))
    }
    case 'start':
      return startOf(day, reference)
    case 'end':
      return endOf(day, time, reference)
    case 'endOfMonth':
      return lastOfMonth(firstOfMonth(today, (day.month - today.month + 12) % 12))
  }
}

function startOf({ of, ahead }: DayName & { kind: 'start' | 'end' }, reference: Reference): Day {
  if (of === 'week') return moved(reference.today, daysToWeek(ahead, 1, reference))
  if (of === 'month') return firstOfMonth(reference.today, ahead)
  return { year: reference.today.year + ahead, month: 1, day: 1 }
}

/** A week ends on Friday, with the working week. */
function endOf({ of, ahead }: DayName & { kind: 'start' | 'end' }, time: Clock | undefined, reference: Reference): Day {
  const { today, now } = reference
  if (of === 'month') return lastOfMonth(firstOfMonth(today, ahead))
  if (of === 'year') return { year: today.year + ahead, month: 12, day: 31 }
  if (ahead > 0) return moved(today, daysToWeek(ahead, FRIDAY, reference))
  const isToday = weekdayOf(today) === FRIDAY && atTime(today, time ?? { hour: CLOSE, minute: 0 }) > now
  return isToday ? today : moved(today, daysTo(FRIDAY, today))
}

/** Days until the next such weekday, never 0. */
const daysTo = (weekday: number, today: Day): number => ((weekday - weekdayOf(today) + 6) % 7) + 1

/** Days until that weekday of the week this many weeks ahead. */
function daysToWeek(weeks: number, weekday: number, { today, firstWeekday }: Reference): number {
  const inWeek = (each: number): number => (each - firstWeekday + 7) % 7
  return weeks * 7 - inWeek(weekdayOf(today)) + inWeek(weekday)
}

/** Without a year, the next occurrence. */
function dateFrom(date: DayName & { kind: 'date' }, today: Day): Day | undefined {
  if (date.year !== undefined) return existing({ day: date.day, month: date.month, year: date.year })
  const isOver = date.month < today.month || (date.month === today.month && date.day < today.day)
  return existing({ day: date.day, month: date.month, year: today.year + (isOver ? 1 : 0) })
}

/** `none`: the hour contradicts the rest of the phrase. */
function timeOf({ time, part, opening, day, weekday }: PhraseParts, now: number): Clock | 'none' | undefined {
  const hasDay = day !== undefined || weekday !== undefined
  if (opening !== undefined) {
    const isOfDay = day?.kind !== 'week' && day?.kind !== 'start' && day?.kind !== 'end'
    const isMorning = part === undefined || part === 'morning'
    return time === undefined && isMorning && isOfDay ? { hour: opening, minute: 0 } : 'none'
  }
  if (time === 'same') {
    const date = new Date(now)
    return hasDay && part === undefined ? { hour: date.getHours(), minute: date.getMinutes() } : 'none'
  }
  if (time === undefined) return part && { hour: PARTS[part].at, minute: 0 }
  if (time.bare && part === undefined && !(weekday !== undefined || isOneDay(day))) return 'none'
  const hour = hourIn(part, time)
  return hour === undefined ? 'none' : { hour, minute: time.minute }
}

/** Names a single day, not the beginning or the end of a longer period. */
const isOneDay = (day: DayName | undefined): boolean =>
  day !== undefined && day.kind !== 'start' && day.kind !== 'end' && day.kind !== 'endOfMonth'

/** Without a part of the day, one to six are in the afternoon. */
function hourIn(part: Part | undefined, { hour, loose }: Time): number | undefined {
  if (part === undefined) return loose && hour <= 6 ? hour + 12 : hour
  const meant = loose ? [hour, hour + 12, hour + 24] : [hour, hour + 24]
  return meant.find((each) => HOURS[part].some(([from, before]) => each >= from && each < before))
}

function dayOf(at: number): Day {
  const date = new Date(at)
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() }
}

const atTime = ({ year, month, day }: Day, { hour, minute }: Clock): number =>
  new Date(year, month - 1, day, hour, minute).getTime()

const moved = ({ year, month, day }: Day, days: number): Day =>
  dayOf(new Date(year, month - 1, day + days, 12).getTime())

/** The same day of another month, or that month's last day. */
function monthsOn({ year, month, day }: Day, months: number): Day {
  const first = firstOfMonth({ year, month, day }, months)
  return { ...first, day: Math.min(day, lastOfMonth(first).day) }
}

const firstOfMonth = ({ year, month }: Day, months: number): Day =>
  dayOf(new Date(year, month - 1 + months, 1, 12).getTime())

const lastOfMonth = ({ year, month }: Day): Day => dayOf(new Date(year, month, 0, 12).getTime())

/** 1 is Monday. */
const weekdayOf = ({ year, month, day }: Day): number => ((new Date(year, month - 1, day, 12).getDay() + 6) % 7) + 1

function existing(day: Day): Day | undefined {
  const same = moved(day, 0)
  return same.month === day.month && same.day === day.day ? day : undefined
}
