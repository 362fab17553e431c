import { parseReminderText } from '#shared/rules/reminders/grammar/parse.ts'
import { parseDay } from '#shared/rules/search/search-days.ts'
import { dayOf, fieldsOf, noonOf } from '../../lib/time/moments.ts'

type Part = 'day' | 'month' | 'year'

export type Typing = {
  /** Epoch milliseconds. */
  readonly now: number
  readonly language: string
  /** The order of a numeric date. */
  readonly order: readonly Part[]
  /** The first day of the week, 1 is Monday. */
  readonly firstWeekday?: number
  /** The range of possible days, as `2026-11-24`. */
  readonly min?: string
  readonly max?: string
}

/**
 * Parses a typed date, as `2026-11-24`: digits in the order of the language (without a year, the nearest such day
 * that is possible), `2026-11-24` in every language, or words: "today", "yesterday", "in 3 days", "next Friday".
 */
export function readDay(text: string, typing: Typing): string | undefined {
  const label = text.trim()
  if (label === '') return undefined
  const { now, language, firstWeekday } = typing
  const today = fieldsOf(now).date
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
  const digits = readDigits(label, typing, today)
  if (digits !== undefined) return digits
  const parsed = parseDay(label, { year, month, day })
  if (parsed !== undefined) return dayOf(parsed.year, parsed.month, parsed.day)
  const at = parseReminderText(label, now, language, firstWeekday)
  return at === undefined ? undefined : fieldsOf(at).date
}

/** `24.11.2026`, `24.11.26`, `24 11`, `11/24`. */
function readDigits(text: string, { order, min = '', max = '9999' }: Typing, today: string): string | undefined {
  const groups = /^(\d{1,2})[./\-\s]+(\d{1,2})(?:[./\-\s]+(\d{4}|\d{2}))?[.\s]*$/.exec(text)?.slice(1)
  if (groups === undefined) return undefined
  const [first, second, typedYear] = groups.map((group) => (group === undefined ? undefined : Number(group)))
  const [day = 0, month = 0] = isMonthFirst(order) ? [second, first] : [first, second]
  if (typedYear !== undefined) return existing(typedYear < 100 ? 2_000 + typedYear : typedYear, month, day)
  const thisYear = Number(today.slice(0, 4))
  const away = (date: string): number => Math.abs(noonOf(date) - noonOf(today))
  return [thisYear - 1, thisYear, thisYear + 1]
    .flatMap((year) => existing(year, month, day) ?? [])
    .filter((date) => date >= min && date <= max)
    .toSorted((a, b) => away(a) - away(b))[0]
}

const isMonthFirst = (order: readonly Part[]): boolean => order.indexOf('month') < order.indexOf('day')

/** Only days that exist: not February 31. */
function existing(year: number, month: number, day: number): string | undefined {
  const date = dayOf(year, month, day)
  const at = noonOf(date)
  return !Number.isNaN(at) && fieldsOf(at).date === date ? date : undefined
}

const TIME = /^(\d{1,2})(?:[:.\s]?(\d{2}))?\s*(?:([ap])\.?\s?m\.?)?$/i

/** Parses a typed time, as minutes after midnight: `9`, `9:30`, `0930`, `9.30`, `9:30 pm`. */
export function readTime(text: string): number | undefined {
  const [, hours, minutes = '0', half] = TIME.exec(text.trim()) ?? []
  if (hours === undefined) return undefined
  const [hour, minute] = [Number(hours), Number(minutes)]
  if (minute > 59) return undefined
  if (half === undefined) return hour > 23 ? undefined : hour * 60 + minute
  if (hour < 1 || hour > 12) return undefined
  return ((hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) * 60 + minute
}
