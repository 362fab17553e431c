import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useReminderClock } from './reminders.ts'

const NOW = new Date(2026, 10, 20, 11, 56).getTime()
const MINUTE = 60_000

let visibility: DocumentVisibilityState
beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  visibility = 'visible'
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const show = (...times: readonly number[]) => renderHook(() => useReminderClock(times)).result
const turn = (to: DocumentVisibilityState): void => {
  visibility = to
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}

test('any number of labels share one timer, for the next change', () => {
  const near = show(NOW + 30 * MINUTE)
  show(NOW + 600 * MINUTE)
  show(NOW + 9_000 * MINUTE)
  expect(vi.getTimerCount()).toBe(1)
  act(() => void vi.advanceTimersByTime(MINUTE))
  expect(near.current).toBe(NOW + MINUTE)
})

test('the clock updates at the moment a reminder is due', () => {
  const clock = show(NOW + 20_000)
  act(() => void vi.advanceTimersByTime(20_000))
  expect(clock.current).toBe(NOW + 20_000)
})

test('a hidden page has no timer, and is up to date again when it is shown', () => {
  const clock = show(NOW + 30 * MINUTE)
  turn('hidden')
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(10 * MINUTE)
  turn('visible')
  expect(clock.current).toBe(NOW + 10 * MINUTE)
  expect(vi.getTimerCount()).toBe(1)
})

test('labels that no longer change need no timer', () => {
  show(NOW - 15 * 24 * 60 * MINUTE)
  expect(vi.getTimerCount()).toBe(0)
})
