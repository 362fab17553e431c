import { fold } from './search-fold.ts'

/** A day of the calendar, without a time zone; month from 1. */
export type Day = { readonly year: number; readonly month: number; readonly day: number }

/** From the beginning of one day to the beginning of another (exclusive); open if absent. */
export type DayRange = { readonly from?: Day; readonly until?: Day }

type Whole = { readonly from: Day; readonly until: Day }

const TODAY = new Set(['today', 'dzis', 'dzisiaj', 'сегодня'])
const YESTERDAY = new Set(['yesterday', 'wczoraj', 'вчера'])

/** UTC is only used for calendar arithmetic. */
function moved({ year, month, day }: Day, days: number): Day {
  const date = new Date(Date.UTC(year, month - 1, day + days))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** `2026-11-05`, `5.11.2026`, `today`, `yesterday`, `7d` (days ago). Days that do not exist are `undefined`. */
export function parseDay(text: string, today: Day): Day | undefined {
  const word = fold(text)
  if (TODAY.has(word)) return today
  if (YESTERDAY.has(word)) return moved(today, -1)
  const ago = /^(\d{1,4})[dд]$/.exec(word)
  if (ago) return moved(today, -Number(ago[1]))
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  if (iso) return existing({ year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) })
  if (dotted) return existing({ year: Number(dotted[3]), month: Number(dotted[2]), day: Number(dotted[1]) })
  return undefined
}

/** A day, a month (`2026-11`, `11.2026`) or a year (`2026`). */
export function parseSpan(text: string, today: Day): Whole | undefined {
  const day = parseDay(text, today)
  if (day) return { from: day, until: moved(day, 1) }
  const month = /^(\d{4})-(\d{1,2})$/.exec(text)
  const dotted = /^(\d{1,2})\.(\d{4})$/.exec(text)
  if (month) return wholeMonth(Number(month[1]), Number(month[2]))
  if (dotted) return wholeMonth(Number(dotted[2]), Number(dotted[1]))
  const year = /^(\d{4})$/.exec(text)
  if (!year || Number(year[1]) < 1970) return undefined
  return { from: { year: Number(year[1]), month: 1, day: 1 }, until: { year: Number(year[1]) + 1, month: 1, day: 1 } }
}

const MONTHS = [
  ['january', 'jan', 'styczen', 'январь'],
  ['february', 'feb', 'luty', 'февраль'],
  ['march', 'mar', 'marzec', 'март'],
  ['april', 'apr', 'kwiecien', 'апрель'],
  ['may', 'maj', 'май'],
  ['june', 'jun', 'czerwiec', 'июнь'],
  ['july', 'jul', 'lipiec', 'июль'],
  ['august', 'aug', 'sierpien', 'август'],
  ['september', 'sep', 'wrzesien', 'сентябрь'],
  ['october', 'oct', 'pazdziernik', 'октябрь'],
  ['november', 'nov', 'listopad', 'ноябрь'],
  ['december', 'dec', 'grudzien', 'декабрь'],
] as const

/** `march`: the most recent one that has begun. */
export function monthOf(text: string, today: Day): Whole | undefined {
  const word = fold(text)
  const index = MONTHS.findIndex((names) => names.some((name) => fold(name) === word))
  if (index < 0) return undefined
  return wholeMonth(index + 1 > today.month ? today.year - 1 : today.year, index + 1)
}

function wholeMonth(year: number, month: number): Whole | undefined {
  const from = existing({ year, month, day: 1 })
  if (!from) return undefined
  return { from, until: month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 } }
}

function existing(day: Day): Day | undefined {
  if (day.year < 1970 || day.year > 9_999) return undefined
  const same = moved(day, 0)
  return same.month === day.month && same.day === day.day ? day : undefined
}
