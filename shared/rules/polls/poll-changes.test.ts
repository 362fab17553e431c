import { expect, test } from 'vitest'
import { changesBetween, votesLost, withChanges } from './poll-changes.ts'

const pollOf = (name: string, ...texts: string[]) => ({
  name,
  description: '',
  options: texts.map((text, index) => ({ id: String(index), text })),
})

test('a changed text is a change, an added option is not', () => {
  const before = pollOf('Lunch?', 'Soup', 'Cake')
  const after = { ...pollOf('Supper?', 'Soup', 'Pie', 'Tea'), description: 'Friday' }
  expect(changesBetween(before, after, 7)).toEqual([
    { what: 'question', at: 7, before: 'Lunch?', after: 'Supper?' },
    { what: 'description', at: 7, before: '', after: 'Friday' },
    { what: 'option', at: 7, before: 'Cake', after: 'Pie' },
  ])
  expect(changesBetween(before, pollOf('Lunch?', 'Soup'), 8)).toEqual([{ what: 'removed', at: 8, before: 'Cake' }])
})

test('the newest twenty changes are stored', () => {
  const change = (at: number) => ({ what: 'removed', at, before: 'x' }) as const
  const known = Array.from({ length: 20 }, (_one, index) => change(20 - index))
  expect(withChanges(known, [change(21)]).map(({ at }) => at)).toEqual([21, ...known.slice(0, 19).map(({ at }) => at)])
  expect(withChanges(known, [])).toBe(known)
})

test('only removed options lose their votes', () => {
  const options = [
    { id: 'a', votes: 3 },
    { id: 'b', votes: 2 },
  ]
  expect(votesLost({ options }, { removed: ['b'] })).toBe(2)
})
