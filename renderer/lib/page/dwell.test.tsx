import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act, cleanup, render } from '@testing-library/react'
import { DWELL_MS, useDwell } from './dwell.ts'

type PlaceProps = { readonly newest: string | undefined; readonly read: () => void }

function Place({ newest, read }: PlaceProps) {
  useDwell(newest, read)
  return null
}

const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms))

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function open(newest: string | undefined) {
  const read = vi.fn<() => void>()
  const { rerender, unmount } = render(<Place newest={newest} read={read} />)
  return { read, unmount, show: (next: string | undefined, by = read) => rerender(<Place newest={next} read={by} />) }
}

test('what is new is read after half a second in view, once', () => {
  const { read } = open('m1')
  pass(DWELL_MS - 1)
  expect(read).not.toHaveBeenCalled()
  pass(10 * DWELL_MS)
  expect(read).toHaveBeenCalledOnce()
})

test('what comes meanwhile is read with it, and what comes later half a second after it came', () => {
  const { read, show } = open('m1')
  pass(DWELL_MS - 1)
  show('m2')
  pass(1)
  expect(read).toHaveBeenCalledOnce()
  show('m3')
  pass(DWELL_MS)
  expect(read).toHaveBeenCalledTimes(2)
})

test('nothing is read of a place that is left, or that nobody looks at, before the half second has passed', () => {
  const { read, show, unmount } = open('m1')
  pass(DWELL_MS - 1)
  show(undefined)
  pass(DWELL_MS)
  show('m1')
  pass(DWELL_MS - 1)
  unmount()
  pass(DWELL_MS)
  expect(read).not.toHaveBeenCalled()
})

test('another place has a half second of its own', () => {
  const { read, show } = open('m1')
  const other = vi.fn<() => void>()
  pass(DWELL_MS - 1)
  show('m1', other)
  pass(DWELL_MS - 1)
  expect(other).not.toHaveBeenCalled()
  pass(1)
  expect(other).toHaveBeenCalledOnce()
  expect(read).not.toHaveBeenCalled()
})
