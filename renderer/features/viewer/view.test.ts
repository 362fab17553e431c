import { describe, expect, test } from 'vitest'
import { frameOf, further, moved, nearer, turned, wheeled, WHOLE } from './view.ts'

const ROOM = { width: 1_000, height: 600 }

describe('the frame of a picture', () => {
  test('fits the room in the picture’s own ratio', () => {
    expect(frameOf({ width: 4_000, height: 2_000 }, ROOM, 0)).toEqual({ width: 1_000, height: 500 })
    expect(frameOf({ width: 2_000, height: 4_000 }, ROOM, 0)).toEqual({ width: 300, height: 600 })
  })

  test('fits when it lies on its side too', () => {
    expect(frameOf({ width: 4_000, height: 2_000 }, ROOM, 90)).toEqual({ width: 600, height: 300 })
  })

  test('blows a small picture up to twice its size and no more', () => {
    expect(frameOf({ width: 100, height: 50 }, ROOM, 0)).toEqual({ width: 200, height: 100 })
  })

  test('is there before the size is known', () => {
    expect(frameOf({}, ROOM, 0)).toEqual({ width: 800, height: 600 })
    expect(frameOf({ width: 0, height: 10 }, ROOM, 0)).toEqual({ width: 800, height: 600 })
  })
})

describe('looking nearer', () => {
  test('goes in steps, to eight times and not beyond', () => {
    expect(nearer(WHOLE).zoom).toBe(1.5)
    const far = Array.from({ length: 20 }).reduce((view: typeof WHOLE) => nearer(view), WHOLE)
    expect(far.zoom).toBe(8)
  })

  test('and back ends with the whole picture in the middle', () => {
    expect(further({ ...WHOLE, zoom: 1.2, x: 40, y: -3 })).toEqual(WHOLE)
  })

  test('by wheel: away from oneself is nearer', () => {
    expect(wheeled(WHOLE, -100).zoom).toBeGreaterThan(1)
    expect(wheeled(WHOLE, 100)).toEqual(WHOLE)
  })
})

test('turning goes round in four and shows the whole picture again', () => {
  const once = turned({ ...WHOLE, zoom: 3, x: 9 })
  expect(once).toEqual({ ...WHOLE, turn: 90 })
  expect(turned(turned(turned(once)))).toEqual(WHOLE)
})

describe('moving', () => {
  const frame = { width: 1_000, height: 500 }

  test('stops where the picture ends', () => {
    expect(moved({ ...WHOLE, zoom: 2 }, 5_000, -5_000, frame, ROOM)).toMatchObject({ x: 500, y: -200 })
  })

  test('does nothing while the whole picture is shown', () => {
    expect(moved(WHOLE, 50, 50, frame, ROOM)).toMatchObject({ x: 0, y: 0 })
  })

  test('takes a picture on its side by its other sides', () => {
    expect(moved({ ...WHOLE, zoom: 2, turn: 90 }, 5_000, 5_000, frame, ROOM)).toMatchObject({ x: 0, y: 700 })
  })
})
