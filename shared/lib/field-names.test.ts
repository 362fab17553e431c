import { expect, test } from 'vitest'
import { isFieldName, isPlainName } from './field-names.ts'

test.each(['region', 'hut_keeper', 'a-1', '_x'])('a custom field may be called %s', (name) => {
  expect(isFieldName(name)).toBe(true)
})

test.each(['', 'role', 'status_text', 'a.b', '$set', '1st', '__proto__', 'ą', 'x'.repeat(65)])(
  'a custom field is not called %s: no plain name, or a field of the contract',
  (name) => {
    expect(isFieldName(name)).toBe(false)
  },
)

test('a plain name has letters, digits, _ and - only, at most 64', () => {
  expect(['hut-keeper', '1st_role', 'x'.repeat(64)].every(isPlainName)).toBe(true)
  expect(['', 'two words', 'ą', 'a.b', 'x'.repeat(65)].some(isPlainName)).toBe(false)
})
