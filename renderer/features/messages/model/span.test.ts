import { describe, expect, test } from 'vitest'
import {
  correction,
  covers,
  FIRST_OVERSCAN_VIEWS,
  pickAnchor,
  spanAround,
  spanAtRow,
  sum,
  withRow,
  withViewHeight,
  nearestRemaining,
} from './span.ts'

const rows = (count: number, height = 100): number[] => Array.from({ length: count }, () => height)

describe('which rows are mounted', () => {
  test('those in view and one view height on either side', () => {
    expect(spanAround(rows(100), 5_000, 1_000)).toEqual({ start: 40, end: 70 })
  })

  test('at the edges there are no more rows to mount', () => {
    expect(spanAround(rows(100), 0, 1_000)).toEqual({ start: 0, end: 20 })
    expect(spanAround(rows(100), 9_000, 1_000).end).toBe(100)
  })

  test('before the first paint, those in view and few more', () => {
    expect(spanAround(rows(100), 5_000, 1_000, FIRST_OVERSCAN_VIEWS)).toEqual({ start: 49, end: 61 })
  })

  test('no rows give an empty span', () => {
    expect(spanAround([], 0, 1_000)).toEqual({ start: 0, end: 0 })
  })

  test('the anchor row is among them at any index', () => {
    for (const index of [0, 13, 57, 99]) {
      const { start, end } = spanAtRow(rows(100, 60), index, 30, 800)
      expect(start).toBeLessThanOrEqual(index)
      expect(end).toBeGreaterThan(index)
    }
  })

  test('a focused row far away is included without a hole', () => {
    expect(withRow({ start: 40, end: 60 }, 10)).toEqual({ start: 10, end: 60 })
    expect(withRow({ start: 40, end: 60 }, 90)).toEqual({ start: 40, end: 91 })
    expect(withRow({ start: 40, end: 60 }, 50)).toEqual({ start: 40, end: 60 })
  })

  test('a short scroll needs no new rows, a long one does', () => {
    const heights = rows(100)
    const span = spanAround(heights, 5_000, 1_000)
    expect(covers(span, heights, 5_300, 1_000)).toBe(true)
    expect(covers(span, heights, 5_900, 1_000)).toBe(false)
    expect(covers(span, heights, 4_100, 1_000)).toBe(false)
  })
})

describe('the anchor', () => {
  const laidOut = [
    { key: 'a', top: -80, bottom: 20 },
    { key: 'b', top: 20, bottom: 120 },
    { key: 'c', top: 120, bottom: 220 },
  ]

  test('is the topmost row that is fully visible', () => {
    expect(pickAnchor(laidOut, 600)).toEqual({ key: 'b', offset: 20 })
  })

  test('is the row that fills the view when none is fully visible', () => {
    expect(pickAnchor([{ key: 'long', top: -500, bottom: 1_500 }], 600)).toEqual({ key: 'long', offset: -500 })
  })

  test('is restored by scrolling by the distance its row moved', () => {
    expect(correction({ key: 'b', offset: 20 }, { key: 'b', top: 320, bottom: 420 })).toBe(300)
  })

  test('keeps its distance from the lower edge when the view changes height', () => {
    expect(withViewHeight({ key: 'b', offset: 400 }, 800, 700)).toEqual({ key: 'b', offset: 300 })
  })

  test('moves to the next row when its own is removed, else to the previous one', () => {
    const before = ['a', 'b', 'c', 'd']
    expect(nearestRemaining(before, 'b', new Set(['a', 'c', 'd']))).toBe('c')
    expect(nearestRemaining(before, 'd', new Set(['a', 'c']))).toBe('c')
    expect(nearestRemaining(before, 'x', new Set(before))).toBeUndefined()
  })
})

test('sums only the given range', () => {
  expect(sum([1, 2, 3, 4], 1, 3)).toBe(5)
})
