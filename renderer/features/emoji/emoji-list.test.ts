import { expect, test } from 'vitest'
import { searchEmoji, withTone, loadEmoji } from './emoji-list.ts'

const first = async (language: string, query: string) => searchEmoji(await loadEmoji(language), query, 5)[0]?.unicode

test('an exact shortcode is the first result', async () => {
  expect(await first('en', 'tada')).toBe('🎉')
  expect(await first('en', 'heart')).toBe('❤️')
  expect(await first('en', 'hiking_boot')).toBe('🥾')
})

test('keywords of the interface language and of English are searched', async () => {
  expect(await first('pl', 'kciuk w górę')).toBe('👍')
  expect(await first('pl', 'thumbsup')).toBe('👍')
  expect(await first('ru', 'огонь')).toBe('🔥')
})

test('diacritics are not needed to search', async () => {
  const list = await loadEmoji('pl')
  expect(searchEmoji(list, 'gora', 40).map((emoji) => emoji.unicode)).toContain('⛰️')
})

test('labels are in the interface language', async () => {
  const list = await loadEmoji('ru')
  expect(list.find((emoji) => emoji.unicode === '🚀')?.label).toBe('ракета')
})

test('skin tone and hair components are not offered', async () => {
  const list = await loadEmoji('en')
  expect(list.some((emoji) => emoji.unicode === '\u{1F3FD}')).toBe(false)
  expect(list.length).toBeGreaterThan(1_800)
})

test('a skin tone applies to hands and not to emoji without skin', async () => {
  const list = await loadEmoji('en')
  const wave = list.find((emoji) => emoji.names.includes('wave'))
  const rocket = list.find((emoji) => emoji.names.includes('rocket'))
  expect(wave && withTone(wave, 5)).toBe('👋🏿')
  expect(wave && withTone(wave, 0)).toBe('👋')
  expect(rocket && withTone(rocket, 3)).toBe('🚀')
})

test('an empty query has no results', async () => {
  expect(searchEmoji(await loadEmoji('en'), '  ', 5)).toEqual([])
})
