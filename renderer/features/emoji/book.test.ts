import { expect, test } from 'vitest'
import { plainPicture, searchEmoji, withTone } from './book.ts'
import { loadEmoji } from './load.ts'

const first = async (language: string, query: string) => searchEmoji(await loadEmoji(language), query, 5)[0]?.unicode

test('an exact shortcode is the first result', async () => {
  expect([await first('en', 'tada'), await first('en', 'heart'), await first('en', 'hiking_boot')]).toEqual([
    '🎉',
    '❤️',
    '🥾',
  ])
})

test('keywords of the interface language and of English are searched', async () => {
  expect([await first('pl', 'kciuk w górę'), await first('pl', 'thumbsup'), await first('ru', 'огонь')]).toEqual([
    '👍',
    '👍',
    '🔥',
  ])
})

test('diacritics are not needed to search', async () => {
  const book = await loadEmoji('pl')
  expect(searchEmoji(book, 'gora', 40).map((emoji) => emoji.unicode)).toContain('⛰️')
})

test('labels are in the interface language', async () => {
  const book = await loadEmoji('ru')
  expect(book.find((emoji) => emoji.unicode === '🚀')?.label).toBe('ракета')
})

test('skin tone and hair components are not offered', async () => {
  const book = await loadEmoji('en')
  expect(book.some((emoji) => emoji.unicode === '\u{1F3FD}')).toBe(false)
  expect(book.length).toBeGreaterThan(1_800)
})

test('a skin tone applies to hands and not to emoji without skin', async () => {
  const book = await loadEmoji('en')
  const wave = book.find((emoji) => emoji.names.includes('wave'))
  const rocket = book.find((emoji) => emoji.names.includes('rocket'))
  expect([wave && withTone(wave, 5), wave && withTone(wave, 0), rocket && withTone(rocket, 3)]).toEqual([
    '👋🏿',
    '👋',
    '🚀',
  ])
})

test('the variation selector is removed from emoji that are graphical by default, and kept on others', () => {
  expect([plainPicture('👍\uFE0F'), plainPicture('❤\uFE0F')]).toEqual(['👍', '❤\uFE0F'])
})

test('an empty query has no results', async () => {
  expect(searchEmoji(await loadEmoji('en'), '  ', 5)).toEqual([])
})
