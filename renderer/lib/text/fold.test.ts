import { expect, test } from 'vitest'
import { fold, foldWithOffsets } from './fold.ts'

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
