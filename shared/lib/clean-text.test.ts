import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanName, cleanText } from './clean-text.ts'

test.each([
  ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
  ['Ana\u2066\u2069\u200E\u200F\u061C', 'Ana'],
  ['two\nlines\tand\u0000NUL', 'twolinesandNUL'],
  ['tags\u{E0041}\u{E007F}', 'tags'],
  ['  spaces  ', 'spaces'],
  ['Zażółć Żółw Надежда 日本', 'Zażółć Żółw Надежда 日本'],
  ['lone \uD800 half', 'lone \uFFFD half'],
])('a name %j is shown as %j', (name, clean) => {
  expect(cleanName(name, 100)).toBe(clean)
})

test('marks stacked on one letter stop at eight', () => {
  expect(cleanName(`a${'\u0301'.repeat(50)}b`, 200)).toBe(`a${'\u0301'.repeat(8)}b`)
})

test('words keep their lines and directions, lose NUL, and are cut at a whole character', () => {
  expect(cleanText('a\u0000b\n\u202Ec', 10)).toBe('ab\n\u202Ec')
  expect(cleanText('ab😀', 3)).toBe('ab')
})

test('the result is always well-formed and never longer than the limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, limit) => {
      for (const clean of [cleanText(text, limit), cleanName(text, limit)]) {
        expect(clean.length).toBeLessThanOrEqual(limit)
        expect(clean.isWellFormed()).toBe(true)
        expect(clean).not.toContain('\u0000')
      }
    }),
  )
})
