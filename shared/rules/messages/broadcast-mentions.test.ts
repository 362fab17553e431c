import { expect, test } from 'vitest'
import { isNamed, mayCall, broadcastsIn } from './broadcast-mentions.ts'

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
