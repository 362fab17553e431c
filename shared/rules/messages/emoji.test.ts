import { expect, test } from 'vitest'
import { asEmojiName, emojiNameAt, emojiNameFault, emojiNameIn, plainPicture, splitEmoji } from './emoji.ts'
import { plainText } from './text.ts'

const parts = (text: string) => splitEmoji(text).map((part) => ('name' in part ? `<${part.name}>` : part.text))

test.each([
  ['hello :parrot: there', ['hello ', '<parrot>', ' there']],
  [':a1::b2:', ['<a1>', '<b2>']],
  [':party_parrot-2:!', ['<party_parrot-2>', '!']],
  ['at 12:30:45', ['at 12:30:45']],
  ['a:bc:d', ['a:bc:d']],
  [':Up: :x: : ::', [':Up: :x: : ::']],
  ['', ['']],
])('"%s" is split at names between colons', (text, expected) => {
  expect(parts(text)).toEqual(expected)
})

test('a name is found where it begins, and alone', () => {
  expect(emojiNameAt('x :ab: y', 2)).toBe('ab')
  expect(emojiNameAt('x :ab: y', 5)).toBeUndefined()
  expect(emojiNameAt('1:ab:', 1)).toBeUndefined()
  expect(emojiNameIn(':ab:')).toBe('ab')
  expect(emojiNameIn(':ab: ')).toBeUndefined()
  expect(emojiNameIn('🎉')).toBeUndefined()
})

test.each([
  ['parrot', undefined],
  ['a'.repeat(30), undefined],
  ['a'.repeat(31), 'form'],
  ['x', 'form'],
  ['Parrot', 'form'],
  ['żubr', 'form'],
  ['like', 'reserved'],
  ['toString', 'form'],
  ['bird', 'taken'],
])('the name %s: %s', (name, fault) => {
  expect(emojiNameFault(name, new Set(['bird']))).toBe(fault)
})

test.each([
  ['Party Parrot.gif', 'party_parrot'],
  ['Żółw & łoś.png', 'zolw_los'],
  ['???.png', ''],
  [`${'a'.repeat(60)}.png`, 'a'.repeat(30)],
])('"%s" makes the name "%s"', (file, name) => {
  expect(asEmojiName(file)).toBe(name)
})

test('lists and notifications show the name as written', () => {
  expect(plainText('**now** :_a_: and :party_parrot:')).toBe('now :_a_: and :party_parrot:')
})

test('the variation selector is removed from emoji that are graphical by default, and stays on others', () => {
  expect(plainPicture('👍\uFE0F')).toBe('👍')
  expect(plainPicture('❤\uFE0F')).toBe('❤\uFE0F')
})
