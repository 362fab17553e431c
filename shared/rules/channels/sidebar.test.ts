import { expect, test } from 'vitest'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { EMPTY_PLAN, type SectionName } from '../../domain/settings.ts'
import {
  canMoveTo,
  neighbourSection,
  sectionNames,
  sectionOf,
  sorted,
  steadied,
  withFolder,
  withFolderMoved,
  withMoved,
  withoutFolder,
  withSort,
} from './sidebar.ts'

const channel = { cid: asCid('team:a'), directUserIds: [] }
const direct = { cid: asCid('messaging:!members-1'), directUserIds: [asUserId('bob')] }
const plan = withFolder(EMPTY_PLAN, { id: 'f1', name: 'Work' })
const comparators = { loudness: () => 0, compareNames: (a: string, b: string) => a.localeCompare(b) }

test('a conversation is archived, pinned, in its folder, or in the section of its kind, in that order', () => {
  const placed = withMoved(plan, { cid: 'team:a', to: 'folder:f1', shown: [] })
  expect(sectionOf(channel, EMPTY_PLAN)).toBe('channels')
  expect(sectionOf(direct, EMPTY_PLAN)).toBe('direct')
  expect(sectionOf(channel, placed)).toBe('folder:f1')
  expect(sectionOf({ ...channel, pinnedAt: 1 }, placed)).toBe('pinned')
  expect(sectionOf({ ...channel, pinnedAt: 1, archivedAt: 1 }, placed)).toBe('archived')
})

test('deleting a folder moves its conversations back', () => {
  const placed = withMoved(plan, { cid: 'team:a', to: 'folder:f1', shown: [] })
  const removed = withoutFolder(placed, 'f1')
  expect(sectionOf(channel, removed)).toBe('channels')
  expect(removed).toEqual(EMPTY_PLAN)
})

test('folders are between the pinned section and the rest, and can be reordered', () => {
  const two = withFolder(plan, { id: 'f2', name: 'Play' })
  expect(sectionNames(two)).toEqual(['pinned', 'folder:f1', 'folder:f2', 'channels', 'direct', 'archived'])
  expect(sectionNames(withFolderMoved(two, 'f2', -1)).slice(1, 3)).toEqual(['folder:f2', 'folder:f1'])
  expect(withFolderMoved(two, 'f2', 1)).toBe(two)
  expect(withFolder(two, { id: 'f1', name: 'Office' }).folders[0]?.name).toBe('Office')
})

test('a section has its chosen order; new conversations follow those in custom order', () => {
  const cids = ['c', 'a', 'b']
  const by = (sort: 'recent' | 'unread' | 'name') =>
    sorted(cids, withSort(EMPTY_PLAN, 'channels', sort), 'channels', {
      ...comparators,
      loudness: (cid) => (cid === 'b' ? 2 : 0),
    })
  expect(by('recent')).toEqual(['c', 'a', 'b'])
  expect(by('unread')).toEqual(['b', 'c', 'a'])
  expect(by('name')).toEqual(['a', 'b', 'c'])
  const put = withMoved(EMPTY_PLAN, { cid: 'b', to: 'channels', shown: ['a', 'b'], before: 'a' })
  expect(sorted(['new', 'a', 'b'], put, 'channels', comparators)).toEqual(['b', 'a', 'new'])
})

test('moving inserts before a neighbor or at the end, and makes the order custom', () => {
  const shown = ['a', 'b', 'c']
  const before = withMoved(EMPTY_PLAN, { cid: 'c', to: 'channels', shown, before: 'b' })
  expect(before.order['channels']).toEqual(['a', 'c', 'b'])
  expect(before.sort['channels']).toBe('manual')
  expect(withMoved(EMPTY_PLAN, { cid: 'a', to: 'channels', shown }).order['channels']).toEqual(['b', 'c', 'a'])
})

test('moving to the default section removes the folder, and a pinned conversation remembers its folder', () => {
  const placed = withMoved(plan, { cid: 'team:a', to: 'folder:f1', shown: [] })
  expect(withMoved(placed, { cid: 'team:a', to: 'channels', shown: [] }).placed).toEqual({})
  expect(withMoved(placed, { cid: 'team:a', to: 'pinned', shown: [] }).placed).toEqual({ 'team:a': 'f1' })
})

test('a direct conversation cannot be moved to the channels', () => {
  expect(canMoveTo(direct, 'channels')).toBe(false)
  expect(canMoveTo(direct, 'direct')).toBe(true)
  expect(canMoveTo(direct, 'folder:f1')).toBe(true)
  expect(neighbourSection(direct, plan, { from: 'direct', by: -1 })).toBe('folder:f1')
  expect(neighbourSection(channel, plan, { from: 'channels', by: 1 })).toBeUndefined()
})

test('while the pointer is over the list nothing moves: new conversations are appended, only removed ones disappear', () => {
  const at = (names: Record<string, SectionName>) => new Map(Object.entries(names))
  const held = [
    { name: 'channels' as const, cids: ['a', 'b', 'c'] },
    { name: 'direct' as const, cids: ['d'] },
  ]
  const next = [
    { name: 'pinned' as const, cids: ['b'] },
    { name: 'channels' as const, cids: ['new', 'c'] },
  ]
  const all = at({ a: 'channels', b: 'pinned', c: 'channels', new: 'channels' })
  // `a` is only filtered out, `b` was pinned, `d` was removed.
  expect(steadied(held, next, all)).toEqual([
    { name: 'pinned', cids: ['b'] },
    { name: 'channels', cids: ['a', 'c', 'new'] },
  ])
})
