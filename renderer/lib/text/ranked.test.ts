import { expect, test } from 'vitest'
import { filterRanked } from './lists.ts'

const found = (query: string, ...names: readonly string[]) => filterRanked(names, query, (name) => name)

test('names that begin with the query come first, then names with such a word, then the rest that contain it', () => {
  expect(found('ma', 'Tamara', 'Hana Mori-Mazur', 'Marcus', 'Jonas')).toEqual(['Marcus', 'Hana Mori-Mazur', 'Tamara'])
})

test('case and accents do not matter, and equal matches keep their order', () => {
  expect(found('ŁO', 'Zoe', 'łódź', 'Lowicz', 'lodz')).toEqual(['łódź', 'Lowicz', 'lodz'])
})

test('everything matches an empty query', () => {
  expect(found('', 'b', 'a')).toEqual(['b', 'a'])
})
