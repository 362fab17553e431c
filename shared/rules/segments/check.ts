import { FILTER_OPERATORS, type FilterOperator, type SegmentKind } from '../../domain/manage/segments.ts'
import { parseTime } from '../../lib/rfc3339.ts'
import { fieldNamed, type FilterField } from './fields.ts'
import { takesList } from './filter.ts'
import { readJson, type JsonEntry, type JsonPart, type JsonProblem } from './json-text.ts'

/** See docs/wire.md 6.1: what a server accepts. */
export const FILTER_LIMITS = { levels: 10, keys: 100, list: 255 } as const

/** Why a text is no filter, and in which line. */
export type FilterProblem =
  | JsonProblem
  | { readonly code: 'object' | 'logic' | 'levels' | 'keys'; readonly line: number; readonly name?: string }
  | { readonly code: 'logicName'; readonly line: number; readonly name: string }
  | { readonly code: 'field'; readonly line: number; readonly name: string }
  | {
      readonly code: 'unknown' | 'operator'
      readonly line: number
      readonly name: string
      readonly field: string
      /** What the field takes instead. */
      readonly instead: readonly FilterOperator[]
    }
  | {
      readonly code: 'text' | 'number' | 'time' | 'flag' | 'list' | 'long' | 'plain'
      readonly line: number
      readonly field: string
    }

type Budget = { keys: number }
type Found = FilterProblem | undefined

/** The first thing that a server would not accept; `undefined`: it is a filter. */
export function filterProblem(kind: SegmentKind, text: string): FilterProblem | undefined {
  const read = readJson(text)
  if (!read.ok) return read.problem
  if (read.part.kind !== 'object') return { code: 'object', line: read.part.line }
  return inObject(kind, read.part.of, 1, { keys: 0 }, read.part.line)
}

function inObject(kind: SegmentKind, entries: readonly JsonEntry[], level: number, budget: Budget, at: number): Found {
  if (level > FILTER_LIMITS.levels) return { code: 'levels', line: at }
  for (const entry of entries) {
    budget.keys += 1
    if (budget.keys > FILTER_LIMITS.keys) return { code: 'keys', line: entry.line }
    const found = entry.name.startsWith('$') ? inLogic(kind, entry, level, budget) : inField(kind, entry, budget)
    if (found !== undefined) return found
  }
  return undefined
}

function inLogic(kind: SegmentKind, { name, line, part }: JsonEntry, level: number, budget: Budget): Found {
  if (name !== '$and' && name !== '$or' && name !== '$nor') return { code: 'logicName', line, name }
  if (part.kind !== 'list' || part.of.length === 0) return { code: 'logic', line, name }
  for (const each of part.of) {
    if (each.kind !== 'object') return { code: 'logic', line: each.line, name }
    const found = inObject(kind, each.of, level + 1, budget, each.line)
    if (found !== undefined) return found
  }
  return undefined
}

function inField(kind: SegmentKind, { name, line, part }: JsonEntry, budget: Budget): Found {
  const field = fieldNamed(kind, name)
  if (field === undefined) return { code: 'field', line, name }
  if (part.kind !== 'object') return inCondition(field, '$eq', part, line)
  if (part.of.length === 0) return { code: 'plain', line, field: name }
  for (const each of part.of) {
    budget.keys += 1
    const found = inCondition(field, each.name, each.part, each.line)
    if (found !== undefined) return found
  }
  return undefined
}

function inCondition(field: FilterField, name: string, part: JsonPart, line: number): Found {
  const operator = field.operators.find((each) => each === name)
  if (operator === undefined) {
    const known = FILTER_OPERATORS.some((each) => each === name)
    return { code: known ? 'operator' : 'unknown', line, name, field: field.name, instead: field.operators }
  }
  if (operator === '$exists') return valueProblem({ ...field, kind: 'flag' }, part)
  if (takesList(operator)) {
    if (part.kind !== 'list')
      return field.kind === 'list' ? valueProblem(field, part) : { code: 'list', line, field: field.name }
    return listProblem(field, part.of, line)
  }
  if (operator === '$eq' && (field.kind === 'list' || field.kind === 'custom') && part.kind === 'list') {
    return listProblem(field, part.of, line)
  }
  if (operator === '$eq' && part.kind === 'value' && part.value === null) {
    return field.kind === 'list' ? { code: 'text', line, field: field.name } : undefined
  }
  if (operator === '$autocomplete' || operator === '$q') return valueProblem({ ...field, kind: 'text' }, part)
  return valueProblem(field, part)
}

function listProblem(field: FilterField, of: readonly JsonPart[], line: number): Found {
  if (of.length > FILTER_LIMITS.list) return { code: 'long', line, field: field.name }
  for (const each of of) {
    const found = valueProblem(field, each)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether a value is what the field holds. */
function valueProblem({ kind, name: field }: FilterField, part: JsonPart): Found {
  const { line } = part
  const value = part.kind === 'value' ? part.value : undefined
  const type = typeof value
  if (kind === 'time') {
    return typeof value === 'string' && parseTime(value) !== undefined ? undefined : { code: 'time', line, field }
  }
  if (kind === 'flag') return type === 'boolean' ? undefined : { code: 'flag', line, field }
  if (kind === 'number') return type === 'number' ? undefined : { code: 'number', line, field }
  if (kind === 'custom') return value === null || value === undefined ? { code: 'plain', line, field } : undefined
  return type === 'string' ? undefined : { code: 'text', line, field }
}
