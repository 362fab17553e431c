import { LANGUAGES, type AppLanguage } from '#shared/domain/settings.ts'
import { resolveTime, type PhraseParts } from './calendar.ts'
import { ENGLISH } from './english.ts'
import { readingsOf, type Grammar, wordsOf } from './grammar.ts'
import { POLISH } from './polish.ts'
import { RUSSIAN } from './russian.ts'

const GRAMMARS: Readonly<Record<AppLanguage, Grammar>> = { en: ENGLISH, pl: POLISH, ru: RUSSIAN }

/**
 * Parses a time in plain language: "in 3 days", "jutro o 9", "через два часа". Tries the given language first, then the
 * other two. `undefined` if a word cannot be used, if the phrase is ambiguous, and if the time is not after `now`.
 *
 * Days are in this device's time zone. A day without an hour means nine in the morning.
 *
 * @param now epoch milliseconds
 * @param firstWeekday the first day of a week, 1 is Monday
 * @returns epoch milliseconds
 */
export function parseReminderText(text: string, now: number, language: string, firstWeekday = 1): number | undefined {
  const first = LANGUAGES.filter((each) => each === language)
  for (const each of [...first, ...LANGUAGES.filter((other) => other !== language)]) {
    const moments = readingsOf(text, GRAMMARS[each]).map((reading) => resolveTime(reading, now, firstWeekday))
    const ahead = new Set(moments.filter((at) => at !== undefined && at > now))
    if (ahead.size > 0) return ahead.size === 1 ? [...ahead][0] : undefined
  }
  return undefined
}

/**
 * The words that make a phrase one about the past, folded; the grammars know only what is ahead. `days`: days back from
 * today, the longest name first.
 */
const PAST = {
  en: {
    since: ['since', 'from', 'after'],
    last: ['last'],
    days: [
      ['the day before yesterday', 2],
      ['day before yesterday', 2],
      ['yesterday', 1],
    ],
    today: 'today',
    ago: 'ago',
    ahead: 'in',
  },
  pl: {
    since: ['od'],
    last: ['zeszly', 'zeszla', 'zeszlego', 'zeszlej', 'ostatni', 'ostatniego', 'ostatnia', 'ostatniej'],
    days: [
      ['przedwczoraj', 2],
      ['wczoraj', 1],
    ],
    today: 'dzisiaj',
    ago: 'temu',
    ahead: 'za',
  },
  ru: {
    since: ['с', 'со', 'от'],
    last: ['прошлои', 'прошлую', 'прошлого', 'прошлыи', 'прошлое'],
    days: [
      ['позавчера', 2],
      ['вчера', 1],
    ],
    today: 'сегодня',
    ago: 'назад',
    ahead: 'через',
  },
} as const satisfies Record<string, PastWords>

type PastWords = {
  readonly since: readonly string[]
  readonly last: readonly string[]
  readonly days: readonly (readonly [name: string, back: number])[]
  readonly today: string
  readonly ago: string
  readonly ahead: string
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** From where the latest time before now is found, as the first one after it: the nearest first. */
const REFERENCES = [0, 1, 7, 14, 31, 366].map((days) => days * DAY_MS)

/**
 * Parses a past time in plain language: "Friday 17:00", "yesterday", "3 godziny temu", "с пятницы". Tries the given
 * language first, then the others. A day without an hour is its beginning. `undefined` if it is not understood,
 * ambiguous, or not before `now`.
 *
 * @param now epoch milliseconds
 * @param firstWeekday the first day of a week, 1 is Monday
 * @returns epoch milliseconds
 */
export function parsePastText(text: string, now: number, language: string, firstWeekday = 1): number | undefined {
  for (const each of [...LANGUAGES].toSorted((a, b) => Number(b === language) - Number(a === language))) {
    const found = new Set(momentsOf(text, now, each, firstWeekday))
    if (found.size > 0) return found.size === 1 ? [...found][0] : undefined
  }
  return undefined
}

function momentsOf(text: string, now: number, language: keyof typeof PAST, firstWeekday: number): readonly number[] {
  const { since, last, days, today, ago, ahead }: PastWords = PAST[language]
  const all = wordsOf(text)
  const isLast = all.slice(0, 2).some((word) => last.includes(word))
  const words = all.filter((word, at) => at > 1 || !(since.includes(word) || last.includes(word)))
  const parse = (phrase: string): readonly PhraseParts[] => readingsOf(phrase, GRAMMARS[language])
  if (words.at(-1) === ago) {
    return parse([ahead, ...words.slice(0, -1)].join(' ')).flatMap((parts) => agoOf(parts, now) ?? [])
  }
  const phrase = ` ${words.join(' ')} `
  const [name = '', back = 0] = days.find(([each]) => phrase.includes(` ${each} `)) ?? []
  const start = daysBack(now, back)
  // "Last Monday" is not today.
  const end = isLast ? new Date(now).setHours(0, 0, 0, 0) - 1 : back > 0 ? start + DAY_MS : now
  return parse((back > 0 ? phrase.replace(` ${name} `, ` ${today} `) : phrase).trim()).flatMap((parts) => {
    const at = latestBefore(fromItsBeginning(parts), start, firstWeekday, end)
    return at === undefined || at >= now ? [] : [at]
  })
}

const daysBack = (at: number, days: number): number => new Date(at).setDate(new Date(at).getDate() - days)

/** Days, weeks and months ago are at the same time of day; a month has its last day where it is too short. */
function agoOf({ length, from, ...others }: PhraseParts, now: number): number | undefined {
  if (length === undefined || from !== 'now' || Object.values(others).some((part) => part !== undefined))
    return undefined
  const { minute = 0, hour = 0, day = 0, week = 0, month = 0, year = 0 } = length
  const months = month + year * 12
  if (!Number.isInteger(months)) return undefined
  const days = Math.floor(day + week * 7)
  const restMs = (day + week * 7 - days) * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS
  const then = months + days === 0 ? now : daysBack(monthsBack(now, months), days)
  return then - restMs < now ? then - restMs : undefined
}

function monthsBack(at: number, months: number): number {
  const date = new Date(at)
  const last = new Date(date.getFullYear(), date.getMonth() - months + 1, 0).getDate()
  return date.setMonth(date.getMonth() - months, Math.min(date.getDate(), last))
}

/** A day without an hour begins at midnight here, not in the morning. */
const fromItsBeginning = (parts: PhraseParts): PhraseParts =>
  parts.time === undefined && parts.part === undefined && parts.length === undefined && parts.opening === undefined
    ? { ...parts, time: { hour: 0, minute: 0 } }
    : parts

function latestBefore(parts: PhraseParts, start: number, firstWeekday: number, end: number): number | undefined {
  if (parts.length !== undefined) return undefined
  // "Today" is of one day; everything else was there before.
  const references = parts.day?.kind === 'shift' ? REFERENCES.slice(0, 1) : REFERENCES
  for (const back of references) {
    const at = resolveTime(parts, start - back, firstWeekday)
    if (at !== undefined && at <= end) return at
  }
  return undefined
}
