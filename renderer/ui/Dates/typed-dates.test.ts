import { expect, test } from 'vitest'
import { readDay, readTime, type Typing } from './DateField.tsx'

/** Sunday, 22 November 2026, half past ten. */
const NOW = new Date(2026, 10, 22, 10, 30).getTime()
const ENGLISH: Typing = { now: NOW, language: 'en', order: ['month', 'day', 'year'], firstWeekday: 7 }
const POLISH: Typing = { now: NOW, language: 'pl', order: ['day', 'month', 'year'], firstWeekday: 1 }
const RUSSIAN: Typing = { ...POLISH, language: 'ru' }

test.each<[string, Typing, string | undefined]>([
  ['11/24/2026', ENGLISH, '2026-11-24'],
  ['11/24', ENGLISH, '2026-11-24'],
  ['24.11.2026', POLISH, '2026-11-24'],
  ['24.11.26', RUSSIAN, '2026-11-24'],
  ['3.12', POLISH, '2026-12-03'],
  ['1.3', POLISH, '2027-03-01'],
  ['1.3', { ...POLISH, max: '2026-11-22' }, '2026-03-01'],
  ['2026-12-01', POLISH, '2026-12-01'],
  ['29.02.2027', POLISH, undefined],
  ['31/2', POLISH, undefined],
  ['yesterday', ENGLISH, '2026-11-21'],
  ['jutro', POLISH, '2026-11-23'],
  ['через 3 дня', RUSSIAN, '2026-11-25'],
  ['in 3 days', ENGLISH, '2026-11-25'],
  ['soon', ENGLISH, undefined],
  [' ', ENGLISH, undefined],
])('%s is read as a day', (text, typing, day) => expect(readDay(text, typing)).toBe(day))

test.each<[string, number | undefined]>([
  ['9', 540],
  ['09:30', 570],
  ['0930', 570],
  ['9.30', 570],
  ['9:30 PM', 1_290],
  ['12 am', 0],
  ['12:15 p.m.', 735],
  ['24:00', undefined],
  ['9:75', undefined],
  ['13 pm', undefined],
  ['noonish', undefined],
])('%s is read as a time', (text, minutes) => expect(readTime(text)).toBe(minutes))
