import { afterEach, expect, test } from 'vitest'
import { formatsFor, setClock } from './format.ts'

const at = new Date(2026, 2, 7, 5, 4).getTime()

/** Which space stands before the half of the day differs between versions of ICU. */
const spaced = (words: string): string => words.replace('\u202F', ' ')

afterEach(() => setClock('auto', undefined))

test.each([
  ['en', ['en-GB', 'en-US'], '05:04'],
  ['en', ['en-US'], '5:04 AM'],
  ['en', ['pl-PL', 'en-AU'], '5:04 am'],
  ['pl', ['en-GB', 'pl-PL'], '05:04'],
  ['ru', ['en-US'], '05:04'],
])('the time of day in %s for a system that speaks %j is %s', (language, system, words) => {
  expect(spaced(formatsFor(language, system).time(at))).toBe(words)
})

test('the setting wins over what the language and the system say', () => {
  setClock('24h', false)
  expect(formatsFor('en', ['en-US']).time(at)).toBe('05:04')
  setClock('12h', true)
  expect(spaced(formatsFor('en', ['en-GB']).time(at))).toBe('5:04 am')
})

test('the clock of the system wins over the language while the setting is automatic', () => {
  setClock('auto', true)
  expect(formatsFor('en', ['en-US']).time(at)).toBe('05:04')
})
