import { expect, test } from 'vitest'
import { asUserId, type UserId } from '#shared/lib/brand.ts'
import {
  channelIdFrom,
  channelIdRefusal,
  channelTypeRefusal,
  compareChannels,
  directUserIds,
  splitCid,
} from './channels.ts'

test('a type and an id are refused with the exact texts', () => {
  expect(channelTypeRefusal('a!')).toBe('Invalid chat type a!, letters, numbers and "_-" are allowed')
  expect(channelIdRefusal('a:b')).toBe('Invalid chat id a:b, letters, numbers and "!-_" are allowed')
  expect(channelTypeRefusal('team_1-x')).toBeUndefined()
  expect(channelIdRefusal('!members-A_b')).toBeUndefined()
})

test('pinned channels come first, then by the newest message', () => {
  const places = [
    { cid: 'a', lastMessageAt: 1 },
    { cid: 'b', lastMessageAt: 9 },
    { cid: 'c', pinnedAt: 5 },
    { cid: 'd', pinnedAt: 7 },
    { cid: 'e', createdAt: 4 },
  ]
  expect(places.toSorted(compareChannels).map(({ cid }) => cid)).toEqual(['d', 'c', 'b', 'e', 'a'])
})

test('a cid splits at its first colon', () => {
  expect(splitCid('messaging:!members-x')).toEqual({ type: 'messaging', id: '!members-x' })
})

test('an id is derived from the ASCII letters and digits of a name', () => {
  expect(channelIdFrom('Zażółć Gęślą!', 'x1')).toBe('zazolc-gesla-x1')
  expect(channelIdFrom('Привет', 'x1')).toBe('channel-x1')
})

test('only distinct conversations are direct', () => {
  const ids = ['ala', 'bob'].map(asUserId)
  expect(directUserIds('!members-1', ids, asUserId('ala'))).toEqual(['bob'])
  expect(directUserIds('general', ids, asUserId('ala'))).toEqual([])
})

test('notes to self are direct as long as no one else is a member', () => {
  const [ala, bob] = ['ala', 'bob'].map(asUserId) as [UserId, UserId]
  expect(directUserIds('self-1', [ala], ala)).toEqual(['ala'])
  expect(directUserIds('self-1', [ala, bob], ala)).toEqual([])
  expect(directUserIds('self-1', [bob], ala)).toEqual([])
})
