import { beforeEach, expect, test } from 'vitest'
import type { ChangeSet, Push } from '#shared/domain/changes.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { Pipe } from './clients.ts'

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
beforeEach(() => {
  pushed = []
  pipe = new Pipe({ push: (message) => pushed.push(message) })
})

test('a window that has not attached receives nothing', () => {
  pipe.push(typing('a'))
  expect(pushed).toEqual([])
})

test('changes are pushed at once, each with the next revision', () => {
  expect(pipe.attached({ ...EMPTY, rev: 7 }).rev).toBe(0)
  for (const key of ['a', 'b', 'c']) pipe.push(typing(key))
  expect(keys()).toEqual([['a'], ['b'], ['c']])
  expect(revs()).toEqual([1, 2, 3])
})

test('attaching again continues the revisions', () => {
  pipe.attached(EMPTY)
  pipe.push(typing('a'))
  expect(pipe.attached(EMPTY).rev).toBe(1)
  pipe.push(typing('c'))
  expect(revs()).toEqual([1, 2])
})

test('a restart skips a revision and pushes nothing until the window attaches', () => {
  pipe.attached(EMPTY)
  pipe.push(typing('a'))
  pipe.restart()
  pipe.push(typing('b'))
  expect(revs()).toEqual([1, 3])
  expect(pipe.attached(EMPTY).rev).toBe(3)
  pipe.push(typing('c'))
  expect(revs()).toEqual([1, 3, 4])
})

test('a closed pipe pushes nothing', () => {
  pipe.attached(EMPTY)
  pipe.close()
  pipe.push(typing('a'))
  expect(pushed).toEqual([])
})
