import { LANGUAGES, type AppLanguage } from '#shared/domain/settings.ts'
import { resolveTime } from './calendar.ts'
import { ENGLISH } from './english.ts'
import { readingsOf, type Grammar } from './grammar.ts'
import { POLISH } from './polish.ts'
import { RUSSIAN } from './russian.ts'

export const GRAMMARS: Readonly<Record<AppLanguage, Grammar>> = { en: ENGLISH, pl: POLISH, ru: RUSSIAN }

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
