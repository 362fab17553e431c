import {
  FILTER_OPERATORS,
  type FilterCondition,
  type FilterGroup,
  type FilterNode,
  type FilterOperator,
  type FilterValue,
  type SegmentKind,
} from '../../domain/manage/segments.ts'

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
