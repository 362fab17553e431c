import { describe, expect, test } from 'vitest'
import { PHRASES as ENGLISH } from './phrases/en.ts'
import { PHRASES as POLISH } from './phrases/pl.ts'
import { PHRASES as RUSSIAN } from './phrases/ru.ts'
import { parseReminderWords } from './parse.ts'

/** Friday 20 November 2026, 11:56 local time. */
const NOW = new Date(2026, 10, 20, 11, 56).getTime()
const TABLES = { en: ENGLISH, pl: POLISH, ru: RUSSIAN }

/** `in 0:30`, `+1 9:00`, `+3 @` as written in the tables. */
function momentOf(words: string): number {
  const [, hours, minutes] = /^in (\d+):(\d+)$/.exec(words) ?? []
  if (hours !== undefined) return NOW + (Number(hours) * 60 + Number(minutes)) * 60_000
  const [, days, time = ''] = /^\+(\d+) (.+)$/.exec(words) ?? []
  const [hour = 11, minute = 56] = time === '@' ? [] : time.split(':').map(Number)
  return new Date(2026, 10, 20 + Number(days), hour, minute).getTime()
}

const said = (text: string, language = 'en'): string | undefined => {
  const at = parseReminderWords(text, NOW, language)
  return at === undefined ? undefined : new Date(at).toString().slice(0, 21)
}

describe.each(Object.entries(TABLES))('in %s', (language, table) => {
  test('there are at least 200 phrases', () => {
    expect(new Set(Object.values(table).flat()).size).toBeGreaterThanOrEqual(200)
  })

  test.each(Object.entries(table))('%s', (when, phrases) => {
    const expected = new Date(momentOf(when)).toString().slice(0, 21)
    expect(phrases.map((phrase) => `${phrase}: ${said(phrase, language)}`)).toEqual(
      phrases.map((phrase) => `${phrase}: ${expected}`),
    )
  })
})

test.each([
  '',
  'soon',
  'someday',
  '42',
  'in',
  'at',
  'tomorrow maybe',
  'in 3',
  'at 25:00',
  '31 february',
  'yesterday',
  'today at 9',
  'in 0 minutes',
  '5/6',
  'tomorrow friday',
  'at 9 at 10',
  '2020-01-01',
  'за три',
  'wczoraj',
  'в 9 вечера вчера',
])('“%s” is not guessed', (text) => {
  expect([said(text, 'en'), said(text, 'pl'), said(text, 'ru')]).toEqual([undefined, undefined, undefined])
})

test('words of another language than the interface’s are understood too', () => {
  expect(said('jutro o 9', 'en')).toBe(said('tomorrow at 9', 'en'))
  expect(said('через 3 дня', 'pl')).toBe(said('in 3 days', 'pl'))
})

test('a month later is the same day, or the last one of a shorter month', () => {
  expect(said('in a month')).toContain('Dec 20 2026 11:56')
  const january = new Date(2027, 0, 31, 8, 0).getTime()
  expect(new Date(parseReminderWords('in a month', january, 'en') ?? 0).toString()).toContain('Feb 28 2027 08:00')
})

test('a date that is over this year is the one of the next', () => {
  expect(said('5 may')).toContain('May 05 2027')
  expect(said('5 maja', 'pl')).toContain('May 05 2027')
})

test('next week begins on the day on which weeks begin there', () => {
  const sunday = new Date(2026, 10, 22, 8, 0).getTime()
  const from = (first: number, words: string): string =>
    new Date(parseReminderWords(words, sunday, 'en', first) ?? 0).toString().slice(4, 10)
  expect([from(1, 'next week'), from(7, 'next week')]).toEqual(['Nov 23', 'Nov 30'])
})
