import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useCountdown, useDelayed, useMinute, useSecond, useLiveClock } from './clocks.ts'

const START = Date.UTC(2026, 10, 22, 10)

beforeEach(() => void vi.useFakeTimers({ now: START }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

test('a countdown ends once, and does not count the time in which it is paused', () => {
  const onEnd = vi.fn<() => void>()
  const { rerender } = renderHook(({ paused }) => useCountdown(5_000, paused, onEnd), {
    initialProps: { paused: false },
  })
  pass(3_000)
  rerender({ paused: true })
  pass(60_000)
  rerender({ paused: false })
  pass(1_999)
  expect(onEnd).not.toHaveBeenCalled()
  pass(1)
  expect(onEnd).toHaveBeenCalledOnce()
  pass(60_000)
  expect(onEnd).toHaveBeenCalledOnce()
})

test('a countdown of something that is removed does not end', () => {
  const onEnd = vi.fn<() => void>()
  renderHook(() => useCountdown(5_000, false, onEnd)).unmount()
  pass(5_000)
  expect(onEnd).not.toHaveBeenCalled()
})

test('what lasts is shown after the delay and hidden at once; each time is counted separately', () => {
  const { result, rerender } = renderHook(({ on }) => useDelayed(on, 300), { initialProps: { on: true } })
  pass(299)
  expect(result.current).toBe(false)
  pass(1)
  expect(result.current).toBe(true)
  rerender({ on: false })
  expect(result.current).toBe(false)
  rerender({ on: true })
  expect(result.current).toBe(false)
  pass(300)
  expect(result.current).toBe(true)
})

test('a clock for upcoming ends ticks every half minute and at the next end, and stops after the last', () => {
  const { result } = renderHook(() => useLiveClock([START + 40_000, START + 45_000]))
  const times = [30_000, 10_000, 5_000, 600_000].map((ms) => {
    pass(ms)
    return result.current - START
  })
  expect(times).toEqual([30_000, 40_000, 45_000, 45_000])
  expect(vi.getTimerCount()).toBe(0)
})

test('one timer updates all relative times on the page, and stops with the last of them', () => {
  const [first, second] = [renderHook(() => useMinute()), renderHook(() => useMinute())]
  expect(vi.getTimerCount()).toBe(1)
  pass(60_000)
  expect(first.result.current).toEqual(START + 60_000)
  expect(second.result.current).toEqual(START + 60_000)
  first.unmount()
  second.unmount()
  expect(vi.getTimerCount()).toBe(0)
})

test('after a sleep the first render has the right minute', () => {
  const { result, rerender } = renderHook(() => useMinute())
  vi.setSystemTime(START + 3_600_000)
  rerender()
  expect(result.current).toBe(START + 3_600_000)
})

test('seconds are counted only while they are needed', () => {
  const { result } = renderHook(() => useSecond((now) => now < START + 3_000))
  pass(1_000)
  expect(result.current).toBe(START + 1_000)
  for (let second = 0; second < 10; second += 1) pass(1_000)
  expect(result.current).toBe(START + 3_000)
  expect(vi.getTimerCount()).toBe(0)
})
