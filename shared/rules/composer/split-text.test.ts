import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinParts, splitText } from './split-text.ts'
import { textLength } from '../messages/text.ts'

const texts = (text: string, max: number): readonly string[] => splitText(text, max).map((part) => part.text)

describe('long text is split', () => {
  test.each([
    ['between paragraphs', 'one two\n\nthree four', 12, ['one two', 'three four']],
    ['otherwise between lines', 'one two\nthree four\nfive', 18, ['one two\nthree four', 'five']],
    ['otherwise between words', 'one two three', 8, ['one two', 'three']],
    ['inside a word only if it is too long', 'abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['not after a line that is nearly empty', 'a\nb c d e f g h i', 9, ['a\nb c d e', 'f g h i']],
    ['never inside a grapheme', '👍🏽👍🏽👍🏽', 3, ['👍🏽', '👍🏽', '👍🏽']],
  ])('%s', (_name, text, max, parts) => expect(texts(text, max)).toEqual(parts))
})

test('a split code fence is closed and reopened with its language', () => {
  const text = 'See:\n```ts\nconst a = 1\nconst b = 2\n```\nand so on'
  expect(texts(text, 30)).toEqual(['See:\n```ts\nconst a = 1\n```', '```ts\nconst b = 2\n```', 'and so on'])
})

test('the opening line of a fence stays with its code, and no empty block remains', () => {
  expect(texts('words before it here\n```js\nlet a = 1 // and more\n```\nend', 32)).toEqual([
    'words before it here',
    '```js\nlet a = 1 // and more\n```',
    'end',
  ])
})

test('text that fits is one message', () => expect(texts('short', 5)).toEqual(['short']))

const label = fc
  .array(
    fc.constantFrom(
      'one ',
      'two\n',
      '\n\n',
      '```\n',
      '```ts\n',
      '~~~\n',
      'longer-than-all-the-others ',
      '👍🏽',
      'ż',
      '  ',
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''))

test('the joined parts equal the text, and each part is short enough and not blank', () => {
  fc.assert(
    fc.property(label, fc.integer({ min: 14, max: 80 }), (text, max) => {
      const parts = splitText(text, max)
      expect(joinParts(parts).trimStart()).toBe(text.trim())
      for (const part of parts) expect(textLength(part.text)).toBeLessThanOrEqual(max)
      expect(parts.filter((part) => part.text.trim() === '')).toEqual([])
    }),
    { numRuns: 300 },
  )
})
