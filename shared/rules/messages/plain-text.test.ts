import { describe, expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

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
