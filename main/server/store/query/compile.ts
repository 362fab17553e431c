import { isObject, type Json } from '../../http/json.ts'
import { refuse } from '../../http/refusal.ts'
import type { Cell } from '../db.ts'
import { fromText } from '../time.ts'
import { toWords } from '../../messages/words.ts'

/** A condition in SQL. The text is joined from constants only; all external input is in `values`. */
export type Condition = { readonly sql: string; readonly values: readonly Cell[] }

export type Operator =
  | '$eq'
  | '$ne'
  | '$gt'
  | '$gte'
  | '$lt'
  | '$lte'
  | '$in'
  | '$nin'
  | '$exists'
  | '$autocomplete'
  | '$q'
  | '$contains'

/** The definition of one filter field. */
export type Field = {
  /** A constant expression. For `words`, the column of prepared words. */
  readonly sql: string
  readonly kind: 'text' | 'number' | 'time' | 'flag'
  readonly operators: readonly Operator[]
  /** The column of prepared words that `$autocomplete` and `$q` search. */
  readonly words?: string
}

/** A field without a column: it builds its own condition. */
export type SpecialField = (operator: Operator, value: unknown, field: string) => Condition

export type FieldTable = {
  readonly fields: Readonly<Record<string, Field>>
  readonly special?: Readonly<Record<string, SpecialField>>
  /** A JSON column whose keys may be filtered by name; absent: unknown fields are refused. */
  readonly custom?: string
  /** Custom keys also support word search (`$autocomplete`, `$q`). */
  readonly customWords?: boolean
}

export const ORDERED: readonly Operator[] = ['$eq', '$exists', '$gt', '$gte', '$in', '$lt', '$lte']

/** See docs/wire.md 6.1. */
const MAX_DEPTH = 10
const MAX_KEYS = 100
const MAX_LIST = 255

const COMPARE: Readonly<Partial<Record<Operator, string>>> = {
  $eq: ' = ?',
  $ne: ' <> ?',
  $gt: ' > ?',
  $gte: ' >= ?',
  $lt: ' < ?',
  $lte: ' <= ?',
}

/** Turns a filter of the contract into SQL, or refuses with code 4 naming field and operator. */
export function compileFilter(filter: Json, table: FieldTable): Condition {
  const budget = { keys: 0 }
  return compileObject(filter, table, 1, budget)
}

export function and(conditions: readonly Condition[]): Condition {
  return join(conditions, ' AND ', '1')
}

function join(conditions: readonly Condition[], operator: string, empty: string): Condition {
  if (conditions.length === 0) return { sql: empty, values: [] }
  return {
    sql: `(${conditions.map((each) => each.sql).join(operator)})`,
    values: conditions.flatMap((each) => each.values),
  }
}

type Budget = { keys: number }

function compileObject(filter: Json, table: FieldTable, depth: number, budget: Budget): Condition {
  if (depth > MAX_DEPTH) return refuse('input', `a filter is nested deeper than ${MAX_DEPTH} levels`)
  return and(
    Object.entries(filter).map(([key, value]) => {
      budget.keys += 1
      if (budget.keys > MAX_KEYS) return refuse('input', `a filter has more than ${MAX_KEYS} keys`)
      return key.startsWith('$')
        ? compileLogic(key, value, table, depth, budget)
        : compileField(key, value, table, budget)
    }),
  )
}

function compileLogic(key: string, value: unknown, table: FieldTable, depth: number, budget: Budget): Condition {
  if (key !== '$and' && key !== '$or' && key !== '$nor') return refuse('input', `unknown operator ${key}`)
  if (!Array.isArray(value) || value.length === 0) return refuse('input', `${key} needs a list of filters`)
  const parts = value.map((each: unknown) =>
    isObject(each) ? compileObject(each, table, depth + 1, budget) : refuse('input', `${key} needs a list of filters`),
  )
  if (key === '$and') return and(parts)
  const any = join(parts, ' OR ', '0')
  return key === '$or' ? any : { sql: `NOT ${any.sql}`, values: any.values }
}

function compileField(name: string, value: unknown, table: FieldTable, budget: Budget): Condition {
  const operators = isObject(value) ? Object.entries(value) : [['$eq', value] as const]
  return and(
    operators.map(([operator, operand]) => {
      budget.keys += 1
      return compileOne(name, operator as Operator, operand, table)
    }),
  )
}

function compileOne(name: string, operator: Operator, value: unknown, table: FieldTable): Condition {
  const special = table.special && Object.hasOwn(table.special, name) ? table.special[name] : undefined
  if (special) return special(operator, value, name)
  const field = Object.hasOwn(table.fields, name) ? table.fields[name] : undefined
  if (!field) return customCondition(name, operator, value, table)
  if (!field.operators.includes(operator)) return badOperator(name, operator)
  return conditionOn(name, field, operator, value)
}

export function badOperator(name: string, operator: string): never {
  return refuse('input', `operator ${operator} is not supported on field ${name}`, { [name]: operator })
}

const CUSTOM_NAME = /^[A-Za-z0-9_.-]{1,100}$/

/** A custom key: its name is bound as a path and has plain characters only. */
function customCondition(name: string, operator: Operator, value: unknown, table: FieldTable): Condition {
  const column = table.custom
  if (column === undefined || !CUSTOM_NAME.test(name)) {
    return refuse('input', `unknown filter field ${name}`, { [name]: 'unknown field' })
  }
  const at: Condition = { sql: `json_extract(${column}, ?)`, values: [pathOf(name)] }
  // matches the value itself, or each element of a list
  const each = `EXISTS (SELECT 1 FROM json_each(${column}, ?) WHERE value`
  if (operator === '$exists') return { sql: at.sql + existence(name, value), values: at.values }
  if (operator === '$contains') return { sql: `${each} = ?)`, values: [...at.values, plainCell(name, value)] }
  if (operator === '$in') {
    const wanted = listCell(name, operator, value, plainCell)
    return { sql: `${each} IN (SELECT value FROM json_each(?)))`, values: [...at.values, wanted] }
  }
  const isWordSearch = operator === '$autocomplete' || operator === '$q'
  if (isWordSearch && table.customWords) {
    return wordsCondition(name, { sql: `fold(${at.sql})`, values: at.values }, operator, value)
  }
  return customComparison(name, at, operator, value)
}

/** Compares values of the same type only: texts and numbers have no order between them. */
function customComparison(name: string, at: Condition, operator: Operator, value: unknown): Condition {
  const sign = operator === '$ne' ? undefined : COMPARE[operator]
  if (sign === undefined) return badOperator(name, operator)
  if (operator === '$eq') {
    if (value === null) return { sql: `${at.sql} IS NULL`, values: at.values }
    const wanted = Array.isArray(value) ? JSON.stringify(value) : plainCell(name, value)
    return { sql: at.sql + sign, values: [...at.values, wanted] }
  }
  const wanted = plainCell(name, value)
  const kinds = typeof wanted === 'number' ? `('integer', 'real')` : `('text')`
  return {
    sql: `(${at.sql}${sign} AND typeof(${at.sql}) IN ${kinds})`,
    values: [...at.values, wanted, ...at.values],
  }
}

const pathOf = (name: string): string => `$."${name}"`

function conditionOn(name: string, field: Field, operator: Operator, value: unknown): Condition {
  if (operator === '$exists') return { sql: field.sql + existence(name, value), values: [] }
  if (operator === '$in' || operator === '$nin') return listCondition(name, field, operator, value)
  if (operator === '$autocomplete' || operator === '$q') {
    return field.words
      ? wordsCondition(name, { sql: field.words, values: [] }, operator, value)
      : badOperator(name, operator)
  }
  if (operator === '$contains') {
    return { sql: `EXISTS (SELECT 1 FROM json_each(${field.sql}) WHERE value = ?)`, values: [cell(name, field, value)] }
  }
  if (value === null && operator === '$eq') return { sql: `${field.sql} IS NULL`, values: [] }
  const sign = COMPARE[operator]
  if (sign === undefined) return badOperator(name, operator)
  return { sql: field.sql + sign, values: [cell(name, field, value)] }
}

function existence(name: string, value: unknown): string {
  if (typeof value !== 'boolean') return refuse('input', `$exists on ${name} needs true or false`)
  return value ? ' IS NOT NULL' : ' IS NULL'
}

/** A column that holds a JSON list of texts: `$contains` one text, `$in` any of several, `$eq` exactly a list. */
export const listField =
  (sql: string): SpecialField =>
  (operator, value, name) => {
    const values: unknown[] = Array.isArray(value) ? value : [value]
    if (values.length > MAX_LIST || values.some((each) => typeof each !== 'string')) {
      return refuse('input', `${name} needs a text or a list of texts`)
    }
    const any = `EXISTS (SELECT 1 FROM json_each(${sql}) WHERE value IN (SELECT value FROM json_each(?)))`
    const wanted = JSON.stringify([...new Set(values)])
    if (operator === '$in' || (operator === '$contains' && !Array.isArray(value))) return { sql: any, values: [wanted] }
    if (operator !== '$eq') return badOperator(name, operator)
    if (!Array.isArray(value)) return { sql: any, values: [wanted] }
    const same = `(SELECT count(*) FROM json_each(${sql}) WHERE value IN (SELECT value FROM json_each(?)))`
    const size = new Set(values).size
    return { sql: `(json_array_length(${sql}) = ? AND ${same} = ?)`, values: [size, wanted, size] }
  }

function listCondition(name: string, field: Field, operator: Operator, value: unknown): Condition {
  const wanted = listCell(name, operator, value, (_name, each) => cell(name, field, each))
  const not = operator === '$nin' ? 'NOT ' : ''
  return { sql: `${field.sql} ${not}IN (SELECT value FROM json_each(?))`, values: [wanted] }
}

function listCell(
  name: string,
  operator: Operator,
  value: unknown,
  toCell: (name: string, each: unknown) => Cell,
): string {
  if (!Array.isArray(value) || value.length > MAX_LIST) {
    return refuse('input', `${operator} on ${name} needs a list of at most ${MAX_LIST}`)
  }
  return JSON.stringify(value.map((each: unknown) => toCell(name, each)))
}

/** Every searched word must be the start of a word ($autocomplete) or a whole word ($q). */
function wordsCondition(name: string, words: Condition, operator: Operator, value: unknown): Condition {
  if (typeof value !== 'string') return refuse('input', `${operator} on ${name} needs a text`)
  const tail = operator === '$q' ? ' ' : ''
  const column = operator === '$q' ? `(${words.sql} || ' ')` : words.sql
  const searched = toWords(value)
    .split(' ')
    .filter((word) => word !== '')
  return and(searched.map((word) => ({ sql: `instr(${column}, ?) > 0`, values: [...words.values, ` ${word}${tail}`] })))
}

function cell(name: string, field: Field, value: unknown): Cell {
  if (field.kind === 'time') {
    return fromText(value) ?? refuse('input', `${name} needs a date`, { [name]: 'not a date' })
  }
  if (field.kind === 'flag') {
    return typeof value === 'boolean' ? Number(value) : refuse('input', `${name} needs true or false`)
  }
  if (field.kind === 'number') return typeof value === 'number' ? value : refuse('input', `${name} needs a number`)
  return plainCell(name, value)
}

function plainCell(name: string, value: unknown): Cell {
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string' || typeof value === 'number') return value
  return refuse('input', `${name} needs a text or a number`)
}

export type SortTable = Readonly<Record<string, string>>

/**
 * The text after `ORDER BY`; ties are broken by `tie`. Absent values come last in both directions.
 *
 * @param custom a JSON column whose keys may be sorted by
 */
export function compileSort(
  sort: readonly { readonly field: string; readonly direction: 1 | -1 }[],
  table: SortTable,
  tie: string,
  custom?: string,
): Condition {
  const parts = sort.map(({ field, direction }): Condition => {
    const order = direction === 1 ? ' ASC NULLS LAST' : ' DESC NULLS LAST'
    const known = Object.hasOwn(table, field) ? table[field] : undefined
    if (known !== undefined) return { sql: known + order, values: [] }
    if (custom === undefined || !CUSTOM_NAME.test(field)) {
      return refuse('input', `unknown sort field ${field}`, { [field]: 'unknown field' })
    }
    return { sql: `json_extract(${custom}, ?)${order}`, values: [pathOf(field)] }
  })
  return {
    sql: [...parts.map((part) => part.sql), tie].join(', '),
    values: parts.flatMap((part) => part.values),
  }
}
