import { describe, expect, test } from 'vitest'
import type { Reminder } from '#shared/domain/message.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import {
  compareReminders,
  DUE_FOR_MS,
  REFRESH_FOR_MS,
  refreshInMs,
  reminderState,
  REMINDER_OFFSETS_MS,
} from './reminders.ts'

const NOW = 1_800_000_000_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const aReminder = (id: string, over: Partial<Reminder> = {}): Reminder => ({
  messageId: asMessageId(id),
  cid: asCid('team:a'),
  pending: false,
  createdAt: 1,
  updatedAt: 1,
  ...over,
})

test('AGR-30 the menu offers 2 and 30 minutes, 1, 2, 8 and 24 hours', () => {
  expect(REMINDER_OFFSETS_MS.map((ms) => ms / MINUTE)).toEqual([2, 30, 60, 120, 480, 1440])
})

test.each([
  ['upcoming', { remindAt: NOW + 1 }],
  ['due', { remindAt: NOW }],
  ['due', { remindAt: NOW - DUE_FOR_MS + 1 }],
  ['overdue', { remindAt: NOW - DUE_FOR_MS }],
  ['saved', {}],
  ['done', { doneAt: NOW - 1 }],
] as const)('the state is %s for %j', (state, reminder) => expect(reminderState(reminder, NOW)).toBe(state))

describe('a relative time is refreshed', () => {
  test.each([
    ['at the moment itself in the last minute', 20_000, 20_000],
    ['a minute after the moment', 0, MINUTE],
    ['each minute within the hour', HOUR, MINUTE],
    ['each hour within the day', HOUR + 1, HOUR],
    ['each hour up to a whole day', DAY, HOUR],
    ['each day beyond', DAY + 1, DAY],
  ])('AGR-57 %s', (_title, distance, expected) => {
    expect(refreshInMs(NOW + distance, NOW)).toBe(expected)
    expect(refreshInMs(NOW - distance, NOW)).toBe(expected)
  })

  test('AGR-29 never again 14 days after', () => {
    expect(refreshInMs(NOW - REFRESH_FOR_MS + 1, NOW)).toBe(DAY)
    expect(refreshInMs(NOW - REFRESH_FOR_MS, NOW)).toBeUndefined()
  })
})

test('sorted by time, then saved, then done, newest first', () => {
  const listed = [
    aReminder('done-1', { doneAt: 5 }),
    aReminder('saved-1', { updatedAt: 1 }),
    aReminder('late', { remindAt: 90 }),
    aReminder('done-2', { doneAt: 6 }),
    aReminder('saved-2', { updatedAt: 2 }),
    aReminder('early', { remindAt: 10 }),
  ].toSorted(compareReminders)
  expect(listed.map((reminder) => reminder.messageId)).toEqual([
    'early',
    'late',
    'saved-2',
    'saved-1',
    'done-2',
    'done-1',
  ])
})
