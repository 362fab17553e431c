import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as english from '../../../../tests/phrases/en.ts'
import * as polish from '../../../../tests/phrases/pl.ts'
import * as russian from '../../../../tests/phrases/ru.ts'
import { parseReminderText } from './parse.ts'

/** Friday 20 November 2026, 11:56 local time. */
const NOW = new Date(2026, 10, 20, 11, 56).getTime()
const TABLES = { en: english.PHRASES, pl: polish.PHRASES, ru: russian.PHRASES }

/** `in 0:30`, `+1 9:00`, `+3 @` as written in the tables. */
function momentOf(words: string): number {
  const [, hours, minutes] = /^in (\d+):(\d+)$/.exec(words) ?? []
  if (hours !== undefined) return NOW + (Number(hours) * 60 + Number(minutes)) * 60_000
  const [, days, time = ''] = /^\+(\d+) (.+)$/.exec(words) ?? []
  const [hour = 11, minute = 56] = time === '@' ? [] : time.split(':').map(Number)
  return new Date(2026, 10, 20 + Number(days), hour, minute).getTime()
}

const parsed = (text: string, language = 'en'): string | undefined => {
  const at = parseReminderText(text, NOW, language)
  return at === undefined ? undefined : new Date(at).toString().slice(0, 21)
}

describe.each(Object.entries(TABLES))('in %s', (language, table) => {
  test('there are at least 200 phrases', () => {
    expect(new Set(Object.values(table).flat()).size).toBeGreaterThanOrEqual(200)
  })

  test.each(Object.entries(table))('%s', (when, phrases) => {
    const expected = new Date(momentOf(when)).toString().slice(0, 21)
    expect(phrases.map((phrase) => `${phrase}: ${parsed(phrase, language)}`)).toEqual(
      phrases.map((phrase) => `${phrase}: ${expected}`),
    )
  })
})

/** Wednesday 18 November 2026, 10:20 local time. */
const wednesday = (): number => new Date(2026, 10, 18, 10, 20).getTime()

/** `11-27 9:00`, `2027-01-04 9:00` as written in the tables. */
function localMoment(words: string): number {
  const [, year = 2026, month, day, hour, minute] = (/^(?:(\d{4})-)?(\d+)-(\d+) (\d+):(\d+)$/.exec(words) ?? []).map(
    (part) => (part === undefined ? undefined : Number(part)),
  )
  return new Date(year, (month ?? 0) - 1, day, hour, minute).getTime()
}

/** Offset from UTC in November, in hours. */
const ZONES = { 'Europe/Warsaw': 1, 'America/New_York': -5, 'Asia/Kolkata': 5.5, 'Pacific/Auckland': 13 }

describe.each(Object.entries(ZONES))('on a Wednesday in %s', (zone, hours) => {
  const here = process.env['TZ']
  beforeAll(() => {
    process.env['TZ'] = zone
  })
  afterAll(() => {
    if (here === undefined) delete process.env['TZ']
    else process.env['TZ'] = here
  })

  test('the process uses the time zone', () => {
    expect(new Date(wednesday()).getTimezoneOffset()).toBe(-60 * hours)
  })

  describe.each([['en', english] as const, ['pl', polish] as const, ['ru', russian] as const])(
    '%s',
    (language, { WEDNESDAY, REFUSED }) => {
      test('phrases are parsed, whatever the language of the window', () => {
        const wrong = Object.entries(WEDNESDAY).flatMap(([when, phrases]) =>
          phrases.flatMap((phrase) =>
            ['en', 'pl', 'ru'].flatMap((shown) => {
              const at = parseReminderText(phrase, wednesday(), shown)
              if (at === localMoment(when)) return []
              return `${phrase} (${language} in ${shown}): ${at === undefined ? 'refused' : new Date(at).toString()}, not ${when}`
            }),
          ),
        )
        expect(wrong).toEqual([])
      })

      test('ambiguous phrases are refused', () => {
        const taken = REFUSED.flatMap((phrase) => {
          const at = parseReminderText(phrase, wednesday(), language)
          return at === undefined ? [] : `${phrase}: ${new Date(at).toString()}`
        })
        expect(taken).toEqual([])
      })
    },
  )
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
])('“%s” is refused', (text) => {
  expect(parsed(text, 'en')).toBeUndefined()
  expect(parsed(text, 'pl')).toBeUndefined()
  expect(parsed(text, 'ru')).toBeUndefined()
})

test('phrases in another language than that of the interface are parsed too', () => {
  expect(parsed('jutro o 9', 'en')).toBe(parsed('tomorrow at 9', 'en'))
  expect(parsed('через 3 дня', 'pl')).toBe(parsed('in 3 days', 'pl'))
})

test('a month later is the same day, or the last one of a shorter month', () => {
  expect(parsed('in a month')).toContain('Dec 20 2026 11:56')
  const january = new Date(2027, 0, 31, 8, 0).getTime()
  expect(new Date(parseReminderText('in a month', january, 'en') ?? 0).toString()).toContain('Feb 28 2027 08:00')
})

test('a date that has passed this year is in the next', () => {
  expect(parsed('5 may')).toContain('May 05 2027')
  expect(parsed('5 maja', 'pl')).toContain('May 05 2027')
})

test('next week starts on the locale’s first day of the week', () => {
  const sunday = new Date(2026, 10, 22, 8, 0).getTime()
  const from = (first: number, words: string): string =>
    new Date(parseReminderText(words, sunday, 'en', first) ?? 0).toString().slice(4, 10)
  expect(from(1, 'next week')).toBe('Nov 23')
  expect(from(7, 'next week')).toBe('Nov 30')
})

/** Parses a phrase at a local time, and formats the result as local time. */
function clockAt(words: string, now: Date): string {
  const at = parseReminderText(words, now.getTime(), 'en')
  return at === undefined ? 'refused' : new Date(at).toString().slice(4, 24)
}

describe('a part of today that has begun is the next full hour', () => {
  test.each([
    ['tonight', [19, 10], '21:00'],
    ['tonight', [21, 59], '23:00'],
    ['tonight', [22, 10], '23:00'],
    ['this evening', [18, 5], '19:00'],
    ['this afternoon', [15, 20], '16:00'],
    ['today', [18, 30], '19:00'],
    ['18 november', [18, 30], '19:00'],
    ['wednesday 18 november', [8, 30], '09:00'],
    ['later today', [20, 45], '22:00'],
  ] as const)('%s at %j', (words, [hour, minute], expected) => {
    expect(clockAt(words, new Date(2026, 10, 18, hour, minute))).toBe(`Nov 18 2026 ${expected}:00`)
  })

  test('and is refused if no such hour is left', () => {
    const late = new Date(2026, 10, 18, 23, 40)
    expect(['tonight', 'today', 'this evening', 'this morning', 'eod'].map((words) => clockAt(words, late))).toEqual(
      Array.from({ length: 5 }, () => 'refused'),
    )
  })
})

describe('daylight saving time', () => {
  const here = process.env['TZ']
  const inZone = <T>(zone: string, run: () => T): T => {
    process.env['TZ'] = zone
    try {
      return run()
    } finally {
      if (here === undefined) delete process.env['TZ']
      else process.env['TZ'] = here
    }
  }

  test.each([
    // The night from 27 to 28 March has no hour from two to three.
    ['Europe/Warsaw', [2027, 2, 27, 10, 20], 'tomorrow at 9', 'Mar 28 2027 09:00:00'],
    ['Europe/Warsaw', [2027, 2, 27, 10, 20], 'in a day', 'Mar 28 2027 10:20:00'],
    ['Europe/Warsaw', [2027, 2, 27, 10, 20], 'in 24 hours', 'Mar 28 2027 11:20:00'],
    ['Europe/Warsaw', [2027, 2, 27, 10, 20], 'a week from sunday', 'Apr 04 2027 09:00:00'],
    ['Europe/Warsaw', [2027, 2, 27, 10, 20], 'tomorrow at 2:30 am', 'Mar 28 2027 03:30:00'],
    ['Europe/Warsaw', [2027, 2, 28, 1, 50], 'in 20 minutes', 'Mar 28 2027 03:10:00'],
    // The night from 24 to 25 October has the hour from two to three twice.
    ['Europe/Warsaw', [2026, 9, 24, 10, 20], 'tomorrow same time', 'Oct 25 2026 10:20:00'],
    ['Europe/Warsaw', [2026, 9, 24, 10, 20], 'in 24 hours', 'Oct 25 2026 09:20:00'],
    ['Europe/Warsaw', [2026, 9, 24, 10, 20], 'an hour before midnight', 'Oct 24 2026 23:00:00'],
    ['America/New_York', [2027, 2, 13, 10, 20], 'tomorrow', 'Mar 14 2027 09:00:00'],
    ['America/New_York', [2026, 9, 31, 10, 20], 'in a week on sunday', 'Nov 08 2026 09:00:00'],
    ['America/New_York', [2026, 9, 31, 10, 20], 'in 2 days', 'Nov 02 2026 10:20:00'],
    // In the southern hemisphere it is reversed, and midnight itself may not exist.
    ['Pacific/Auckland', [2026, 8, 26, 10, 20], 'tomorrow at 9', 'Sep 27 2026 09:00:00'],
    ['Africa/Cairo', [2027, 3, 29, 10, 20], 'tomorrow', 'Apr 30 2027 09:00:00'],
    ['Africa/Cairo', [2027, 3, 29, 10, 20], 'in 2 days', 'May 01 2027 10:20:00'],
    ['Australia/Lord_Howe', [2026, 9, 3, 10, 20], 'in 24 hours', 'Oct 04 2026 10:50:00'],
  ] as const)('%s, %j: %s', (zone, [year, month, day, hour, minute], words, expected) => {
    expect(inZone(zone, () => clockAt(words, new Date(year, month, day, hour, minute)))).toBe(expected)
  })
})

test('a weekday with weeks is in that week, and never less than a week away', () => {
  const onSunday = new Date(2026, 10, 22, 8, 0)
  expect(clockAt('in a week on monday', onSunday)).toBe('Nov 30 2026 09:00:00')
  expect(clockAt('in a week on sunday', onSunday)).toBe('Nov 29 2026 09:00:00')
  expect(clockAt('a week from monday', onSunday)).toBe('Nov 30 2026 09:00:00')
})
