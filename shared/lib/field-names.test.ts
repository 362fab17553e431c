import { expect, test } from 'vitest'
import { isFieldName } from './field-names.ts'

test.each(['region', 'hut_keeper', 'a-1', '_x'])('a custom field may be called %s', (name) => {
  expect(isFieldName(name)).toBe(true)
})

test.each(['', 'role', 'status_text', 'a.b', '$set', '1st', '__proto__', 'ą', 'x'.repeat(65)])(
  'a custom field is not called %s: no plain name, or a field of the contract',
  (name) => {
    expect(isFieldName(name)).toBe(false)
  },
)
