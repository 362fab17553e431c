import { expect, test } from 'vitest'
import { partsOf } from './search-match.ts'
import { parseQuery } from './search-query.ts'

const parts = (text: string, query: string, more: Parameters<typeof partsOf>[0] = []) =>
  partsOf([{ kind: 'text', index: 0, text }, ...more], parseQuery(query, { year: 2026, month: 1, day: 1 }).terms)

test('a short text is shown whole, with its matches emphasized', () => {
  expect(parts('one two\nthree', 'two ')).toEqual([
    { kind: 'text', index: 0, excerpt: 'one two three', marks: [[4, 7]], cutBefore: false, cutAfter: false },
  ])
})

test('a long text is cut around the first match, and the offsets are relative to the excerpt', () => {
  const text = `${'lorem ipsum '.repeat(100)}needle ${'dolor '.repeat(100)}`
  const [part] = parts(text, 'needle ')
  expect(part?.excerpt.length).toBeLessThanOrEqual(240)
  expect(part?.excerpt.startsWith('ipsum')).toBe(true)
  expect(part?.marks.map(([start, end]) => part.excerpt.slice(start, end))).toEqual(['needle'])
  expect(part?.cutBefore).toBe(true)
  expect(part?.cutAfter).toBe(true)
})

test('no character is split', () => {
  const [part] = parts('🎉'.repeat(300), 'x ')
  expect(part?.excerpt.isWellFormed()).toBe(true)
})

test('other parts are shown if they contain a match', () => {
  const more = [
    { kind: 'attachment' as const, index: 0, text: 'Budget.xlsx' },
    { kind: 'attachment' as const, index: 1, text: 'Plan.pdf' },
  ]
  expect(parts('see', 'plan ', more).map(({ kind, index, marks }) => [kind, index, marks])).toEqual([
    ['text', 0, []],
    ['attachment', 1, [[0, 4]]],
  ])
})
