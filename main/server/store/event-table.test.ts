import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Db } from './db.ts'
import { eventsSince, logEvent, pruneEvents } from './event-table.ts'
import { openStore } from './open.ts'

let db: Db
beforeEach(() => {
  db = openStore(':memory:')
})
afterEach(() => db.close())

function happened(...times: readonly number[]): void {
  for (const at of times) logEvent(db, { cid: 'team:a', userId: undefined, at, type: 'message.new', json: String(at) })
}
const kept = (): string[] => eventsSince(db, ['team:a'], 0, 'ann')

test('events before a time are removed, and none of those since', () => {
  happened(1, 2, 3, 4)
  expect(pruneEvents(db, 3)).toBe(2)
  expect(kept()).toEqual(['3', '4'])
})

test('all are removed when all are older, and nothing of an empty list', () => {
  expect(pruneEvents(db, 3)).toBe(0)
  happened(1, 2)
  expect(pruneEvents(db, 3)).toBe(2)
  expect(kept()).toEqual([])
})

test('after a clock was set back, an event stays until the newer ones before it are old too', () => {
  happened(1, 5, 2, 6)
  expect(pruneEvents(db, 4)).toBe(1)
  expect(kept()).toEqual(['2', '5', '6'])
  expect(pruneEvents(db, 6)).toBe(2)
  expect(kept()).toEqual(['6'])
})
