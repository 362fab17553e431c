import { expect, test } from 'vitest'
import { filterProblem } from './filter.ts'

const lines = (...each: readonly string[]): string => each.join('\n')

test('filters of the contract are filters', () => {
  const people = [
    '{}',
    '{"role": "user"}',
    '{"name": {"$autocomplete": "ann"}, "banned": {"$ne": true}}',
    '{"$and": [{"beta": "android"}, {"$or": [{"language": {"$in": ["pl"]}}, {"teams": {"$contains": "a"}}]}]}',
    '{"last_active": {"$gte": "2026-10-20T00:00:00Z"}}',
    '{"language": null}',
    '{"teams": {"$eq": ["a", "b"]}}',
  ]
  expect(people.map((text) => filterProblem('user', text))).toEqual(people.map(() => undefined))
  const channels = [
    '{"type": "team", "member_count": {"$gt": 3}}',
    '{"members": {"$in": ["ann"]}}',
    '{"frozen": false}',
  ]
  expect(channels.map((text) => filterProblem('channel', text))).toEqual(channels.map(() => undefined))
})

test('an operator that there is not is shown in its line, with what there is', () => {
  const text = lines('{ "$and": [', '  { "beta": "android" },', '  { "language": {', '    "$like": "p%" } }', '] }')
  expect(filterProblem('user', text)).toEqual({
    code: 'unknown',
    line: 4,
    name: '$like',
    field: 'language',
    instead: ['$eq', '$in'],
  })
  expect(filterProblem('user', '{"language": {"$gt": "p"}}')).toMatchObject({ code: 'operator', name: '$gt' })
})

test.each([
  ['{"role": ', 'syntax', 1],
  ['{"role": "user",}', 'syntax', 1],
  ["{'role': 'user'}", 'syntax', 1],
  ['{"role": "user"} x', 'syntax', 1],
  ['{"name": "a\nb"}', 'syntax', 1],
  ['', 'syntax', 1],
  ['[]', 'object', 1],
  ['"role"', 'object', 1],
  ['{"role": "a",\n"role": "b"}', 'twice', 2],
  ['{"$and": {}}', 'logic', 1],
  ['{"$or": []}', 'logic', 1],
  ['{"$or": [\n1]}', 'logic', 2],
  ['{"$not": []}', 'logicName', 1],
  ['{"two words": 1}', 'field', 1],
  ['{"__proto__": 1}', 'field', 1],
  ['{"role": 5}', 'text', 1],
  ['{"banned": "yes"}', 'flag', 1],
  ['{"role": {"$exists": "yes"}}', 'flag', 1],
  ['{"created_at": "yesterday"}', 'time', 1],
  ['{"created_at": "2026-02-30T00:00:00Z"}', 'time', 1],
  ['{"role": {"$in": "user"}}', 'list', 1],
  ['{"role": {}}', 'plain', 1],
  ['{"beta": {"$gt": null}}', 'plain', 1],
])('%j is no filter', (text, code, line) => {
  expect(filterProblem('user', text)).toMatchObject({ code, line })
})

test('the limits of the contract are said', () => {
  const nested = (levels: number): string => (levels === 0 ? '{"role":"user"}' : `{"$and":[${nested(levels - 1)}]}`)
  expect(filterProblem('user', nested(9))).toBeUndefined()
  expect(filterProblem('user', nested(10))?.code).toBe('levels')
  expect(filterProblem('user', nested(200))?.code).toBe('deep')
  const ids = (count: number): string =>
    JSON.stringify({ id: { $in: Array.from({ length: count }, (_, at) => `u${at}`) } })
  expect(filterProblem('user', ids(255))).toBeUndefined()
  expect(filterProblem('user', ids(256))?.code).toBe('long')
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}`, at])))
  expect(filterProblem('user', many)).toBeUndefined()
  const more = JSON.stringify(Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}`, at])))
  expect(filterProblem('user', more)?.code).toBe('keys')
})
