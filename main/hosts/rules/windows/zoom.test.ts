import { expect, test } from 'vitest'
import { readZooms, withZoom, zoomAt, ZOOM_STEPS } from './window-options.ts'

test('zooming works in steps, stops at the limits, and returns to the actual size', () => {
  const larger = withZoom({}, 1, 1)
  expect(zoomAt(larger, 1)).toBe(1.1)
  expect(zoomAt(withZoom(larger, 1, -1), 1)).toBe(1)
  const largest = ZOOM_STEPS.reduce((zooms) => withZoom(zooms, 1, 1), larger)
  expect(zoomAt(withZoom(largest, 1, 1), 1)).toBe(2)
  expect(zoomAt(withZoom(largest, 1, 'actual'), 1)).toBe(1)
})

test('displays with another scale have their own zoom', () => {
  const zooms = withZoom(withZoom({}, 2, -1), 1.250_000_047, 1)
  expect(zoomAt(zooms, 1)).toBe(1)
  expect(zoomAt(zooms, 1.25)).toBe(1.1)
  expect(zoomAt(zooms, 2)).toBe(0.9)
})

test.each([undefined, 'text', [], { '1.00': 40 }, { '1.00': 0 }, { one: 1 }])(
  'a file with %j zooms nothing',
  (value) => {
    expect(readZooms(value)).toEqual({})
  },
)
