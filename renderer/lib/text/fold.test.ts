import { expect, test } from 'vitest'
import { distance, fold, foldWithOffsets, matchIn } from './fold.ts'

test.each([
  ['Łódź', 'lodz'],
  ['Ёлка', 'елка'],
  ['Straße', 'strasse'],
  ['в\u00A0канале', 'в канале'],
  ['12\u202F345', '12 345'],
])('%s is found as %s', (text, folded) => {
  expect(fold(text)).toBe(folded)
})

test('every folded letter has the offset of its original', () => {
  expect(foldWithOffsets('ßé')).toEqual({ text: 'sse', at: [0, 0, 1, 2] })
})

test.each([
  ['relese', 'release', 2, 1],
  ['abc', 'abc', 2, 0],
  ['kitten', 'sitting', 3, 3],
  ['', 'ab', 2, 2],
  ['kitten', 'sitting', 2, 3],
  ['a', 'abcdef', 2, 3],
])('from %j to %j are at most %i edits: %i', (a, b, limit, expected) => {
  expect(distance(a, b, limit)).toBe(expected)
  expect(distance(b, a, limit)).toBe(expected)
})

test.each([
  ['Łódź office', 'lodz', ['', 'Łódź', ' office']],
  ['Straße', 'ss', ['Stra', 'ß', 'e']],
  ['release', 'EAS', ['rel', 'eas', 'e']],
  ['release', 'x', ['release', '', '']],
  ['release', '', ['release', '', '']],
])('of %j the part that matches %j is marked as it is written', (name, query, [before, match, after]) => {
  expect(matchIn(name, query)).toEqual({ before, match, after })
})
