import { expect, test } from 'vitest'
import { pseudoOf, stretched, stretchedTexts } from './pseudo.ts'

test.each([
  ['?lang=qps', 'long'],
  ['?lang=qps-rtl', 'mirrored'],
  ['?lang=pl', undefined],
  ['', undefined],
])('%s asks for %s', (query, expected) => {
  expect(pseudoOf(query)).toBe(expected)
})

test('a text is longer and accented, and what is filled in stays as it is', () => {
  expect(stretched('Search')).toBe('[Šéárçh~~~]')
  expect(stretched('Hi {{name}}, <b>now</b>')).toContain('{{name}}, <b>ñöw</b>')
})

test('nested texts are stretched where they stand', () => {
  expect(stretchedTexts({ menu: { open: 'Open' } })).toEqual({ menu: { open: '[Öpéñ~~]' } })
})
