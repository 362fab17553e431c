import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Intent } from '#shared/domain/intent.ts'
import { MAX_IN_FLIGHT, laneOf, pick, type PickState } from './lanes.ts'

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

test('the oldest intent of a channel is started first, alone', () => {
  expect(started([anIntent(1), anIntent(2), anIntent(3, { cid: 'team:b' as never })])).toEqual(['i1', 'i3'])
})

test('nothing overtakes what is in flight', () => {
  expect(started([anIntent(1, { state: 'inflight' }), anIntent(2)])).toEqual([])
})

test('an intent that waits for a time blocks its lane and says when it is due', () => {
  const dueIn = ({ id }: Intent) => (id === 'i1' ? 700 : 0)
  const picked = pick([anIntent(1, { state: 'waiting' }), anIntent(2)], { ...free, dueIn })
  expect(picked).toEqual({ start: [], wakeIn: 700 })
})

test('an intent that waits for its files blocks its lane', () => {
  expect(started([anIntent(1), anIntent(2)], { ...free, filesReady: ({ id }) => id !== 'i1' })).toEqual([])
})

test('a parked intent is skipped, with everything that depends on it', () => {
  const parked = anIntent(1, { state: 'parked' })
  expect(started([parked, anIntent(2, { dependsOn: 'i1' }), anIntent(3)])).toEqual(['i3'])
})

test('a scheduled intent blocks no lane', () => {
  expect(started([anIntent(1, { state: 'scheduled', nextAt: 9e9 }), anIntent(2)])).toEqual(['i2'])
})

test('while a deletion can be undone, nothing about its message is sent', () => {
  const held = anIntent(3, { kind: 'delete-message', messageId: 'i1' as never, state: 'scheduled' })
  expect(started([anIntent(1), anIntent(2), held])).toEqual(['i2'])
})

test('a blocked thread does not block its channel', () => {
  const stuck = anIntent(1, { parentId: 'm1' as never, state: 'waiting' })
  expect(started([stuck, anIntent(2)], { ...free, dueIn: ({ id }) => (id === 'i1' ? 9 : 0) })).toEqual(['i2'])
})

const manyOf = (count: number, over: (index: number) => Partial<Intent>): Intent[] =>
  Array.from({ length: count }, (_, index) => anIntent(index, { id: `${count}-${index}`, ...over(index) }))
const inChannel = (index: number) => ({ cid: `team:${index}` as never })
const marks = (count: number, state: Intent['state'] = 'ready') =>
  manyOf(count, (index) => ({
    ...inChannel(index),
    kind: 'mark-read',
    state,
    payload: { readAt: 1, upTo: 'm' as never },
  }))

test('each class starts as many at once as it has slots', () => {
  const channels = manyOf(12, inChannel)
  const files = manyOf(4, (index) => ({ kind: 'upload', payload: { uploadId: `u${index}` } }))
  const reminders = manyOf(5, (index) => ({ kind: 'set-reminder', messageId: `r${index}` as never }))
  const picked = pick([...channels, ...files, ...reminders, ...marks(40)], free).start
  const count = (kind: Intent['kind']) => picked.filter((each) => each.kind === kind).length
  expect(count('send-message')).toEqual(MAX_IN_FLIGHT.talk)
  expect(count('upload')).toEqual(MAX_IN_FLIGHT.upload)
  expect(count('set-reminder')).toEqual(MAX_IN_FLIGHT.aside)
  expect(count('mark-read')).toEqual(MAX_IN_FLIGHT.marks)
})

test('background requests take no slot of a message', () => {
  const reminders = manyOf(2, (index) => ({ kind: 'set-reminder', state: 'inflight', messageId: `r${index}` as never }))
  const files = manyOf(3, (index) => ({ kind: 'upload', state: 'inflight', payload: { uploadId: `u${index}` } }))
  expect(started([...marks(30, 'inflight'), ...reminders, ...files, anIntent(1)])).toEqual(['i1'])
})

test('marks queued while others are in flight are sent together afterwards', () => {
  const [first, second] = [marks(2, 'inflight'), marks(5).slice(2)]
  expect(started([...first, ...second])).toEqual([])
  expect(started(second)).toHaveLength(3)
})

test('a thread and its channel do not wait for each other', () => {
  const reply = anIntent(1, { parentId: 'm1' as never, state: 'inflight' })
  expect(started([reply, anIntent(2), anIntent(3, { parentId: 'm1' as never })])).toEqual(['i2'])
})

test('a retried intent older than the one in flight waits for it', () => {
  expect(started([anIntent(1), anIntent(2, { state: 'inflight' })])).toEqual([])
})

const aMixedIntent = fc.record({
  cid: fc.constantFrom('team:a', 'team:b', 'team:c', 'team:d', 'team:e', 'team:f'),
  parentId: fc.constantFrom(undefined, 'm1', 'm2'),
  state: fc.constantFrom('ready', 'waiting', 'inflight', 'parked'),
  due: fc.constantFrom(0, 5),
})

test('at most one request per lane, no more than there are slots, and never before an older one of the same lane', () => {
  fc.assert(
    fc.property(fc.array(aMixedIntent, { maxLength: 40 }), (rows) => {
      const intents = rows.map(({ due: _due, ...row }, index) => anIntent(index, row as Partial<Intent>))
      const dueIn = (intent: Intent) => rows[intent.seq]?.due ?? 0
      const { start } = pick(intents, { ...free, dueIn })
      const activeUploads = intents.filter(({ state }) => state === 'inflight')
      const inflight = new Set(activeUploads.map(laneOf))
      expect(start.every((each) => !inflight.has(laneOf(each)))).toBe(true)
      expect(new Set(start.map(laneOf)).size).toBe(start.length)
      expect(start.length).toBeLessThanOrEqual(Math.max(0, MAX_IN_FLIGHT.talk - activeUploads.length))
      for (const chosen of start) {
        const older = intents.filter((each) => each.seq < chosen.seq && laneOf(each) === laneOf(chosen))
        expect(older.every(({ state }) => state === 'parked')).toBe(true)
      }
    }),
  )
})
