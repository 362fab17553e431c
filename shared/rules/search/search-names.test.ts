import { expect, test } from 'vitest'
import { nameRank, nameWords } from './search-names.ts'

const rank = (name: string, typed: string) => nameRank(nameWords(name), nameWords(typed))

test.each([
  ['Anna Nowak', 'anna nowak', 0],
  ['Łukasz Żak', 'lukasz zak', 0],
  ['Anna Nowak', 'ann', 1],
  ['Anna Nowak', 'now an', 2],
  ['Женя Крылова', 'zhenya', 1],
  ['Zhenya', 'женя', 0],
  ['Anna Maria Nowak', 'amn', 3],
  ['release-planning', 'lann', 4],
  ['general', 'genreal', 5],
  ['general', 'genaral', 5],
  ['general', 'genral', 5],
  ['general', 'gennera', 5],
  ['general', 'gneral', 5],
  ['Anna', 'bob', undefined],
  ['Anna', '', undefined],
  ['ann', 'ban', undefined],
] as const)('“%s” matches “%s” with rank %s', (name, typed, expected) => {
  expect(rank(name, typed)).toBe(expected)
})
