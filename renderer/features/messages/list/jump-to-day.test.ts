import { expect, test } from 'vitest'
import { daysBefore, monthBefore } from './DayMenu.tsx'

const day = (month: number, date: number): number => new Date(2026, month, date).getTime()

test('days are counted by the calendar, also across a clock change', () => {
  expect(daysBefore(day(10, 20), 7)).toBe(day(10, 13))
  expect(daysBefore(day(2, 30), 2)).toBe(day(2, 28))
  expect(daysBefore(day(0, 1), 1)).toBe(new Date(2025, 11, 31).getTime())
})

test('a month earlier is the same day, or the last day of a shorter month', () => {
  expect(monthBefore(day(10, 20))).toBe(day(9, 20))
  expect(monthBefore(day(2, 31))).toBe(day(1, 28))
  expect(monthBefore(day(0, 5))).toBe(new Date(2025, 11, 5).getTime())
})
