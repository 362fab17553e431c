import { expect, test } from 'vitest'
import {
  clockOf,
  dayOf,
  daysFrom,
  fieldsOf,
  minutesOf,
  momentOf,
  monthsFrom,
  noonOf,
  weekdayOf,
  weeksOf,
} from './moments.ts'

const MONDAY_FIRST = [1, 2, 3, 4, 5, 6, 7]
const SUNDAY_FIRST = [7, 1, 2, 3, 4, 5, 6]

test('a moment becomes the fields of a form, and back', () => {
  const at = new Date(2026, 0, 5, 9, 7).getTime()
  expect(fieldsOf(at)).toEqual({ date: '2026-01-05', time: '09:07' })
  expect(momentOf('2026-01-05', '09:07')).toBe(at)
})

test.each([
  ['', '09:30'],
  ['2026-11-24', ''],
  ['2026-13-01', '09:30'],
])('%j with %j is no moment yet', (date, time) => expect(momentOf(date, time)).toBeUndefined())

test('minutes after midnight become a time of day, and back', () => {
  expect(clockOf(0)).toBe('00:00')
  expect(clockOf(570)).toBe('09:30')
  expect(clockOf(1_439)).toBe('23:59')
  expect(['00:00', '09:30', '23:59'].map(minutesOf)).toEqual([0, 570, 1_439])
  expect(['', 'soon', '9', '9:x'].map(minutesOf)).toEqual([undefined, undefined, undefined, undefined])
})

test('days continue across the ends of months, of years, and of daylight saving time', () => {
  expect(daysFrom('2026-12-31', 1)).toBe('2027-01-01')
  expect(daysFrom('2028-03-01', -1)).toBe('2028-02-29')
  expect(daysFrom('2026-01-01', 365)).toBe('2027-01-01')
  expect(new Date(noonOf('2026-03-29')).getHours()).toBe(12)
})

test('months continue from the same day, or from the last one of a shorter month', () => {
  expect(monthsFrom('2026-01-31', 1)).toBe('2026-02-28')
  expect(monthsFrom('2026-11-24', 2)).toBe('2027-01-24')
  expect(monthsFrom('2028-02-29', -12)).toBe('2027-02-28')
})

test('days are written with four, two and two digits', () => {
  expect(dayOf(987, 1, 5)).toBe('0987-01-05')
})

test('Monday is 1, Sunday is 7', () => {
  expect(weekdayOf('2026-11-23')).toBe(1)
  expect(weekdayOf('2026-11-22')).toBe(7)
})

test('the weeks of a month are full, and begin where the settings say', () => {
  const weeks = weeksOf('2026-11-24', MONDAY_FIRST)
  expect(weeks.length).toBe(6)
  expect(weeks[0]?.[0]).toBe('2026-10-26')
  expect(weeks.at(-1)?.[6]).toBe('2026-12-06')
  const american = weeksOf('2026-11-24', SUNDAY_FIRST)
  expect(american.length).toBe(5)
  expect(american[0]?.[0]).toBe('2026-11-01')
  expect(american.at(-1)?.[6]).toBe('2026-12-05')
  expect(weeksOf('2027-02-10', MONDAY_FIRST)).toHaveLength(4)
  expect([...weeks, ...american].every((week) => week.length === 7)).toBe(true)
})
