import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanName, cleanText, isBlank } from './clean-text.ts'

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

test('visible text is not blank, whatever surrounds it', () => {
  const blank = [
    '',
    '\u200B'.repeat(64),
    '\u200D',
    '\u2060\u00AD',
    '\u115F',
    '\u{E0020}',
    '\u0300\u0301',
    '\u2800',
    '\u3000',
  ]
  expect(blank.filter((text) => !isBlank(text))).toEqual([])
  expect(['a', '-', '.', 'e\u0301', '👩\u200D👧', '\uFFFD', 'ㅤa', '🇵🇱', '1\uFE0F\u20E3'].filter(isBlank)).toEqual([])
})

test('combining marks on one letter are cut after eight', () => {
  expect(cleanName(`a${'\u0301'.repeat(50)}b`, 200)).toBe(`a${'\u0301'.repeat(8)}b`)
})

test('text preserves its lines and directions, loses NUL, and is cut at a whole character', () => {
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
