import { expect, test } from 'vitest'
import { pseudoOf, stretched, stretchedTexts } from './load-texts.ts'

test.each([
  ['?lang=qps', 'long'],
  ['?lang=qps-rtl', 'mirrored'],
  ['?lang=pl', undefined],
  ['', undefined],
])('%s selects %s', (query, expected) => {
  expect(pseudoOf(query)).toBe(expected)
})

test('a text gets longer and accented, placeholders and tags stay unchanged', () => {
  expect(stretched('Search')).toBe('[Šéárçh~~~]')
  expect(stretched('Hi {{name}}, <b>now</b>')).toContain('{{name}}, <b>ñöw</b>')
})

test('nested texts are stretched in place', () => {
  expect(stretchedTexts({ menu: { open: 'Open' } })).toEqual({ menu: { open: '[Öpéñ~~]' } })
})
