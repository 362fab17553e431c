import { expect, test } from 'vitest'
import { aUser, aWindow, byId, changes } from '#kit/fake-bridge/index.ts'
import { mergeChangeSets } from './changes.ts'

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
