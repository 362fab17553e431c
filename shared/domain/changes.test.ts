import { describe, expect, test } from 'vitest'
import { aUser, aWindow, byId, changes } from '#kit/fake-bridge/index.ts'
import { grow, mergeChangeSets } from './changes.ts'

const put = (id: string) => ({ users: byId([aUser({ id })]) })

test('the later of two change-sets wins, row by row', () => {
  const merged = mergeChangeSets(
    changes(2, put('ola'), { del: { users: ['priya'] } }),
    changes(3, put('priya'), { del: { users: ['ola'] } }),
  )
  expect(merged.rev).toBe(3)
  expect(Object.keys(merged.put.users ?? {})).toEqual(['priya'])
  expect(merged.del.users).toEqual(['ola'])
})

test('a window closed after a change is closed, one opened after closing is open', () => {
  const open = aWindow('timeline:a', ['m'])
  const closed = mergeChangeSets(changes(2, {}, { windows: [open] }), changes(3, {}, { closed: ['timeline:a'] }))
  const reopened = mergeChangeSets(changes(2, {}, { closed: ['timeline:a'] }), changes(3, {}, { windows: [open] }))
  expect(closed.windows).toEqual([])
  expect(closed.closed).toEqual(['timeline:a'])
  expect(reopened.windows).toEqual([open])
  expect(reopened.closed).toEqual([])
})

test('a row that was put and then deleted is deleted, rows that are not named again remain', () => {
  const first = changes(2, put('ola'), { del: { users: ['dan'] }, windows: [aWindow('outbox', ['1'])] })
  const second = changes(3, {}, { del: { users: ['ola'] }, windows: [aWindow('outbox', ['2'])] })
  const merged = mergeChangeSets(first, second)
  expect(merged.put.users).toEqual({})
  expect(merged.del.users).toEqual(['dan', 'ola'])
  expect(merged.windows).toEqual([aWindow('outbox', ['2'])])
})

describe('a list that only grew', () => {
  const KEY = 'timeline:a'
  const { ids: _ids, ...rest } = aWindow(KEY, [])
  const grew = (rev: number, ...more: readonly string[]) => changes(rev, {}, { grown: [{ ...rest, more }] })
  const list = (ids: readonly string[]) => changes(2, {}, { windows: [aWindow(KEY, ids)] })

  test('has what it had and what was added', () => {
    expect(grow(['a', 'b'], { ...rest, hasPrev: true, more: ['c'] })).toEqual(
      aWindow(KEY, ['a', 'b', 'c'], { hasPrev: true }),
    )
  })

  test('twice is one that grew by both', () => {
    expect(mergeChangeSets(grew(2, 'b'), grew(3, 'c')).grown).toEqual([{ ...rest, more: ['b', 'c'] }])
  })

  test('after it was told is one that is told with what was added', () => {
    const merged = mergeChangeSets(list(['a']), grew(3, 'b'))
    expect(merged.windows).toEqual([aWindow(KEY, ['a', 'b'])])
    expect(merged.grown).toBeUndefined()
  })

  test('before it was told or closed is no more than that', () => {
    const told = mergeChangeSets(grew(1, 'b'), list(['a', 'b']))
    const closed = mergeChangeSets(grew(1, 'b'), changes(2, {}, { closed: [KEY] }))
    expect(told.windows).toEqual([aWindow(KEY, ['a', 'b'])])
    expect(told.grown).toBeUndefined()
    expect(closed.grown).toBeUndefined()
    expect(closed.closed).toEqual([KEY])
  })
})
