import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  FILTER_OPERATORS,
  type FilterCondition,
  type FilterGroup,
  type FilterNode,
} from '../../domain/manage/segments.ts'
import { conditionsIn, filterText, isSameFilter, isUnfinished, readFilter, writeFilter } from './filter.ts'

const is = (field: string, value: string): FilterCondition => ({ kind: 'condition', field, operator: '$eq', value })

test('a filter of the contract is read as groups of conditions', () => {
  const filter = {
    beta: 'android',
    last_active: { $gte: '2026-10-20T00:00:00Z', $lt: '2026-11-20T00:00:00Z' },
    $or: [{ language: { $in: ['pl', 'ru'] } }, { teams: { $contains: 'almaty' }, role: 'user' }],
    $nor: [{ banned: true }],
  }
  expect(readFilter(filter)).toEqual({
    kind: 'group',
    match: 'all',
    of: [
      is('beta', 'android'),
      { kind: 'condition', field: 'last_active', operator: '$gte', value: '2026-10-20T00:00:00Z' },
      { kind: 'condition', field: 'last_active', operator: '$lt', value: '2026-11-20T00:00:00Z' },
      {
        kind: 'group',
        match: 'any',
        of: [
          { kind: 'condition', field: 'language', operator: '$in', value: ['pl', 'ru'] },
          {
            kind: 'group',
            match: 'all',
            of: [{ kind: 'condition', field: 'teams', operator: '$contains', value: 'almaty' }, is('role', 'user')],
          },
        ],
      },
      { kind: 'group', match: 'none', of: [{ kind: 'condition', field: 'banned', operator: '$eq', value: true }] },
    ],
  })
})

test('that a field is null is that it is empty', () => {
  expect(conditionsIn(readFilter({ language: null }) ?? is('', ''))).toEqual([
    { kind: 'condition', field: 'language', operator: '$exists', value: false },
  ])
})

test.each([
  ['an exact list', { teams: { $eq: ['a', 'b'] } }],
  ['an object', { place: { $eq: { city: 'Kraków' } } }],
  ['an operator of another server', { name: { $like: 'x' } }],
  ['an empty filter in a list', { $or: [{}, { role: 'user' }] }],
  ['a list with null', { role: { $in: ['user', null] } }],
  ['a field without an operator', { role: {} }],
])('%s is left to JSON', (_what, filter) => {
  expect(readFilter(filter)).toBeUndefined()
})

test('no conditions are the empty filter, and one condition needs no list', () => {
  expect(writeFilter({ kind: 'group', match: 'all', of: [] })).toEqual({})
  expect(writeFilter({ kind: 'group', match: 'all', of: [is('role', 'admin')] })).toEqual({ role: { $eq: 'admin' } })
})

test('what is not filled in is known', () => {
  expect(isUnfinished(is('role', ''))).toBe(true)
  expect(isUnfinished(is('', 'x'))).toBe(true)
  expect(isUnfinished({ kind: 'group', match: 'any', of: [] })).toBe(true)
  expect(isUnfinished({ kind: 'condition', field: 'id', operator: '$in', value: [] })).toBe(true)
  expect(isUnfinished({ kind: 'condition', field: 'banned', operator: '$eq', value: false })).toBe(false)
})

test('two texts are the same filter however they are written', () => {
  expect(isSameFilter('{"a":1}', filterText({ a: 1 }))).toBe(true)
  expect(isSameFilter('{"a":1}', '{"a":"1"}')).toBe(false)
  expect(isSameFilter('{"a":1}', '{"a":')).toBe(false)
})

const plain = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }))
const condition: fc.Arbitrary<FilterCondition> = fc
  .tuple(
    fc.string({ minLength: 1 }).filter((name) => !name.startsWith('$') && name !== '__proto__'),
    fc.constantFrom(...FILTER_OPERATORS),
    plain,
    fc.array(plain),
  )
  .map(([field, operator, value, values]) => ({
    kind: 'condition',
    field,
    operator,
    value: operator === '$in' || operator === '$nin' ? values : value,
  }))
const node: fc.Arbitrary<FilterNode> = fc.letrec<{ node: FilterNode; group: FilterGroup }>((tie) => ({
  node: fc.oneof({ depthSize: 'small' }, condition, tie('group')),
  group: fc.record({
    kind: fc.constant('group' as const),
    match: fc.constantFrom('all', 'any', 'none'),
    of: fc.array(tie('node'), { minLength: 1, maxLength: 4 }),
  }),
})).node
const root: fc.Arbitrary<FilterGroup> = fc.record({
  kind: fc.constant('group' as const),
  match: fc.constantFrom('all', 'any', 'none'),
  of: fc.array(node, { minLength: 1, maxLength: 5 }),
})

test('whatever is built is read again as it was built, also after it was JSON', () => {
  fc.assert(
    fc.property(root, (group) => {
      const text = filterText(writeFilter(group))
      const read = readFilter(JSON.parse(text) as Record<string, unknown>)
      expect(JSON.stringify(read)).toBe(JSON.stringify(group))
    }),
  )
})

test('a filter that can be drawn is written with the same conditions', () => {
  const filter: fc.Arbitrary<Record<string, unknown>> = fc.letrec<{ filter: Record<string, unknown> }>((tie) => ({
    filter: fc.oneof(
      { depthSize: 'small' },
      fc.dictionary(
        fc.stringMatching(/^[a-z_]{1,6}$/),
        fc.oneof(plain, fc.record({ $eq: plain }), fc.record({ $in: fc.array(plain) })),
        {
          minKeys: 1,
          maxKeys: 3,
        },
      ),
      fc
        .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('filter'), { minLength: 1, maxLength: 3 }))
        .map(([name, of]) => ({ [name]: of })),
    ),
  })).filter
  fc.assert(
    fc.property(filter, (wire) => {
      const read = readFilter(wire)
      if (read === undefined) return
      expect(JSON.stringify(readFilter(writeFilter(read)))).toBe(JSON.stringify(read))
    }),
  )
})
