import { LANGUAGES, type AppLanguage } from '#shared/domain/settings.ts'
import { momentOfWords } from './calendar.ts'
import { ENGLISH } from './english.ts'
import type { Lexicon } from './lexicon.ts'
import { POLISH } from './polish.ts'
import { Reader } from './reader.ts'
import { RUSSIAN } from './russian.ts'
import { tokensOf } from './tokens.ts'

const LEXICONS: Readonly<Record<AppLanguage, Lexicon>> = { en: ENGLISH, pl: POLISH, ru: RUSSIAN }

/**
 * The moment that plain words mean: "in 3 days", "jutro o 9", "через два часа". Understood in the given language first,
 * then in the two others; `undefined` when a word is not understood or the moment is not after `now`.
 *
 * Calendar words are by this computer's time zone. A day without an hour means nine in the morning. Source: product
 * paper 1J, row J1.
 *
 * @param now epoch milliseconds
 * @param firstWeekday the day on which a week begins, 1 is Monday
 * @returns epoch milliseconds
 */
export function parseReminderWords(text: string, now: number, language: string, firstWeekday = 1): number | undefined {
  const first = LANGUAGES.filter((each) => each === language)
  for (const each of [...first, ...LANGUAGES.filter((other) => other !== language)]) {
    const tokens = tokensOf(text, LEXICONS[each])
    const said = tokens && new Reader(tokens, each).read()
    const at = said && momentOfWords(said, now, firstWeekday)
    if (at !== undefined && at > now) return at
  }
  return undefined
}
