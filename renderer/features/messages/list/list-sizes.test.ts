import { expect, test } from 'vitest'
import type { WindowKey } from '#shared/domain/changes.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import type { Row } from '../model/rows.ts'
import { ListSizes, type LeftList } from './list-layout.ts'
import { ListView } from './list-view.ts'

const row = (name: string, continued = true): Row => {
  const id = asMessageId(name)
  return { kind: 'message', key: id, id, continued }
}
const rows = (count: number): readonly Row[] => Array.from({ length: count }, (_, at) => row(`m${at}`))
const LIST = 'timeline:team:general'
const left = (heights: readonly (readonly [string, number])[]): LeftList => ({
  heights: new Map(heights),
  head: undefined,
})
const mounted = (sizes: ListSizes, list: WindowKey = LIST): number => {
  const { span } = new ListView(sizes, list).plan({ rows: rows(200), hasOlder: false, hasNewer: false, busy: false })
  return span.end - span.start
}

test('a new list mounts as many rows as fit, by the last view and the rows that were laid out before', () => {
  const sizes = new ListSizes(900)
  const before = mounted(sizes)
  sizes.noteView(450)
  const lower = mounted(sizes)
  for (const each of rows(20)) sizes.noteRow(each, 75)
  const taller = mounted(sizes)
  // 1.05 views of rows of 30 pixels; then rows of four fifths of 75.
  expect(before).toBe(27)
  expect(lower).toBe(16)
  expect(taller).toBe(8)
})

test('a list that was shown before mounts the rows that fit by their own heights', () => {
  const sizes = new ListSizes(900)
  sizes.noteLeft(LIST, left(rows(200).map(({ key }) => [key, 90])))
  // 1.05 views of rows of 90 pixels, and of 30 where no row is known.
  expect(mounted(sizes)).toBe(9)
  expect(mounted(sizes, 'timeline:team:other')).toBe(27)
})

test('the heights of the lists that were left last are known', () => {
  const sizes = new ListSizes(900)
  const list = (at: number): WindowKey => `timeline:team:c${at}`
  for (let at = 0; at <= 30; at += 1) sizes.noteLeft(list(at), left([['m', at]]))
  expect(sizes.leftOf(list(0))).toBeUndefined()
  expect(sizes.leftOf(list(1))?.heights.get('m')).toBe(1)
  sizes.noteLeft(list(1), left([['m', 5]]))
  sizes.noteLeft(list(31), left([]))
  expect(sizes.leftOf(list(1))?.heights.get('m')).toBe(5)
  expect(sizes.leftOf(list(2))).toBeUndefined()
})

test('without layout the first rows are mounted', () => {
  expect(mounted(new ListSizes(0))).toBeGreaterThan(5)
})

test('a few rows say nothing about others, and a picture counts as a tall text', () => {
  const sizes = new ListSizes(900)
  const first = sizes.heights()
  for (const each of rows(5)) sizes.noteRow(each, 75)
  expect(sizes.heights()).toEqual(first)
  for (const each of rows(5)) sizes.noteRow(each, 2_000)
  expect(sizes.heights()).toEqual({ ...first, continued: (0.8 * (5 * 75 + 5 * 160)) / 10 })
})

test('what is not laid out, and a window without a height, change nothing', () => {
  const sizes = new ListSizes(0)
  expect(sizes.viewHeight).toBeGreaterThan(0)
  const { viewHeight } = sizes
  sizes.noteView(0)
  expect(sizes.viewHeight).toBe(viewHeight)
})
