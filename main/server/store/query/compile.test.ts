import { expect, test } from 'vitest'
import { Refusal } from '../../http/refusal.ts'
import { compileFilter, compileSort, type FieldTable } from './compile.ts'

const TABLE: FieldTable = {
  fields: {
    name: { sql: 'x.name', kind: 'text', operators: ['$eq', '$in', '$autocomplete', '$q'], words: 'x.words' },
    size: { sql: 'x.size', kind: 'number', operators: ['$eq', '$gt', '$lte', '$exists'] },
    at: { sql: 'x.at', kind: 'time', operators: ['$eq', '$gte'] },
    open: { sql: 'x.open', kind: 'flag', operators: ['$eq'] },
  },
  custom: 'x.custom',
}

test.each([
  [{}, '1', []],
  [{ name: 'a' }, '((x.name = ?))', ['a']],
  [{ name: null }, '((x.name IS NULL))', []],
  [{ size: { $gt: 1, $lte: 3 } }, '((x.size > ? AND x.size <= ?))', [1, 3]],
  [{ size: { $exists: false } }, '((x.size IS NULL))', []],
  [{ open: true }, '((x.open = ?))', [1]],
  [{ at: { $gte: '1970-01-01T00:00:01.5Z' } }, '((x.at >= ?))', [1_500_000]],
  [{ name: { $in: ['a', 'b'] } }, '((x.name IN (SELECT value FROM json_each(?))))', ['["a","b"]']],
  [{ $or: [{ name: 'a' }, { size: 1 }] }, '((((x.name = ?)) OR ((x.size = ?))))', ['a', 1]],
  [{ $nor: [{ size: 1 }] }, '(NOT (((x.size = ?))))', [1]],
  [{ name: { $autocomplete: 'Zo Ł' } }, '(((instr(x.words, ?) > 0 AND instr(x.words, ?) > 0)))', [' zo', ' l']],
  [{ name: { $q: 'zoo' } }, "(((instr((x.words || ' '), ?) > 0)))", [' zoo ']],
  [{ colour: 'red' }, '((json_extract(x.custom, ?) = ?))', ['$."colour"', 'red']],
])('%j becomes SQL with bound values', (filter, sql, values) => {
  expect(compileFilter(filter, TABLE)).toEqual({ sql, values })
})

const deep = (levels: number): Record<string, unknown> => (levels === 0 ? {} : { $and: [deep(levels - 1)] })

test.each([
  [{ $where: 'x' }],
  [{ $and: {} }],
  [{ $or: [] }],
  [{ $or: ['x'] }],
  [{ size: { $in: [1] } }],
  [{ size: 'many' }],
  [{ open: 'yes' }],
  [{ at: 'yesterday' }],
  [{ name: { $in: 'a' } }],
  [{ name: { $autocomplete: 3 } }],
  [{ name: { toString: 1 } }],
  [{ "x') OR 1=1 --": 1 }],
  [{ 'a"b': 1 }],
  [{ colour: { $autocomplete: 'r' } }],
  [{ name: { $in: Array.from({ length: 256 }, String) } }],
  [Object.fromEntries(Array.from({ length: 101 }, (_none, index) => [`k${index}`, 1]))],
  [deep(12)],
])('a filter outside the contract is refused', (filter) => {
  expect(() => compileFilter(filter, TABLE)).toThrow(Refusal)
})

test('unknown fields are refused where custom data cannot be filtered', () => {
  expect(() => compileFilter({ colour: 'red' }, { fields: TABLE.fields })).toThrow('unknown filter field colour')
  expect(() => compileFilter({ constructor: 'red' }, { fields: TABLE.fields })).toThrow('unknown filter field')
})

test('a sort names columns from its table only, and always ends with the tie-breaker', () => {
  const table = { size: 'x.size' }
  expect(compileSort([{ field: 'size', direction: -1 }], table, 'x.id').sql).toBe('x.size DESC NULLS LAST, x.id')
  expect(compileSort([{ field: 'colour', direction: 1 }], table, 'x.id', 'x.custom')).toEqual({
    sql: 'json_extract(x.custom, ?) ASC NULLS LAST, x.id',
    values: ['$."colour"'],
  })
  expect(() => compileSort([{ field: 'colour', direction: 1 }], table, 'x.id')).toThrow('unknown sort field')
  expect(() => compileSort([{ field: 'toString', direction: 1 }], table, 'x.id')).toThrow('unknown sort field')
})
