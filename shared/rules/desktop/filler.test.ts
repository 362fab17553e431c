import { expect, test } from 'vitest'
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
  expect([names.of('u', 'ann'), names.of('u', 'bo'), names.of('m', 'ann'), names.of('u', 'ann')]).toEqual([
    'u1',
    'u2',
    'm1',
    'u1',
  ])
})
