import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('cells are quoted, quotes doubled, and formulas escaped', () => {
  expect(csvOf([['a, b', 'say "hi"'], ['=1+1', 'line\nbreak'], []])).toBe(
    '\uFEFF"a, b","say ""hi"""\r\n"\'=1+1","line\nbreak"\r\n\r\n',
  )
})
