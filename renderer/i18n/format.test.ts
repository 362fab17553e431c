import { afterEach, expect, test } from 'vitest'
import { formatsFor, setClock, setWeekStart } from './format.tsx'

const at = new Date(2026, 2, 7, 5, 4).getTime()

/** The space before AM and PM differs between versions of ICU. */
const spaced = (text: string): string => text.replace('\u202F', ' ')

afterEach(() => {
  document.documentElement.dir = ''
  setClock('auto', undefined)
  setWeekStart('auto')
})

test.each([
  ['en', ['en-GB', 'en-US'], '05:04'],
  ['en', ['en-US'], '5:04 AM'],
  ['en', ['pl-PL', 'en-AU'], '5:04 am'],
  ['pl', ['en-GB', 'pl-PL'], '05:04'],
  ['ru', ['en-US'], '05:04'],
])('the time of day in %s for a system with the locales %j is %s', (language, system, text) => {
  expect(spaced(formatsFor(language, system).time(at))).toBe(text)
})

test('the setting wins over the language and the system', () => {
  setClock('24h', false)
  expect(formatsFor('en', ['en-US']).time(at)).toBe('05:04')
  setClock('12h', true)
  expect(spaced(formatsFor('en', ['en-GB']).time(at))).toBe('5:04 am')
})

test('the clock of the system wins over the language while the setting is automatic', () => {
  setClock('auto', true)
  expect(formatsFor('en', ['en-US']).time(at)).toBe('05:04')
})

test.each([
  ['en', [], 7],
  ['en', ['en-US'], 7],
  ['en', ['en-GB'], 1],
  ['pl', ['en-US'], 1],
  ['ru', ['ru-RU'], 1],
])('AGR-58 a week in %s for a system with the locales %j begins on day %i', (language, system, first) => {
  expect(formatsFor(language, system).weekdays[0]).toBe(first)
})

test('the chosen first day of the week wins, and the others follow it', () => {
  setWeekStart('saturday')
  expect(formatsFor('pl', []).weekdays).toEqual([6, 7, 1, 2, 3, 4, 5])
})

test('in a right-to-left interface times and sizes keep their own order', () => {
  document.documentElement.dir = 'rtl'
  setClock('12h', undefined)
  const formats = formatsFor('en', ['en-US'])
  expect(spaced(formats.time(at))).toBe('\u20685:04 AM\u2069')
  expect(formats.bytes(242)).toBe('\u2068242 bytes\u2069')
})

test.each([
  ['en', ['en-GB'], 'Sun 00:30', '15:30', 'Almaty Time'],
  ['en', ['en-US'], 'Sun 12:30 AM', '3:30 PM', 'Almaty Time'],
  ['pl', [], 'niedz. 00:30', '15:30', 'Ałmaty'],
  ['ru', [], 'вс 00:30', '15:30', 'Алматы'],
])('a time elsewhere in %s for %j has its day where that is another one', (language, system, other, same, name) => {
  const saturday = Date.UTC(2026, 2, 7, 10, 30)
  const formats = formatsFor(language, system)
  expect(spaced(formats.timeIn(saturday, 'Pacific/Kiritimati') ?? '')).toBe(other)
  expect(spaced(formats.timeIn(saturday, 'Asia/Almaty') ?? '')).toBe(same)
  expect(formats.zone(saturday, 'Asia/Almaty')).toBe(name)
})

test('an invented time zone has neither a time nor a name; the one of this device has', () => {
  const formats = formatsFor('en', [])
  expect(formats.timeIn(at, 'Mars/Olympus')).toBeUndefined()
  expect(formats.zone(at, 'Mars/Olympus')).toBeUndefined()
  expect(formats.zone(at)).toBeTruthy()
})

test.each([
  ['en', ['release-10', 'release-2', 'Release-1'], ['Release-1', 'release-2', 'release-10']],
  ['pl', ['Maja', 'Łucja', 'Lwia', 'Luiza'], ['Luiza', 'Lwia', 'Łucja', 'Maja']],
  ['ru', ['жук', 'ёлка', 'еда', 'ель'], ['еда', 'ёлка', 'ель', 'жук']],
])('names in %s are sorted by its rules, and numbers in them by value', (language, names, ordered) => {
  expect(names.toSorted(formatsFor(language, []).compare)).toEqual(ordered)
})

test.each([
  ['en', 'Ann, Bob, and Eve'],
  ['pl', 'Ann, Bob i\u00A0Eve'],
  ['ru', 'Ann, Bob и\u00A0Eve'],
])('names in a list in %s do not leave a word of one letter at the end of a line', (language, text) => {
  expect(formatsFor(language, ['en-US']).list(['Ann', 'Bob', 'Eve'])).toBe(text)
})
