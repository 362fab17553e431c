import { beforeEach, expect, test } from 'vitest'
import type { ChangeSet, Push } from '#shared/domain/changes.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { Pipe } from './windows.ts'

const EMPTY: ChangeSet = { rev: 0, put: {}, del: {}, windows: [], closed: [] }
const typing = (key: string, ...userIds: string[]): ChangeSet => ({
  ...EMPTY,
  rev: 99,
  put: { typing: { [key]: { key, people: userIds.map((id) => ({ id: asUserId(id), name: id })) } } },
})

let pushed: Push[]
let pipe: Pipe
const revs = () => pushed.map((push) => (push.kind === 'changes' ? push.changeSet.rev : 'effect'))
const keys = () => pushed.map((push) => push.kind === 'changes' && Object.keys(push.changeSet.put.typing ?? {}))
/** Pushes changes in a step of their own. */
const step = async (...changes: ChangeSet[]): Promise<void> => {
  for (const each of changes) pipe.push(each)
  await Promise.resolve()
}
beforeEach(() => {
  pushed = []
  pipe = new Pipe({ push: (message) => pushed.push(message) })
})

test('a window that has not attached receives nothing', async () => {
  await step(typing('a'))
  expect(pushed).toEqual([])
})

test('the changes of a step are one push, each step with the next revision', async () => {
  expect(pipe.attached({ ...EMPTY, rev: 7 }).rev).toBe(0)
  await step(typing('a'))
  await step(typing('b'), typing('c'))
  expect(keys()).toEqual([['a'], ['b', 'c']])
  expect(revs()).toEqual([1, 2])
})

test('what waits can be sent before the step ends, and what comes after it is the next push', async () => {
  pipe.attached(EMPTY)
  pipe.push(typing('a'))
  pipe.flush()
  expect(keys()).toEqual([['a']])
  await step(typing('b'))
  expect(keys()).toEqual([['a'], ['b']])
})

test('an effect comes after the changes before it', () => {
  pipe.attached(EMPTY)
  pipe.push(typing('a'))
  pipe.effect({ type: 'sound' } as never)
  expect(revs()).toEqual([1, 'effect'])
})

test('attaching again continues the revisions', async () => {
  pipe.attached(EMPTY)
  pipe.push(typing('a'))
  expect(pipe.attached(EMPTY).rev).toBe(1)
  await step(typing('c'))
  expect(revs()).toEqual([1, 2])
})

test('a restart skips a revision and pushes nothing until the window attaches', async () => {
  pipe.attached(EMPTY)
  pipe.push(typing('a'))
  pipe.restart()
  await step(typing('b'))
  expect(revs()).toEqual([1, 3])
  expect(pipe.attached(EMPTY).rev).toBe(3)
  await step(typing('c'))
  expect(revs()).toEqual([1, 3, 4])
})

test('a closed pipe pushes nothing', async () => {
  pipe.attached(EMPTY)
  pipe.push(typing('b'))
  pipe.close()
  await step(typing('a'))
  expect(pushed).toEqual([])
})
