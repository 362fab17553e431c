import { expect, test } from 'vitest'
import {
  after,
  areaSeen,
  areaUnder,
  cropped,
  FIRST,
  isChanged,
  marked,
  partOf,
  pointUnder,
  redone,
  seenAt,
  turned,
  UNCHANGED,
  undone,
  within,
  type Turns,
} from './edit.ts'

const WHOLE = { width: 40, height: 20 }
const COVER = { kind: 'cover', area: { x: 1, y: 2, width: 3, height: 4 } } as const

test('each step is undone and redone in order, and a new step drops the undone ones', () => {
  const covered = marked(UNCHANGED, COVER)
  const both = after(after(FIRST, covered), turned(covered, 1))
  expect(undone(both).now).toBe(covered)
  expect(isChanged(undone(undone(both)))).toBe(false)
  expect(undone(undone(undone(both))).now).toBe(UNCHANGED)
  expect(redone(redone(undone(undone(both))))).toEqual(both)
  const other = after(undone(both), turned(covered, -1))
  expect(redone(other)).toEqual(other)
  expect(other.now.turns).toBe(3)
})

test('four turns in one direction are none', () => {
  const once = turned(UNCHANGED, 1)
  expect(once.turns).toBe(1)
  expect(turned(turned(turned(once, 1), 1), 1).turns).toBe(0)
  expect(turned(UNCHANGED, -1).turns).toBe(3)
})

test('a covered area is rounded outward to whole pixels, so that no pixel stays half visible', () => {
  expect(within({ x: 3.4, y: 2.6, width: 2.2, height: 1 }, WHOLE)).toEqual({ x: 3, y: 2, width: 3, height: 2 })
  expect(within({ x: -9, y: 19.9, width: 100, height: 9 }, WHOLE)).toEqual({ x: 0, y: 19, width: 40, height: 1 })
  expect(within({ x: 90, y: 90, width: 0, height: 0 }, WHOLE)).toEqual({ x: 39, y: 19, width: 1, height: 1 })
})

test('a crop of the whole picture is none', () => {
  const crop = cropped(UNCHANGED, { x: 5, y: 5, width: 10, height: 10 }, WHOLE)
  expect(partOf(crop, WHOLE)).toEqual({ x: 5, y: 5, width: 10, height: 10 })
  expect(cropped(crop, { x: 0, y: 0, width: 40, height: 20 }, WHOLE)).toEqual(UNCHANGED)
  expect(partOf(UNCHANGED, WHOLE)).toEqual({ x: 0, y: 0, ...WHOLE })
})

test.each<Turns>([0, 1, 2, 3])('a place on a picture turned %s times is found again in the picture', (turns) => {
  const area = { x: 4, y: 6, width: 10, height: 5 }
  expect(areaUnder(areaSeen(area, turns, WHOLE), turns, WHOLE)).toEqual(area)
  expect(pointUnder(seenAt({ x: 3, y: 7 }, turns, WHOLE), turns, WHOLE)).toEqual({ x: 3, y: 7 })
})

test('turned clockwise once, the upper left corner is at the upper right', () => {
  expect(seenAt({ x: 0, y: 0 }, 1, WHOLE)).toEqual({ x: 20, y: 0 })
  expect(areaSeen({ x: 0, y: 0, width: 4, height: 2 }, 1, WHOLE)).toEqual({ x: 18, y: 0, width: 2, height: 4 })
})
