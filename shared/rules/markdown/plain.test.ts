import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseText } from './parse.ts'
import { isPlainText, plainBlocks } from './plain.ts'

test.each([
  'On my way',
  'Was it 12:30?\nYes, at the hut (the lower one).',
  'One\n\n\nTwo',
  '@Ola see #plans, it is 100% "done"!',
  'Дивись, це просто текст',
  'مرحبا يا علا',
  '',
])('%j has no formatting', (text) => {
  expect(isPlainText(text)).toBe(true)
  expect(plainBlocks(text)).toEqual(parseText(text))
})

test.each([
  '**so**',
  'a_b_',
  '`code`',
  '~~no~~',
  '[text](https://example.org)',
  'https://example.org',
  'MAILTO:ola@example.org',
  'parlor://open/demo/message/team:plans/m-1',
  ':tada:',
  '# Head',
  'a\n- b',
  '1. one',
  '2) two',
  '> quote',
  ' - list',
  '|a|b|\n|-|-|',
  'Agenda\n---',
  'a\\*b',
  'a &amp; b',
  'two spaces  \nand a line',
])('%j may have some', (text) => {
  expect(isPlainText(text)).toBe(false)
})

test('what counts as plain is what the parser leaves as it is, whatever the text', () => {
  const piece = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom('Ola', 'at 5', ' ', ' ', '\n', '\n', '\n\n', '.', ', ', 'ż', '‏', '\u00a0'),
    },
    { weight: 1, arbitrary: fc.constantFrom(...'\\`*_~[]()<>&|#+-=:!/@^{}"\'0123456789\t\r\f\v\u2028'.split('')) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
  )
  let plain = 0
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      (text) => {
        if (!isPlainText(text)) return
        plain += 1
        expect(plainBlocks(text)).toEqual(parseText(text))
      },
    ),
    { numRuns: 3_000 },
  )
  expect(plain).toBeGreaterThan(300)
})
