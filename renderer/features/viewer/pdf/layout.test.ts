import { expect, test } from 'vitest'
import { WHOLE } from '../view.ts'
import { anchorAt, heightOf, layOut, pageAt } from './PdfStage.tsx'

const A4 = { width: 600, height: 800 }
const ROOM = { width: 632, height: 500 }
const lay = (change: Partial<typeof WHOLE> = {}) => layOut(3, () => A4, ROOM, { ...WHOLE, ...change })

test('pages are in one column, as wide as the view', () => {
  expect(lay()).toEqual({ scale: 1, starts: [16, 832, 1_648], sizes: [A4, A4, A4], width: 632, height: 2_464 })
})

test('a small page is enlarged only up to a limit', () => {
  expect(layOut(1, () => ({ width: 100, height: 50 }), ROOM, WHOLE).scale).toBe(1.6)
})

test('a rotated page swaps width and height', () => {
  expect(lay({ turn: 90 }).sizes[0]).toEqual({ width: 600, height: 450 })
})

test('a zoomed layout is larger than the view', () => {
  expect(lay({ zoom: 2 })).toMatchObject({ width: 1_232, height: 4_864 })
})

test.each([
  [-50, 1],
  [0, 1],
  [831, 1],
  [832, 2],
  [9_999, 3],
])('at %i is page %i', (y, page) => {
  expect(pageAt(lay(), y)).toBe(page)
})

test('an anchor keeps its position at any zoom', () => {
  const anchor = anchorAt(lay(), 1_232)
  expect(anchor).toEqual({ page: 2, into: 0.5 })
  expect(heightOf(lay({ zoom: 2 }), anchor)).toBe(16 + 1_600 + 16 + 800)
})
