import { expect, test } from 'vitest'
import { steadied } from './ThreadsView.tsx'

const held = (...ids: string[]) => new Set(ids)

test('an empty list shows all rows', () => {
  expect(steadied([], ['a', 'b'], held('a', 'b'))).toEqual({ shown: ['a', 'b'], fresh: [] })
})

test('rows stay in their places when the order changes', () => {
  const shown = ['a', 'b', 'c']
  const now = steadied(shown, ['c', 'a', 'b'], held('a', 'b', 'c'))
  expect(now).toEqual({ shown: ['a', 'b', 'c'], fresh: [] })
  expect(now.shown).toBe(shown)
})

test('a row that no longer matches stays, a deleted one is removed', () => {
  expect(steadied(['a', 'b', 'c'], ['c'], held('a', 'c'))).toEqual({ shown: ['a', 'c'], fresh: [] })
})

test('new rows among them wait, the next page is appended', () => {
  const all = held('a', 'b', 'new', 'older')
  expect(steadied(['a', 'b'], ['new', 'a', 'b', 'older'], all)).toEqual({
    shown: ['a', 'b', 'older'],
    fresh: ['new'],
  })
})

test('if no visible row matches anymore, new rows wait', () => {
  expect(steadied(['a'], ['b'], held('a', 'b'))).toEqual({ shown: ['a'], fresh: ['b'] })
})
