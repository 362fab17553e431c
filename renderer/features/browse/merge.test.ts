import { expect, test } from 'vitest'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { aChannel } from '../../../tests/kit/fake-bridge/index.ts'
import { linesOf, type Show, type Sort } from './commands.ts'

const local = [
  aChannel({ cid: 'team:mine', memberCount: 2, lastMessageAt: 30 }),
  aChannel({ cid: 'team:old', archivedAt: 1, lastMessageAt: 10 }),
  aChannel({ cid: 'team:away', hidden: true }),
  aChannel({ cid: 'team:left', visiting: true }),
  aChannel({ cid: 'messaging:pair', directUserIds: [asUserId('bo')] }),
]
const listed = [
  { cid: asCid('team:mine'), name: 'mine', memberCount: 9 },
  { cid: asCid('team:łąka'), name: 'Łąka', memberCount: 7, lastMessageAt: 20 },
]
const names = (show: Show, { text = '', sort = 'activity' }: { text?: string; sort?: Sort } = {}) =>
  linesOf(
    local,
    listed,
    { text, sort, show },
    { titleOf: (cid) => cid.split(':')[1] ?? '', compare: (a, b) => (a < b ? -1 : 1) },
  ).map(({ name }) => name)

test('local channels and those of the server are one list, each channel once', () => {
  expect(names('all')).toEqual(['mine', 'Łąka', 'old'])
  expect(names('all', { sort: 'members' })).toEqual(['Łąka', 'old', 'mine'])
})

test('joined, not joined, archived and hidden channels are filtered', () => {
  expect(names('joined')).toEqual(['mine'])
  expect(names('others')).toEqual(['Łąka'])
  expect(names('archived')).toEqual(['old'])
  expect(names('hidden')).toEqual(['away'])
})

test('names are found without their accents', () => {
  expect(names('all', { text: 'lak' })).toEqual(['Łąka'])
})
