import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { holds } from '#kit/runs.ts'
import { filler, nameFiller, Pseudonyms } from './filler.ts'

test.each([
  ['Call me at 18:30', 'Xxxx xx xx 00:00'],
  ['Zażółć gęślą jaźń', 'Xxxxxx xxxxx xxxx'],
  ['Привет, мир', 'Жжжжжж, жжж'],
  ['שלום 你好', 'אאאא 字字'],
  ['👩‍👩‍👧 ok 🇵🇱', '🙂 xx 🙂'],
  ['see HTTPS://Secret.example/Ann?x=1 now', 'xxx https://Xxxxxx.xxxxxxx/Xxx?x=0 xxx'],
  ['ann@secret.example', 'xxx@xxxxxx.xxxxxxx'],
  ['**bold** `code`\n> quote', '**xxxx** `xxxx`\n> xxxxx'],
  ['/remind me at 9', '/remind xx xx 0'],
  ['/secret me', '/xxxxxx xx'],
  ['a\u202Eb\u200Bc', 'x·x·x'],
])('%s becomes filler of the same length and kind', (text, expected) => {
  expect(filler(text)).toBe(expected)
})

test('no word of a text is in its filler, which has as many characters', async () => {
  const text = fc
    .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.emailAddress(), fc.webUrl()), { maxLength: 6 })
    .map((parts) => parts.join(' '))
  const count = (of: string): number => Array.from(new Intl.Segmenter('en').segment(of)).length
  await holds(
    'filler of generated texts',
    { fixed: 300, fresh: 200, long: 100_000 },
    fc.property(text, (one) => {
      const made = filler(one)
      const words = (one.match(/[\p{L}\p{N}]{5,}/gu) ?? []).filter(
        (word) => !/^(?:https?|x+|X+|0+|ж+|Ж+|字+|ش+|א+)$/iu.test(word),
      )
      for (const word of words) expect(made.toLowerCase()).not.toContain(word.toLowerCase())
      expect(count(made)).toBe(count(one))
    }),
  )
})

test('filler of filler is the same', () => {
  const once = filler('Ann 👍 https://a.example/x 你 §')
  expect(filler(once)).toBe(once)
})

test('the names of controls keep the words of the interface, and lose those of people', () => {
  const name = nameFiller(['Send', 'Profile of {{name}}', '{{name}}', '{{count}} of {{total}}'])
  expect(name('Send')).toBe('Send')
  expect(name(' Profile of\n Ann Lee ')).toBe('Profile of Xxx Xxx')
  expect(name('Ann Lee')).toBe('Xxx Xxx')
  expect(name('3 of 4')).toBe('0 xx 0')
})

test('an id keeps its pseudonym, and two ids share none', () => {
  const names = new Pseudonyms()
  expect(names.of('u', 'ann')).toBe('u1')
  expect(names.of('u', 'bo')).toBe('u2')
  expect(names.of('m', 'ann')).toBe('m1')
  expect(names.of('u', 'ann')).toBe('u1')
})
