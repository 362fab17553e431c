import { LANGUAGES } from '../../domain/settings.ts'
import { resolveTime, type PhraseParts } from './grammar/calendar.ts'
import { readingsOf } from './grammar/grammar.ts'
import { wordsOf } from './grammar/lexicon.ts'
import { GRAMMARS } from './grammar/parse.ts'

/** The words that make a phrase one about the past, folded; the grammars know only what is ahead. */
const PAST = {
  en: { since: ['since', 'from', 'after', 'last'], yesterday: 'yesterday', today: 'today', ago: 'ago', ahead: 'in' },
  pl: {
    since: ['od', 'zeszly', 'zeszla', 'zeszlego', 'zeszlej', 'ostatni', 'ostatniego', 'ostatnia', 'ostatniej'],
    yesterday: 'wczoraj',
    today: 'dzisiaj',
    ago: 'temu',
    ahead: 'za',
  },
  ru: {
    since: ['с', 'со', 'от', 'прошлои', 'прошлую', 'прошлого', 'прошлыи', 'прошлое'],
    yesterday: 'вчера',
    today: 'сегодня',
    ago: 'назад',
    ahead: 'через',
  },
} as const

const DAY_MS = 86_400_000
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
  const { since, yesterday, today, ago, ahead } = PAST[language]
  const words = wordsOf(text).filter((word, at) => at > 1 || !(since as readonly string[]).includes(word))
  const parse = (phrase: readonly string[]): readonly PhraseParts[] => readingsOf(phrase.join(' '), GRAMMARS[language])
  if (words.at(-1) === ago) {
    const spans = parse([ahead, ...words.slice(0, -1)]).flatMap((parts) => resolveTime(parts, now, firstWeekday) ?? [])
    return spans.filter((at) => at > now).map((at) => now - (at - now))
  }
  const isYesterday = words.includes(yesterday)
  const named = words.map((word) => (word === yesterday ? today : word))
  const start = isYesterday ? new Date(now).setDate(new Date(now).getDate() - 1) : now
  return parse(named).flatMap((parts) => {
    const at = latestBefore(fromItsBeginning(parts), start, firstWeekday, isYesterday ? start + DAY_MS : now)
    return at === undefined || at >= now ? [] : [at]
  })
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
