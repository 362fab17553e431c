import { expect, test, describe } from 'vitest'
import { asUserId } from '../../lib/brand.ts'
import { cutText, excerpt, isEmptyText, isLongerThan, presentMentions, textLength, plainText } from './text.ts'

test.each([
  '',
  ' ',
  '\n\t',
  '\u200D',
  '\u200B'.repeat(5),
  '\u0301',
  '\u3164',
  '\u2800',
  '\u00AD\u2060',
  '>',
  ' > ',
  '**',
  '__',
  '``',
  '``````',
  '****',
  '____',
  '  ____\n',
])('AGR-35 counts %j as empty', (text) => expect(isEmptyText(text)).toBe(true))

test.each(['a', '-', '👩‍👩‍👧', 'ą', '\uFFFD', '>a', '`', '```', '*', '***', '> **', '0', '—', '👍'])(
  'counts %j as text',
  (text) => expect(isEmptyText(text)).toBe(false),
)

test('an emoji is one character', () => {
  expect(textLength('a👍')).toBe(2)
  expect(isLongerThan('👍👍', 2)).toBe(false)
  expect(isLongerThan('👍👍👍', 2)).toBe(true)
})

test('cutting never splits a character', () => {
  expect(cutText('a👍b', 2)).toBe('a👍')
  expect(cutText('abc', undefined)).toBe('abc')
})

test('AGR-36 mentions remain only while their id or name is in the text', () => {
  const people = [
    { id: asUserId('ala'), name: 'Ala Nowak' },
    { id: asUserId('bob'), name: 'Bob' },
    { id: asUserId('eve'), name: '' },
  ]
  expect(presentMentions('hi @Ala Nowak and @bob', people)).toEqual(['ala', 'bob'])
  expect(presentMentions('hi Ala', people)).toEqual([])
})

test('an excerpt is one line', () => {
  expect(excerpt('one\n two   three', 9)).toBe('one two…')
})

describe('a message as plain text', () => {
  test.each([
    ['the banner: **„Szlak zamknięty”**. Shorter?', 'the banner: „Szlak zamknięty”. Shorter?'],
    ['*so* _it_ ***is*** ~~was~~', 'so it is was'],
    ['call `snake_case_name` and **`x`**', 'call snake_case_name and x'],
    ['see [the plan](https://example.com/a_b_c)', 'see the plan'],
    ['https://example.com/a_b_c*d* <https://example.com>', 'https://example.com/a_b_c*d* https://example.com'],
    ['> quoted\n> twice\nanswer', 'quoted\ntwice\nanswer'],
    ['## Title\n- one\n- [x] two\n1. three', 'Title\none\ntwo\n1. three'],
    ['```ts\nconst a = "**b**"\n```', 'const a = "**b**"'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', ' a | b \n 1 | 2 '],
    [String.raw`2 \* 3 \_`, '2 * 3 _'],
  ])('%s', (markdown, plain) => {
    expect(plainText(markdown)).toBe(plain)
  })

  test.each([
    '2 * 3 * 4',
    'snake_case_name and other_name',
    'a -> b',
    'x || y',
    '5 > 3',
    'no signs, ąęł, 東京',
    '#general',
  ])('leaves "%s" unchanged', (text) => {
    expect(plainText(text)).toBe(text)
  })

  test('is fast for a text that consists of Markdown characters', () => {
    // A pattern with catastrophic backtracking would not finish this test.
    for (const sign of ['*', '_', '[', '`', '> ', '| ', '~~', '\\', '***a', '[](']) {
      expect(plainText(sign.repeat(5_000)).length).toBeLessThanOrEqual(sign.length * 5_000)
    }
  })
})
