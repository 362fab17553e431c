import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import type { ChangeSet, Push } from '#shared/domain/changes.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { Pipe } from './clients.ts'

const EMPTY: ChangeSet = { rev: 0, put: {}, del: {}, windows: [], closed: [] }
const typing = (key: string, ...userIds: string[]): ChangeSet => ({
  ...EMPTY,
  rev: 99,
  put: { typing: { [key]: { key, people: userIds.map((id) => ({ id: asUserId(id), name: id })) } } },
})

let clock: ManualClock
let pushed: Push[]
let pipe: Pipe
const revs = () => pushed.map((push) => (push.kind === 'changes' ? push.changeSet.rev : 'effect'))
const keys = () => pushed.map((push) => push.kind === 'changes' && Object.keys(push.changeSet.put.typing ?? {}))
beforeEach(() => {
  clock = new ManualClock()
  pushed = []
  pipe = new Pipe({ id: 'w1', push: (message) => pushed.push(message) }, clock)
})

test('a window that has not attached receives nothing', async () => {
  pipe.push(typing('a'))
  await clock.advance(100)
  expect(pushed).toEqual([])
})

test('the first change is pushed at once, those within a frame are merged', async () => {
  expect(pipe.attached({ ...EMPTY, rev: 7 }).rev).toBe(0)
  for (const key of ['a', 'b', 'c']) pipe.push(typing(key))
  expect(keys()).toEqual([['a']])
  await clock.advance(16)
  expect(keys()).toEqual([['a'], ['b', 'c']])
  expect(revs()).toEqual([1, 2])
})

test('a thousand changes in a second become at most one push per frame', async () => {
  pipe.attached(EMPTY)
  for (let at = 0; at < 1_000; at += 1) {
    pipe.push(typing(`k${at}`))
    await clock.advance(1)
  }
  await clock.advance(100)
  expect(pushed.length).toBeLessThanOrEqual(64)
  expect(keys().flat().length).toBe(1_000)
  expect(revs()).toEqual(pushed.map((_, index) => index + 1))
  expect(clock.pending).toBe(0)
})

test('attaching again drops pending changes, because the snapshot contains them', async () => {
  pipe.attached(EMPTY)
  pipe.push(typing('a'))
  pipe.push(typing('b'))
  expect(pipe.attached(EMPTY).rev).toBe(1)
  await clock.advance(16)
  pipe.push(typing('c'))
  expect(keys()).toEqual([['a'], ['c']])
})

test('a restart skips a revision and pushes nothing until the window attaches', async () => {
  pipe.attached(EMPTY)
  pipe.push(typing('a'))
  pipe.restart()
  pipe.push(typing('b'))
  await clock.advance(100)
  expect(revs()).toEqual([1, 3])
  expect(pipe.attached(EMPTY).rev).toBe(3)
  pipe.push(typing('c'))
  expect(revs()).toEqual([1, 3, 4])
})

test('a closed pipe leaves no timer', () => {
  pipe.attached(EMPTY)
  pipe.push(typing('a'))
  pipe.close()
  expect(clock.pending).toBe(0)
})
