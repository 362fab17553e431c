import {
  FILTER_OPERATORS,
  type FilterCondition,
  type FilterGroup,
  type FilterNode,
  type FilterOperator,
  type FilterValue,
  type SegmentKind,
} from '../../domain/manage/segments.ts'
import { parseTime } from '../../lib/rfc3339.ts'

/** What a field holds. `list`: several texts, such as teams. `custom`: whatever the workspace puts there. */
export type FieldKind = 'text' | 'number' | 'time' | 'flag' | 'list' | 'custom'

export type FilterField = {
  readonly name: string
  readonly kind: FieldKind
  readonly operators: readonly FilterOperator[]
  /** Depends on who asks, which for a segment is the server: it can be written as JSON, but is not offered. */
  readonly ofCaller?: true
}

const ORDERED: readonly FilterOperator[] = ['$eq', '$in', '$gt', '$gte', '$lt', '$lte', '$exists']
const BOUNDS: readonly FilterOperator[] = ['$gte', '$gt', '$lt', '$lte', '$eq', '$in', '$exists']

const field = (name: string, kind: FieldKind, operators: readonly FilterOperator[]): FilterField => ({
  name,
  kind,
  operators,
})
const ofCaller = (name: string): FilterField => ({ name, kind: 'flag', operators: ['$eq'], ofCaller: true })

/** See docs/wire.md 6.3 "Users". */
const OF_USERS: readonly FilterField[] = [
  field('name', 'text', ['$autocomplete', '$q', ...ORDERED]),
  field('id', 'text', ['$eq', '$ne', '$in', '$nin', '$autocomplete', '$gt', '$gte', '$lt', '$lte', '$exists']),
  field('role', 'text', ORDERED),
  field('teams', 'list', ['$contains', '$in', '$eq']),
  field('language', 'text', ['$eq', '$in']),
  field('email', 'text', ['$eq', '$in']),
  field('username', 'text', ['$eq', '$autocomplete']),
  field('last_active', 'time', BOUNDS),
  field('created_at', 'time', BOUNDS),
  field('updated_at', 'time', BOUNDS),
  field('banned', 'flag', ['$eq', '$ne']),
  field('shadow_banned', 'flag', ['$eq', '$ne']),
]

/** See docs/wire.md 6.3 "Channels". */
const OF_CHANNELS: readonly FilterField[] = [
  field('name', 'text', ['$autocomplete', '$q', ...ORDERED]),
  field('type', 'text', ORDERED),
  field('cid', 'text', ORDERED),
  field('id', 'text', ORDERED),
  field('team', 'text', ORDERED),
  field('filter_tags', 'list', ['$contains', '$in', '$eq']),
  field('members', 'list', ['$in', '$eq']),
  field('member.user.name', 'text', ['$autocomplete', '$eq']),
  field('member_count', 'number', ORDERED),
  field('message_count', 'number', ORDERED),
  field('last_message_at', 'time', BOUNDS),
  field('last_updated', 'time', BOUNDS),
  field('created_at', 'time', BOUNDS),
  field('updated_at', 'time', BOUNDS),
  field('created_by_id', 'text', ORDERED),
  field('frozen', 'flag', ['$eq']),
  field('disabled', 'flag', ['$eq']),
  field('distinct', 'flag', ['$eq']),
  { ...field('app_banned', 'text', ['$eq']), ofCaller: true },
  { ...field('invite', 'text', ['$eq']), ofCaller: true },
  { ...field('channel_role', 'text', ['$eq', '$in']), ofCaller: true },
  ...['hidden', 'blocked', 'joined', 'muted', 'pinned', 'archived', 'has_unread'].map(ofCaller),
]

const CUSTOM: Readonly<Record<SegmentKind, readonly FilterOperator[]>> = {
  user: [...ORDERED, '$contains'],
  channel: [...ORDERED, '$contains', '$autocomplete', '$q'],
}

/** Names of custom fields that a filter can ask for. */
const CUSTOM_NAME = /^[A-Za-z0-9_.-]{1,100}$/

export const fieldsOf = (kind: SegmentKind): readonly FilterField[] => (kind === 'user' ? OF_USERS : OF_CHANNELS)

/** The field of this name, a custom one if it is none of the contract's; `undefined`: no field can have this name. */
export function fieldNamed(kind: SegmentKind, name: string): FilterField | undefined {
  const known = fieldsOf(kind).find((each) => each.name === name)
  if (known !== undefined) return known
  return CUSTOM_NAME.test(name) && name !== '__proto__' ? field(name, 'custom', CUSTOM[kind]) : undefined
}

/** A filter of the contract. See docs/wire.md 6.1. */
export type WireFilter = { readonly [key: string]: unknown }

const LOGIC = { $and: 'all', $or: 'any', $nor: 'none' } as const
const LOGIC_OF = { all: '$and', any: '$or', none: '$nor' } as const

/** Levels of groups that a person can add to; deeper ones are shown. */
export const MAX_LEVELS = 3

/** A filter as groups of conditions. `undefined`: it has a part that no condition can express. */
export function readFilter(filter: WireFilter): FilterGroup | undefined {
  const nodes = nodesOf(filter)
  if (nodes === undefined) return undefined
  const [only] = nodes
  return nodes.length === 1 && only?.kind === 'group' ? only : { kind: 'group', match: 'all', of: nodes }
}

/** The parts of one object, all of which must hold. */
function nodesOf(filter: WireFilter): readonly FilterNode[] | undefined {
  const parts = Object.entries(filter).map(([name, value]) =>
    name.startsWith('$') ? groupOf(name, value) : conditionsOf(name, value),
  )
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}

function groupOf(name: string, value: unknown): readonly FilterNode[] | undefined {
  const match = name in LOGIC ? LOGIC[name as keyof typeof LOGIC] : undefined
  if (match === undefined || !Array.isArray(value) || value.length === 0) return undefined
  const of = value.map((each: unknown) => elementOf(each))
  return of.every((node) => node !== undefined) ? [{ kind: 'group', match, of }] : undefined
}

/** One filter of a list: a single part stands for itself, several for a group. */
function elementOf(value: unknown): FilterNode | undefined {
  const nodes = isObject(value) ? nodesOf(value) : undefined
  // An empty filter matches everything, which no condition says.
  if (nodes === undefined || nodes.length === 0) return undefined
  const [first] = nodes
  return nodes.length === 1 ? first : { kind: 'group', match: 'all', of: nodes }
}

function conditionsOf(field: string, value: unknown): readonly FilterCondition[] | undefined {
  const operators = isObject(value) ? Object.entries(value) : [['$eq', value] as const]
  const found = operators.map(([operator, operand]) => conditionOf(field, operator, operand))
  return found.length > 0 && found.every((each) => each !== undefined) ? found : undefined
}

function conditionOf(field: string, name: string, value: unknown): FilterCondition | undefined {
  const operator = FILTER_OPERATORS.find((each) => each === name)
  if (operator === undefined) return undefined
  const kind = 'condition'
  if (operator === '$eq' && value === null) return { kind, field, operator: '$exists', value: false }
  if (takesList(operator)) {
    return Array.isArray(value) && value.every(isPlain) ? { kind, field, operator, value } : undefined
  }
  return isPlain(value) ? { kind, field, operator, value } : undefined
}

export const takesList = (operator: FilterOperator): boolean => operator === '$in' || operator === '$nin'

const isPlain = (value: unknown): value is FilterValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

export const isObject = (value: unknown): value is WireFilter =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The filter that these groups stand for: reading it gives the same groups. */
export function writeFilter(root: FilterGroup): WireFilter {
  const [only] = root.of
  if (root.match === 'all' && root.of.length === 0) return {}
  if (root.match === 'all' && root.of.length === 1 && only?.kind === 'condition') return writeNode(only)
  return writeNode(root)
}

const writeNode = (node: FilterNode): WireFilter =>
  node.kind === 'group'
    ? { [LOGIC_OF[node.match]]: node.of.map(writeNode) }
    : { [node.field]: { [node.operator]: node.value } }

/** The filter as the text that people read and that is stored. */
export const filterText = (filter: WireFilter): string => JSON.stringify(filter, undefined, 2)

/** Whether two texts are the same filter, however they are written. */
export function isSameFilter(a: string, b: string): boolean {
  if (a === b) return true
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b))
  } catch {
    return false
  }
}

/** Whether something that a person adds is not filled in yet: a group without conditions, a condition without a value. */
export function isUnfinished(node: FilterNode): boolean {
  if (node.kind === 'group') return node.of.length === 0 || node.of.some(isUnfinished)
  if (node.field === '') return true
  if (Array.isArray(node.value)) return node.value.length === 0 || node.value.some((each) => each === '')
  return node.value === ''
}

export const conditionsIn = (node: FilterNode): readonly FilterCondition[] =>
  node.kind === 'condition' ? [node] : node.of.flatMap(conditionsIn)

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

/** A JSON text read with the line of each part, so that a mistake can be shown where it is. */
type JsonPart = { readonly line: number } & (
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly of: readonly JsonPart[] }
  | { readonly kind: 'object'; readonly of: readonly JsonEntry[] }
)
type JsonEntry = { readonly name: string; readonly line: number; readonly part: JsonPart }

/** What is wrong: text that is no JSON, an object that names something twice, or too many levels. */
type JsonProblem = { readonly code: 'syntax' | 'twice' | 'deep'; readonly line: number; readonly name?: string }

type JsonRead = { readonly ok: true; readonly part: JsonPart } | { readonly ok: false; readonly problem: JsonProblem }

class Mistake extends Error {
  readonly problem: JsonProblem

  constructor(problem: JsonProblem) {
    super(problem.code)
    this.problem = problem
  }
}

const MOST_JSON_LEVELS = 40
/** One token: a punctuation mark, a string, or a word such as a number. */
const TOKEN = /\s*(?:([{}[\]:,])|("(?:[^"\\\n]|\\.)*")|([^\s{}[\]:,"]+)|$)/y

type Token = { readonly text: string; readonly line: number }

function readJson(text: string): JsonRead {
  try {
    const tokens = tokensOf(text)
    const reader = new TokenReader(tokens)
    const part = readPart(reader, 0)
    const rest = reader.next()
    if (rest.text !== '') throw new Mistake({ code: 'syntax', line: rest.line })
    return { ok: true, part }
  } catch (error) {
    if (error instanceof Mistake) return { ok: false, problem: error.problem }
    throw error
  }
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let line = 1
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (match === null) {
      const start = text.slice(from).search(/\S/)
      throw new Mistake({ code: 'syntax', line: line + linesIn(text.slice(from, from + Math.max(0, start))) })
    }
    const token = match[1] ?? match[2] ?? match[3] ?? ''
    line += linesIn(match[0])
    if (token !== '') tokens.push({ text: token, line })
    else break
  }
  return [...tokens, { text: '', line }]
}

const linesIn = (text: string): number => text.split('\n').length - 1

class TokenReader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  peek(): Token {
    return this.#tokens[this.#at] ?? { text: '', line: 1 }
  }

  next(): Token {
    const token = this.peek()
    this.#at += 1
    return token
  }

  expect(...wanted: readonly string[]): string {
    const token = this.next()
    if (!wanted.includes(token.text)) throw new Mistake({ code: 'syntax', line: token.line })
    return token.text
  }
}

function readPart(reader: TokenReader, level: number): JsonPart {
  const token = reader.next()
  const { line } = token
  if (level > MOST_JSON_LEVELS) throw new Mistake({ code: 'deep', line })
  if (token.text === '{') return { kind: 'object', line, of: readEntries(reader, level) }
  if (token.text === '[') return { kind: 'list', line, of: readItems(reader, level) }
  const value = plainValue(token)
  if (typeof value === 'object' && value !== null) throw new Mistake({ code: 'syntax', line })
  return { kind: 'value', line, value: value as string | number | boolean | null }
}

function plainValue({ text, line }: Token): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Mistake({ code: 'syntax', line })
  }
}

function readEntries(reader: TokenReader, level: number): readonly JsonEntry[] {
  const entries: JsonEntry[] = []
  if (reader.peek().text === '}') {
    reader.next()
    return entries
  }
  do {
    const token = reader.next()
    const name = token.text.startsWith('"') ? plainValue(token) : undefined
    if (typeof name !== 'string') throw new Mistake({ code: 'syntax', line: token.line })
    // JavaScript would keep only the last one.
    if (entries.some((entry) => entry.name === name)) throw new Mistake({ code: 'twice', line: token.line, name })
    reader.expect(':')
    entries.push({ name, line: token.line, part: readPart(reader, level + 1) })
  } while (reader.expect(',', '}') === ',')
  return entries
}

function readItems(reader: TokenReader, level: number): readonly JsonPart[] {
  const items: JsonPart[] = []
  if (reader.peek().text === ']') {
    reader.next()
    return items
  }
  do items.push(readPart(reader, level + 1))
  while (reader.expect(',', ']') === ',')
  return items
}
