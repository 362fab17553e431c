import data from 'emojibase-data/en/compact.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { emojiAlone, isEmoji } from './emoji-text.ts'

test('every emoji of the picker is recognized, in all skin tones', () => {
  // Entries without a group, and group 2, are components: half a flag, a skin tone.
  const all = data
    .filter(({ group }) => group !== undefined && group !== 2)
    .flatMap(({ unicode, skins = [] }) => [unicode, ...skins.map((skin) => skin.unicode)])
  expect(all.length).toBeGreaterThan(3_000)
  expect(all.filter((emoji) => !isEmoji(emoji))).toEqual([])
})

test.each(['', '1', '#', 'a', 'ok', '👍👍', '👍 ', '🇵', '\u200D', '\uFE0F'])('"%s" is not an emoji', (text) => {
  expect(isEmoji(text)).toBe(false)
})

test.each([
  ['🎉', 1],
  ['🎉🥾', 2],
  ['👩‍👩‍👧 🇵🇱 1️⃣', 3],
  ['👍🏽👍', 2],
  ['ok 🎉', 0],
  ['', 0],
])('"%s" is %i emoji and nothing else', (text, count) => {
  expect(emojiAlone(text)).toBe(count)
})
