import { describe, expect, test } from 'vitest'
import { frameOf, further, moved, nearer, turned, wheeled, WHOLE } from './view.ts'

const ROOM = { width: 1_000, height: 600 }

describe('the frame of an image', () => {
  test('fits the view with the image’s aspect ratio', () => {
    expect(frameOf({ width: 4_000, height: 2_000 }, ROOM, 0)).toEqual({ width: 1_000, height: 500 })
    expect(frameOf({ width: 2_000, height: 4_000 }, ROOM, 0)).toEqual({ width: 300, height: 600 })
  })

  test('fits when rotated too', () => {
    expect(frameOf({ width: 4_000, height: 2_000 }, ROOM, 90)).toEqual({ width: 600, height: 300 })
  })

  test('enlarges a small image up to twice its size', () => {
    expect(frameOf({ width: 100, height: 50 }, ROOM, 0)).toEqual({ width: 200, height: 100 })
  })

  test('has a default for an unknown size', () => {
    expect(frameOf({}, ROOM, 0)).toEqual({ width: 800, height: 600 })
    expect(frameOf({ width: 0, height: 10 }, ROOM, 0)).toEqual({ width: 800, height: 600 })
  })
})

describe('zooming', () => {
  test('zooms in steps, up to eight times', () => {
    expect(nearer(WHOLE).zoom).toBe(1.5)
    const far = Array.from({ length: 20 }).reduce((view: typeof WHOLE) => nearer(view), WHOLE)
    expect(far.zoom).toBe(8)
  })

  test('out ends with the whole image centered', () => {
    expect(further({ ...WHOLE, zoom: 1.2, x: 40, y: -3 })).toEqual(WHOLE)
  })

  test('in by scrolling up', () => {
    expect(wheeled(WHOLE, -100).zoom).toBeGreaterThan(1)
    expect(wheeled(WHOLE, 100)).toEqual(WHOLE)
  })
})

test('rotating cycles through four positions and resets the zoom', () => {
  const once = turned({ ...WHOLE, zoom: 3, x: 9 })
  expect(once).toEqual({ ...WHOLE, turn: 90 })
  expect(turned(turned(turned(once)))).toEqual(WHOLE)
})

describe('moving', () => {
  const frame = { width: 1_000, height: 500 }

  test('stops at the edge of the image', () => {
    expect(moved({ ...WHOLE, zoom: 2 }, 5_000, -5_000, frame, ROOM)).toMatchObject({ x: 500, y: -200 })
  })

  test('does nothing while the whole image is shown', () => {
    expect(moved(WHOLE, 50, 50, frame, ROOM)).toMatchObject({ x: 0, y: 0 })
  })

  test('uses the swapped sides of a rotated image', () => {
    expect(moved({ ...WHOLE, zoom: 2, turn: 90 }, 5_000, 5_000, frame, ROOM)).toMatchObject({ x: 0, y: 700 })
  })
})
