import { describe, expect, test } from 'vitest'
import { wordDiff } from './DetailsDialog.tsx'

const shown = (before: string, after: string) => wordDiff(before, after).map(({ kind, text }) => `${kind}:${text}`)

describe('the difference between two texts', () => {
  test('is by word', () => {
    expect(shown('Ship teh plan today', 'Ship the plan tomorrow')).toEqual([
      'same:Ship ',
      'removed:teh',
      'added:the',
      'same: plan ',
      'removed:today',
      'added:tomorrow',
    ])
  })

  test('letters with diacritics and other alphabets form words too', () => {
    expect(shown('zażółć gęślą', 'zażółć jaźń')).toEqual(['same:zażółć ', 'removed:gęślą', 'added:jaźń'])
  })

  test('of equal texts, and of texts one of which is empty', () => {
    expect(shown('a b', 'a b')).toEqual(['same:a b'])
    expect(shown('', 'a b')).toEqual(['added:a b'])
    expect(shown('a b', '')).toEqual(['removed:a b'])
  })

  test('contains both texts completely, also when they are too long to compare', () => {
    for (const times of [3, 2_000]) {
      const before = Array.from({ length: times }, (_, n) => `old${n}`).join(' ')
      const after = Array.from({ length: times }, (_, n) => `new${n}`).join(' ')
      const runs = wordDiff(before, after)
      const without = (kind: string) => runs.filter((run) => run.kind !== kind).map(({ text }) => text)
      expect(without('added').join('')).toBe(before)
      expect(without('removed').join('')).toBe(after)
    }
  })
})
