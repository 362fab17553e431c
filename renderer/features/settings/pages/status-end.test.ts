import { expect, test } from 'vitest'
import { endOfStatus } from './Account.tsx'

/** Wednesday. */
const NOW = new Date(2026, 10, 25, 15, 20).getTime()
const MONDAY = 1
const SUNDAY = 7

test('a status ends after a while, at midnight, or when the week does', () => {
  expect(endOfStatus('half', NOW, MONDAY)).toBe(NOW + 1_800_000)
  expect(endOfStatus('hour', NOW, MONDAY)).toBe(NOW + 3_600_000)
  expect(endOfStatus('today', NOW, MONDAY)).toBe(new Date(2026, 10, 26).getTime())
  expect(endOfStatus('week', NOW, MONDAY)).toBe(new Date(2026, 10, 30).getTime())
  expect(endOfStatus('week', NOW, SUNDAY)).toBe(new Date(2026, 10, 29).getTime())
  expect(endOfStatus('never', NOW, MONDAY)).toBeUndefined()
})

test('on its last day the week ends with the day', () => {
  const sunday = new Date(2026, 10, 29, 12).getTime()
  expect(endOfStatus('week', sunday, MONDAY)).toBe(new Date(2026, 10, 30).getTime())
})
