import { expect, test } from 'vitest'
import { rankMatches } from '#main/cache/search/query.ts'

const NOW = 1_800_000_000_000
const DAY_MS = 24 * 3_600_000
const match = (id: string, score: number | undefined, days: number) => ({ id, score, createdAt: NOW - days * DAY_MS })
const order = (...matches: readonly ReturnType<typeof match>[]): string[] =>
  rankMatches(matches, NOW).map(({ id }) => id)

test('a clearly better match stays above a newer one', () => {
  expect(order(match('new', 2, 0), match('better', 4, 900))).toEqual(['better', 'new'])
})

test('of nearly equal matches the newer one is first', () => {
  expect(order(match('old', 4, 900), match('new', 3.5, 1), match('month', 3.5, 30))).toEqual(['new', 'month', 'old'])
})

test('the best match of every account has the same rank, whatever its index says about the words', () => {
  const [rare] = rankMatches([match('a', 9, 30), match('b', 3, 30)], NOW)
  const [common] = rankMatches([match('c', 0.000_002, 30), match('d', 0.000_001, 30)], NOW)
  expect(rare?.rank).toBe(common?.rank)
})

test('a message that is not indexed yet counts as an average match', () => {
  expect(order(match('best', 5, 1), match('fresh', undefined, 1), match('weak', 1, 1))).toEqual([
    'best',
    'fresh',
    'weak',
  ])
  expect(order(match('older', undefined, 2), match('newer', undefined, 1))).toEqual(['newer', 'older'])
})
