import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatTime, parseTime } from './rfc3339.ts'

test('agrees with Date for every valid instant', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1600-01-01'), max: new Date('2400-01-01'), noInvalidDate: true }), (date) => {
      expect(parseTime(date.toISOString())).toBe(date.getTime())
      expect(formatTime(date.getTime())).toBe(date.toISOString().replace('Z', '000Z'))
    }),
  )
})

test('preserves microseconds through parsing and formatting', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000_000 }), (microseconds) => {
      const text = formatTime(microseconds / 1_000)
      expect(formatTime(parseTime(text) ?? Number.NaN)).toBe(text)
    }),
  )
  expect(parseTime('2023-11-14T12:39:29.396443Z')).toBe(1_699_965_569_396.443)
})

test.each([
  ['2026-01-01T00:00:00Z', 1_767_225_600_000],
  ['2026-01-01t00:00:00z', 1_767_225_600_000],
  ['2026-01-01T02:30:00.5+02:30', 1_767_225_600_500],
  ['2025-12-31T23:00:00-01:00', 1_767_225_600_000],
  ['2024-02-29T00:00:00.123456789Z', 1_709_164_800_123.4568],
])('parses %s', (text, time) => {
  expect(parseTime(text)).toBeCloseTo(time, 3)
})

test.each([
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01T00:00:00',
  '2026-01-01',
  '2026-01-01T00:00:00.Z',
  '2026-01-01T00:00:00.1234567890Z',
  '2026-01-01T00:00:00+25:00',
  ' 2026-01-01T00:00:00Z',
  'yesterday',
  '',
])('refuses %j', (text) => {
  expect(parseTime(text)).toBeUndefined()
})
