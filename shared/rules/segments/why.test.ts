import { expect, test } from 'vitest'
import type { FilterGroup } from '../../domain/manage/segments.ts'
import { readFilter } from './filter.ts'
import { failureOf, matches, reasonsFor } from './why.ts'

const group = (filter: Record<string, unknown>): FilterGroup => {
  const read = readFilter(filter)
  if (read === undefined) throw new Error('no filter')
  return read
}
const ann = {
  id: 'ann',
  name: 'Anna Żak-Nowak',
  language: 'pl',
  teams: ['almaty', 'qa'],
  beta: 'android',
  level: 3,
  last_active: '2026-11-20T10:00:00.123456Z',
}
const holds = (filter: Record<string, unknown>) => matches('user', group(filter), ann)

test.each([
  [{ language: 'pl' }, true],
  [{ language: { $in: ['ru', 'pl'] } }, true],
  [{ teams: { $contains: 'qa' } }, true],
  [{ teams: { $in: ['x', 'almaty'] } }, true],
  [{ teams: { $contains: 'q' } }, false],
  [{ name: { $autocomplete: 'zak ann' } }, true],
  [{ name: { $autocomplete: 'ak' } }, false],
  [{ name: { $q: 'nowak' } }, true],
  [{ name: { $q: 'now' } }, false],
  [{ last_active: { $gte: '2026-11-20T11:00:00+01:00' } }, true],
  [{ last_active: { $lt: '2026-11-20T10:00:00Z' } }, false],
  [{ level: { $gt: 2, $lte: 3 } }, true],
  [{ level: '3' }, false],
  [{ beta: { $exists: true } }, true],
  [{ gamma: { $exists: false } }, true],
  [{ banned: false }, true],
  [{ id: { $nin: ['bob'] } }, true],
  [{ $nor: [{ language: 'ru' }, { level: 4 }] }, true],
])('%j of Anna is %s', (filter, expected) => {
  expect(holds(filter)).toBe(expected)
})

test('nothing is true of a field that is not there, nor is its opposite', () => {
  expect(holds({ role: 'user' })).toBe(false)
  expect(holds({ $nor: [{ role: 'user' }] })).toBe(false)
})

test('what only the server can say is left open', () => {
  expect(matches('channel', group({ members: { $in: ['ann'] } }), { cid: 'team:a' })).toBeUndefined()
  expect(matches('channel', group({ members: { $in: ['ann'] }, type: 'x' }), { cid: 'team:a', type: 'team' })).toBe(
    false,
  )
})

test('the reason is the shortest branch that holds', () => {
  const filter = group({
    beta: 'android',
    $or: [{ language: 'pl', level: 3 }, { teams: { $contains: 'qa' } }, { language: 'ru' }],
  })
  expect(reasonsFor('user', filter, ann).map(({ field }) => field)).toEqual(['beta', 'teams'])
})

test('who is out hears which condition fails first, and whether everything else matches', () => {
  const filter = group({ beta: 'android', language: 'ru', teams: { $contains: 'qa' } })
  expect(failureOf('user', filter, ann)).toMatchObject({ failed: { field: 'language' }, others: true })
  const two = group({ beta: 'ios', language: 'ru' })
  expect(failureOf('user', two, ann)).toMatchObject({ failed: { field: 'beta' }, others: false })
  expect(failureOf('user', group({ $nor: [{ language: 'pl' }] }), ann)).toMatchObject({ failed: { field: 'language' } })
  expect(failureOf('user', group({ $nor: [{ role: 'user' }] }), ann)).toMatchObject({ failed: { field: 'role' } })
})
