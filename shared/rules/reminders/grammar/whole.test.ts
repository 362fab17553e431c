import { expect, test } from 'vitest'
import type { AppLanguage } from '#shared/domain/settings.ts'
import { isLong } from '#kit/parts.ts'
import { noteCovered } from '#kit/runs.ts'
import * as english from '../../../../tests/phrases/en.ts'
import * as polish from '../../../../tests/phrases/pl.ts'
import * as russian from '../../../../tests/phrases/ru.ts'
import { parseReminderText } from './parse.ts'

/** Wednesday 18 November 2026, 10:20 local time. */
const NOW = new Date(2026, 10, 18, 10, 20).getTime()

/** Words with a meaning, by kind; the words of a kind differ in meaning. */
const KINDS: Readonly<Record<AppLanguage, Readonly<Record<string, readonly string[]>>>> = {
  en: {
    number: ['7', '45', 'three', 'twenty'],
    ordinal: ['26th', 'fifth'],
    clock: ['16:10', '4:10', '04:10'],
    date: ['24.12.2026', '2027-01-05'],
    unit: ['minutes', 'hour', 'days', 'weeks', 'month', 'year'],
    day: ['today', 'tomorrow', 'overmorrow'],
    weekday: ['monday', 'friday', 'sunday'],
    month: ['march', 'december'],
    part: ['morning', 'noon', 'evening', 'midnight'],
    edge: ['weekend', 'eod', 'eow', 'eom'],
    share: ['half', 'quarter'],
    half: ['am', 'pm'],
    link: ['past', 'to', 'before', 'in', 'and'],
    opening: ['early', 'tonight'],
  },
  pl: {
    number: ['7', '45', 'trzy', 'dwadzieścia'],
    ordinal: ['26-go', 'piątego'],
    hour: ['trzeciej', 'ósmą'],
    clock: ['16:10', '4:10', '04:10'],
    date: ['24.12.2026', '2027-01-05'],
    unit: ['minut', 'godzinę', 'dni', 'tygodnie', 'miesiąc', 'lat'],
    day: ['dziś', 'jutro', 'pojutrze'],
    weekday: ['poniedziałek', 'piątek', 'niedziela'],
    month: ['marca', 'grudnia'],
    part: ['rano', 'południe', 'wieczorem', 'północ'],
    edge: ['weekend', 'koniec'],
    share: ['pół', 'kwadrans', 'wpół'],
    link: ['za', 'przed', 'i', 'zero'],
    opening: ['wcześnie'],
  },
  ru: {
    number: ['7', '45', 'три', 'двадцать'],
    ordinal: ['26-го', 'пятого'],
    clock: ['16:10', '4:10', '04:10'],
    date: ['24.12.2026', '2027-01-05'],
    unit: ['минут', 'час', 'дней', 'недели', 'месяц', 'лет'],
    day: ['сегодня', 'завтра', 'послезавтра'],
    weekday: ['понедельник', 'пятницу', 'воскресенье'],
    month: ['марта', 'декабря'],
    part: ['утром', 'полдень', 'вечером', 'полночь'],
    edge: ['выходные', 'конец'],
    share: ['половина', 'четверть', 'полчаса'],
    link: ['через', 'без', 'за', 'и', 'ноль'],
    opening: ['рано'],
  },
}

const TABLES = { en: english, pl: polish, ru: russian }
const LANGUAGES = ['en', 'pl', 'ru'] as const

/**
 * A word inserted into a phrase makes it refused, changes the time, or is a check that another word of its kind would
 * fail: in any case it is not ignored.
 */
test.each(LANGUAGES)('no meaningful word is ignored in %s', (language) => {
  const read = (words: readonly string[]): number | undefined => parseReminderText(words.join(' '), NOW, language)
  const all = Object.values(TABLES[language].WEDNESDAY).flat()
  const phrases = isLong ? all : all.filter((_, index) => index % 6 === 0)
  const lost: string[] = []
  let checked = 0
  for (const phrase of phrases) {
    const words = phrase.split(' ')
    const before = read(words)
    for (let at = 0; at <= words.length; at += 1)
      for (const [kind, list] of Object.entries(KINDS[language])) {
        const moments = list.map((word) => read(words.toSpliced(at, 0, word)))
        checked += list.length
        const isSame = moments.some((moment) => moment === before)
        if (isSame && moments.every((moment) => moment === before))
          lost.push(`${kind}: ${words.toSpliced(at, 0, list[0] ?? '').join(' ')}`)
      }
  }
  expect(checked).toBeGreaterThan(phrases.length * 50)
  expect(lost).toEqual([])
  noteCovered({ kind: 'reminder phrases with a word too many', isFresh: false, count: checked })
})
