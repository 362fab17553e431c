import { expect, test } from 'vitest'
import { isMentionableChannel, splitChannelMentions, isNamed, mayCall, broadcastsIn } from './mentions.ts'

test.each([
  ['see #map-data, please', ['see ', '#map-data', ', please']],
  ['#команда-алматы and (#łódź_1)', ['#команда-алматы', ' and (', '#łódź_1', ')']],
  ['C# and a#b and ## and # x', ['C# and a#b and ## and # x']],
  ['', ['']],
])('%j is split at possible channel mentions', (text, parts) => {
  expect(splitChannelMentions(text).map((part) => part.text)).toEqual(parts)
  expect(
    splitChannelMentions(text).every(({ kind, text: part }) => (kind === 'channel') === /^#[^\s#]/.test(part)),
  ).toBe(true)
})

test('only a one-word channel name can be mentioned, and a direct conversation has none', () => {
  const named = (name: string, directUserIds: string[] = []) => isMentionableChannel({ name, directUserIds } as never)
  expect(named('release-4-2')).toBe(true)
  expect(named('Field trips')).toBe(false)
  expect(named('')).toBe(false)
  expect(named('ola', ['ola'])).toBe(false)
})

test.each([
  ['@channel the train leaves', ['channel']],
  ['who is awake? @here', ['here']],
  ['(@HERE, @Channel!)', ['channel', 'here']],
  ['@channels and @hereafter', []],
  ['me@channel and @@here', []],
  ['the word `@channel` in code', []],
  ['```\n@here\n```\n@channel', ['channel']],
  ['```\n@here', []],
  ['nobody', []],
])('%j contains the broadcast mentions %j', (text, broadcasts) => expect(broadcastsIn(text)).toEqual(broadcasts))

test('the right to a broadcast mention must be granted explicitly', () => {
  expect(mayCall({ capabilities: [] }, 'channel')).toBe(false)
  expect(mayCall({ capabilities: ['notify-channel'] }, 'channel')).toBe(true)
  expect(mayCall({ capabilities: ['notify-channel'] }, 'here')).toBe(false)
})

test('a broadcast mention mentions everyone, any other message those it lists', () => {
  expect(isNamed({ mentionedUserIds: [], reach: ['here'] }, 'ann')).toBe(true)
  expect(isNamed({ mentionedUserIds: ['ann'] }, 'ann')).toBe(true)
  expect(isNamed({ mentionedUserIds: ['bob'] }, 'ann')).toBe(false)
})
