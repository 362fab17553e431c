import { expect, test } from 'vitest'
import { backoffMs } from './retry.ts'

test.each([
  [0, 250, 500],
  [1, 250, 2_500],
  [2, 2_000, 4_500],
  [5, 8_000, 10_500],
  [13, 24_000, 25_000],
  [14, 25_000, 25_000],
  [1_000, 25_000, 25_000],
])('after %i failures the wait is between %i and %i ms', (failures, least, most) => {
  expect(backoffMs(failures, 0)).toEqual(least)
  expect(backoffMs(failures, 1)).toEqual(most)
})
