import { expect, test } from 'vitest'
import { DEFAULT_NOTIFICATIONS } from '#shared/domain/settings.ts'
import { ownLevel, withOwnLevel } from './notifying.ts'

const ME = 'local demo Cairn Maps ola'

test("a channel's own level can be set and removed; other channels and accounts are unchanged", () => {
  const before = {
    ...DEFAULT_NOTIFICATIONS,
    levels: { [ME]: { 'team:a': 'all' as const }, other: { 'team:b': 'none' as const } },
  }
  const louder = withOwnLevel(before, ME, { cid: 'team:b', level: 'mentions' })
  expect(ownLevel(louder, ME, 'team:a')).toBe('all')
  expect(ownLevel(louder, ME, 'team:b')).toBe('mentions')
  expect(ownLevel(louder, 'other', 'team:b')).toBe('none')
  const plain = withOwnLevel(louder, ME, { cid: 'team:b', level: undefined })
  expect(plain).toEqual(before)
  expect(ownLevel(DEFAULT_NOTIFICATIONS, ME, 'team:a')).toBeUndefined()
})
