import { expect, test } from 'vitest'
import { fold, wordsOf } from './search-fold.ts'

test.each([
  ['Łódź', 'lodz'],
  ['zażółć gęślą jaźń', 'zazolc gesla jazn'],
  ['Ещё', 'еще'],
  ['Straße', 'strasse'],
  ['İstanbul ısı', 'istanbul isi'],
  ['Đorđe Øystein Æther', 'dorde oystein aether'],
  ['Café CAFÉ cafe\u0301', 'cafe cafe cafe'],
  ['Йод и\u0306од', 'йод йод'],
  ['ёлка е\u0308лка', 'елка елка'],
  ['naïve—co-operate_now', 'naive co operate now'],
  ['ﬁle １２３', 'file 123'],
  ["don't", 'don t'],
  ['', ''],
  ['… !? —', ''],
])('%s is folded to “%s”', (text, expected) => {
  expect(fold(text)).toBe(expected)
})

test('scripts without spaces are split into overlapping pairs with offsets', () => {
  expect(fold('東京都 is')).toBe('東京 京都 都 is')
  expect(fold('iPhone手机')).toBe('iphone 手机 机')
  expect(fold('서울')).toBe('서울 울')
  expect(fold('か\u3099く')).toBe(fold('がく'))
  expect(wordsOf('x東京都')).toEqual([
    { word: 'x', start: 0, end: 1 },
    { word: '東京', start: 1, end: 3 },
    { word: '京都', start: 2, end: 4 },
    { word: '都', start: 3, end: 4 },
  ])
})

test('offsets refer to the original text, whatever folding does to its length', () => {
  const text = 'Die Straße 🎉 ist groß\u0301!'
  expect(wordsOf(text).map(({ word, start, end }) => [word, text.slice(start, end)])).toEqual([
    ['die', 'Die'],
    ['strasse', 'Straße'],
    ['🎉', '🎉'],
    ['ist', 'ist'],
    ['gross', 'groß\u0301'],
  ])
})

test('an emoji of several parts is found by its parts', () => {
  expect(fold('👩‍💻')).toBe('👩 💻')
})
