import { describe, expect, test } from 'vitest'
import { parsePastText } from './parse.ts'

/** A Monday. */
const NOW = new Date(2026, 10, 23, 9, 20).getTime()
const at = (day: number, hour = 0, minute = 0): number => new Date(2026, 10, day, hour, minute).getTime()

describe.each([
  ['en', 'Friday 17:00', at(20, 17)],
  ['en', 'since friday 5pm', at(20, 17)],
  ['en', 'last Friday', at(20)],
  ['en', 'Monday', at(23)],
  ['en', 'Monday 10:00', at(16, 10)],
  ['en', 'yesterday', at(22)],
  ['en', 'yesterday 9:30', at(22, 9, 30)],
  ['en', 'today', at(23)],
  ['en', 'today 8:00', at(23, 8)],
  ['en', '8:00', at(23, 8)],
  ['en', '17:00', at(22, 17)],
  ['en', '3 hours ago', NOW - 3 * 3_600_000],
  ['en', '2 days ago', at(21, 9, 20)],
  ['en', 'november 18', at(18)],
  ['en', '1 month ago', new Date(2026, 9, 23, 9, 20).getTime()],
  ['en', 'last Monday', at(16)],
  ['en', 'since last Monday 10:00', at(16, 10)],
  ['en', 'the day before yesterday', at(21)],
  ['pl', 'piątek 17:00', at(20, 17)],
  ['pl', 'od piątku o 17', at(20, 17)],
  ['pl', 'w zeszły piątek o 17', at(20, 17)],
  ['pl', 'wczoraj', at(22)],
  ['pl', 'wczoraj o 9:30', at(22, 9, 30)],
  ['pl', '3 godziny temu', NOW - 3 * 3_600_000],
  ['pl', 'zeszły poniedziałek', at(16)],
  ['pl', 'od poniedziałku', at(23)],
  ['pl', 'przedwczoraj o 9:30', at(21, 9, 30)],
  ['ru', 'пятница 17:00', at(20, 17)],
  ['ru', 'с пятницы 17:00', at(20, 17)],
  ['ru', 'вчера', at(22)],
  ['ru', 'вчера в 9:30', at(22, 9, 30)],
  ['ru', 'в прошлый понедельник', at(16)],
  ['ru', 'позавчера', at(21)],
  ['ru', '3 часа назад', NOW - 3 * 3_600_000],
  ['ru', '2 дня назад', at(21, 9, 20)],
])('%s', (language, text, expected) => {
  test(`“${text}” is understood as the latest such time`, () => {
    expect(new Date(parsePastText(text, NOW, language) ?? 0).toString()).toBe(new Date(expected).toString())
  })
})

describe('when the clock was changed meanwhile', () => {
  test.each([
    ['spring', new Date(2026, 2, 30, 9, 20), new Date(2026, 2, 28, 9, 20)],
    ['autumn', new Date(2026, 9, 26, 9, 20), new Date(2026, 9, 24, 9, 20)],
  ])('in %s, days ago are at the same time of day', (_when, now, expected) => {
    expect(new Date(parsePastText('2 days ago', now.getTime(), 'en') ?? 0).toString()).toBe(expected.toString())
  })

  test('the last day of a month is not passed over', () => {
    const now = new Date(2026, 2, 31, 9, 20).getTime()
    expect(new Date(parsePastText('1 month ago', now, 'en') ?? 0).toString()).toBe(
      new Date(2026, 1, 28, 9, 20).toString(),
    )
  })
})

test('what is ahead, and what is no time, is not understood', () => {
  for (const text of ['tomorrow', 'in 3 hours', 'the other day', '', 'today 17:00', 'since'])
    expect(parsePastText(text, NOW, 'en')).toBeUndefined()
})

test('the other languages are tried too', () => {
  expect(parsePastText('wczoraj', NOW, 'en')).toBe(at(22))
})
