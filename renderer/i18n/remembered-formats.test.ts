import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { patternOf, writeTime } from './remembered-formats.ts'

const DAY_MS = 86_400_000
const morning = new Date(2026, 2, 7, 5, 4).getTime()

beforeEach(() => localStorage.clear())
afterEach(() => vi.restoreAllMocks())

/** The formats of a page that has just been opened. */
async function nextStart() {
  vi.resetModules()
  return import('./format.tsx')
}

/** Counts what is created of `Intl`. */
function intlUses(): () => number {
  const made = (['DateTimeFormat', 'NumberFormat', 'RelativeTimeFormat'] as const).map((name) => vi.spyOn(Intl, name))
  return () => made.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
}

const LOCALES = [
  'en',
  'en-US',
  'en-GB',
  'en-AU',
  'en-CA',
  'en-IN',
  'en-IE',
  'en-ZA',
  'en-NZ',
  'pl',
  'pl-PL',
  'ru',
  'ru-RU',
]

test.each(LOCALES.flatMap((locale) => [undefined, true, false].map((hour12) => [locale, hour12] as const)))(
  'each minute of a day in %s with hour12 %s is written as Intl writes it',
  (locale, hour12) => {
    for (const hour of ['2-digit', 'numeric'] as const) {
      const format = new Intl.DateTimeFormat(locale, {
        hour,
        minute: '2-digit',
        ...(hour12 === undefined ? {} : { hour12 }),
      })
      const pattern = patternOf(format)
      if (pattern === undefined) throw new Error('no pattern')
      const day = new Date(2026, 2, 7).getTime()
      const times = Array.from({ length: 1_440 }, (_each, minute) => day + minute * 60_000)
      expect(times.map((at) => writeTime(pattern, at))).toEqual(times.map((at) => format.format(at)))
    }
  },
)

test('a locale with other digits has no pattern', () => {
  expect(patternOf(new Intl.DateTimeFormat('ar-EG', { hour: '2-digit', minute: '2-digit' }))).toBeUndefined()
})

test('times and the days of a week are written at the next start without Intl, and alike', async () => {
  const first = (await nextStart()).formatsFor('pl', [])
  const days = Array.from({ length: 7 }, (_each, ago) => morning - ago * DAY_MS)
  const texts = [first.time(morning), ...days.map((at) => first.day(at, morning))]
  first.remember()
  const uses = intlUses()
  const second = (await nextStart()).formatsFor('pl', [])
  expect([second.time(morning), ...days.map((at) => second.day(at, morning))]).toEqual(texts)
  expect(uses()).toBe(0)
})

test('a day that was on screen is written at the next start without Intl', async () => {
  const first = (await nextStart()).formatsFor('en', ['en-GB'])
  const long = first.day(morning - 60 * DAY_MS, morning)
  first.remember()
  const uses = intlUses()
  expect((await nextStart()).formatsFor('en', ['en-GB']).day(morning - 60 * DAY_MS, morning)).toBe(long)
  expect(uses()).toBe(0)
})

test('the same day of another year names the year', async () => {
  const formats = (await nextStart()).formatsFor('en', ['en-GB'])
  const day = new Date(2025, 10, 5).getTime()
  expect(formats.day(day, new Date(2025, 10, 20).getTime())).toBe('Wednesday 5 November')
  expect(formats.day(day, morning)).toBe('Wednesday, 5 November 2025')
})

test('only the days shown last are remembered', async () => {
  const first = (await nextStart()).formatsFor('en', [])
  first.remember()
  for (let ago = 300; ago > 10; ago -= 1) first.day(morning - ago * DAY_MS, morning)
  first.remember()
  const second = (await nextStart()).formatsFor('en', [])
  const uses = intlUses()
  second.day(morning - 11 * DAY_MS, morning)
  second.day(morning - DAY_MS, morning)
  expect(uses()).toBe(0)
  second.day(morning - 300 * DAY_MS, morning)
  expect(uses()).toBe(1)
})

test.each<[string, (page: typeof import('./format.tsx')) => string]>([
  ['another locale', ({ formatsFor }) => formatsFor('en', ['en-GB']).time(morning)],
  [
    'another clock',
    ({ formatsFor, setClock }) => {
      setClock('24h', undefined)
      return formatsFor('en', ['en-US']).time(morning)
    },
  ],
])('%s is not written as the remembered one', async (_name, write) => {
  ;(await nextStart()).formatsFor('en', ['en-US']).remember()
  expect(write(await nextStart())).toBe('05:04')
})

test('another Chromium may write differently: it is asked again', async () => {
  ;(await nextStart()).formatsFor('en', ['en-US']).remember()
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Chrome/200')
  const uses = intlUses()
  ;(await nextStart()).formatsFor('en', ['en-US']).time(morning)
  expect(uses()).toBeGreaterThan(0)
})

test.each(['', 'null', '{', '[]', '{"of":1}', '{"of":"pl undefined","days":[["a"]]}'])(
  'what cannot be read (%s) is ignored',
  async (stored) => {
    localStorage.setItem('parlor.formats', stored)
    expect((await nextStart()).formatsFor('pl', []).time(morning)).toBe('05:04')
  },
)

test('without local storage times are written all the same', async () => {
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new Error('blocked')
  })
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('blocked')
  })
  const formats = (await nextStart()).formatsFor('ru', [])
  formats.remember()
  expect(formats.time(morning)).toBe('05:04')
})
