import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Intent } from '#shared/domain/intent.ts'
import { MAX_CHANNELS_IN_FLIGHT, MAX_UPLOADS_IN_FLIGHT, laneOf, pick, type PickState } from './lanes.ts'

const free: PickState = { dueIn: () => 0, filesReady: () => true }

const anIntent = (seq: number, over: Partial<Intent> = {}): Intent =>
  ({
    id: `i${seq}`,
    seq,
    kind: 'send-message',
    cid: 'team:a',
    messageId: `i${seq}`,
    state: 'ready',
    attempts: 0,
    nextAt: 0,
    retryable: true,
    createdAt: 0,
    payload: { uploadIds: [] },
    ...over,
  }) as Intent

const started = (intents: readonly Intent[], state: PickState = free) => pick(intents, state).start.map(({ id }) => id)

test('the oldest of a channel goes first, alone', () => {
  expect(started([anIntent(1), anIntent(2), anIntent(3, { cid: 'team:b' as never })])).toEqual(['i1', 'i3'])
})

test('nothing overtakes what is in flight', () => {
  expect(started([anIntent(1, { state: 'inflight' }), anIntent(2)])).toEqual([])
})

test('what waits for time holds its lane and says when to look again', () => {
  const dueIn = ({ id }: Intent) => (id === 'i1' ? 700 : 0)
  const picked = pick([anIntent(1, { state: 'waiting' }), anIntent(2)], { ...free, dueIn })
  expect(picked).toEqual({ start: [], wakeIn: 700 })
})

test('what waits for its files holds its lane', () => {
  expect(started([anIntent(1), anIntent(2)], { ...free, filesReady: ({ id }) => id !== 'i1' })).toEqual([])
})

test('a parked intent steps aside, with all that depends on it', () => {
  const parked = anIntent(1, { state: 'parked' })
  expect(started([parked, anIntent(2, { dependsOn: 'i1' }), anIntent(3)])).toEqual(['i3'])
})

test('a scheduled intent stands in no lane', () => {
  expect(started([anIntent(1, { state: 'scheduled', nextAt: 9e9 }), anIntent(2)])).toEqual(['i2'])
})

test('while a deletion can be undone, nothing of its message leaves', () => {
  const held = anIntent(3, { kind: 'delete-message', messageId: 'i1' as never, state: 'scheduled' })
  expect(started([anIntent(1), anIntent(2), held])).toEqual(['i2'])
})

test('a thread that is stuck does not hold up its channel', () => {
  const stuck = anIntent(1, { parentId: 'm1' as never, state: 'waiting' })
  expect(started([stuck, anIntent(2)], { ...free, dueIn: ({ id }) => (id === 'i1' ? 9 : 0) })).toEqual(['i2'])
})

test('four channels and two files go at once', () => {
  const channels = Array.from({ length: 6 }, (_, index) => anIntent(index, { cid: `team:${index}` as never }))
  const files = Array.from({ length: 4 }, (_, index) =>
    anIntent(10 + index, { kind: 'upload', payload: { uploadId: `u${index}` } }),
  )
  const picked = pick([...channels, ...files], free).start
  expect(picked.filter(({ kind }) => kind === 'upload')).toHaveLength(MAX_UPLOADS_IN_FLIGHT)
  expect(picked.filter(({ kind }) => kind !== 'upload')).toHaveLength(MAX_CHANNELS_IN_FLIGHT)
})

const aMixedIntent = fc.record({
  cid: fc.constantFrom('team:a', 'team:b', 'team:c', 'team:d', 'team:e', 'team:f'),
  parentId: fc.constantFrom(undefined, 'm1', 'm2'),
  state: fc.constantFrom('ready', 'waiting', 'inflight', 'parked'),
  due: fc.constantFrom(0, 5),
})

test('at most one request a channel and four channels, and never past an older one of the same lane', () => {
  fc.assert(
    fc.property(fc.array(aMixedIntent, { maxLength: 20 }), (rows) => {
      const intents = rows.map(({ due: _due, ...row }, index) => anIntent(index, row as Partial<Intent>))
      const dueIn = (intent: Intent) => rows[intent.seq]?.due ?? 0
      const { start } = pick(intents, { ...free, dueIn })
      const inflight = new Set(intents.filter(({ state }) => state === 'inflight').map(({ cid }) => cid))
      expect(start.every(({ cid }) => !inflight.has(cid))).toBe(true)
      expect(new Set(start.map(({ cid }) => cid)).size).toBe(start.length)
      expect(start.length).toBeLessThanOrEqual(Math.max(0, MAX_CHANNELS_IN_FLIGHT - inflight.size))
      for (const chosen of start) {
        const older = intents.filter((each) => each.seq < chosen.seq && laneOf(each) === laneOf(chosen))
        expect(older.every(({ state }) => state === 'parked')).toBe(true)
      }
    }),
  )
})
