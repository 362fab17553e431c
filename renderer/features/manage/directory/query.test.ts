import { expect, test } from 'vitest'
import { boundsOf, isNarrowed, NO_FILTER, sortOf } from './DirectoryPage.tsx'

test('a period is a bound of the last activity, from below or from above', () => {
  expect(boundsOf(undefined, 1e12)).toEqual({})
  expect(boundsOf('day', 1e12)).toEqual({ activeAfter: 1e12 - 86_400_000 })
  expect(boundsOf('notQuarter', 1e12)).toEqual({ activeBefore: 1e12 - 90 * 86_400_000 })
})

test('columns that the server cannot sort are sorted by name', () => {
  expect(sortOf({ column: 'last_active', direction: -1 })).toEqual({ by: 'last_active', direction: -1 })
  expect(sortOf({ column: 'field:region', direction: 1 })).toEqual({ by: 'name', direction: 1 })
})

test('the directory is narrowed by any filter', () => {
  expect(isNarrowed(NO_FILTER)).toBe(false)
  expect(isNarrowed({ ...NO_FILTER, state: 'banned' })).toBe(true)
})
