import type {
  FilterCondition,
  FilterGroup,
  FilterNode,
  FilterValue,
  SegmentKind,
} from '../../domain/manage/segments.ts'
import { parseTime } from '../../lib/rfc3339.ts'
import { foldedWords } from '../search/search-fold.ts'
import { fieldNamed, type FilterField } from './filter.ts'

/** A person or a channel with the fields of the contract and its custom ones beside them. */
export type Subject = Readonly<Record<string, unknown>>

/**
 * Whether a condition holds. As in the databases of servers, nothing can be said about a field that is not there: `null`
 * is neither true nor false, and its opposite is `null` too. `undefined`: it cannot be told from what is known here.
 */
type Truth = boolean | null | undefined

/** Whether the subject matches. `undefined`: only the server can say. */
export function matches(kind: SegmentKind, filter: FilterGroup, subject: Subject): boolean | undefined {
  const truth = truthOf(kind, filter, subject)
  return truth === undefined ? undefined : truth === true
}

/** The conditions that make it match, of the group that needs the fewest. Empty if that cannot be told. */
export function reasonsFor(kind: SegmentKind, filter: FilterGroup, subject: Subject): readonly FilterCondition[] {
  return reasonsIn(kind, filter, subject) ?? []
}

function reasonsIn(kind: SegmentKind, node: FilterNode, subject: Subject): readonly FilterCondition[] | undefined {
  if (truthOf(kind, node, subject) !== true) return undefined
  if (node.kind === 'condition') return [node]
  // That none of them holds is no condition that does.
  if (node.match === 'none') return []
  const each = node.of.map((part) => reasonsIn(kind, part, subject))
  if (node.match === 'all') return each.flatMap((found) => found ?? [])
  return each.filter((found) => found !== undefined).toSorted((a, b) => a.length - b.length)[0]
}

/** The first condition that keeps the subject out, and whether everything else in the filter holds. */
export function failureOf(
  kind: SegmentKind,
  filter: FilterGroup,
  subject: Subject,
): { readonly failed: FilterCondition; readonly others: boolean } | undefined {
  const parts = filter.match === 'all' ? filter.of : [filter]
  const failing = parts.filter((part) => truthOf(kind, part, subject) !== true)
  const [first] = failing
  const failed = first && failedIn(kind, first, subject)
  return failed && { failed, others: failing.length === 1 && parts.length > 1 }
}

function failedIn(kind: SegmentKind, node: FilterNode, subject: Subject): FilterCondition | undefined {
  if (node.kind === 'condition') return node
  if (node.match !== 'none') {
    const part = node.of.find((each) => truthOf(kind, each, subject) !== true)
    return part && failedIn(kind, part, subject)
  }
  // One that holds, or else one of which nothing can be said.
  const truths = node.of.map((part) => truthOf(kind, part, subject))
  const at = truths.includes(true) ? truths.indexOf(true) : truths.findIndex((truth) => truth !== false)
  const part = node.of[at]
  return part?.kind === 'condition' ? part : undefined
}

function truthOf(kind: SegmentKind, node: FilterNode, subject: Subject): Truth {
  if (node.kind === 'condition') return conditionTruth(kind, node, subject)
  const each = node.of.map((part) => truthOf(kind, part, subject))
  if (node.match === 'all') return every(each)
  const any = not(every(each.map(not)))
  return node.match === 'any' ? any : not(any)
}

const not = (truth: Truth): Truth => (typeof truth === 'boolean' ? !truth : truth)

function every(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false
  if (truths.includes(undefined)) return undefined
  return truths.includes(null) ? null : true
}

function conditionTruth(kind: SegmentKind, condition: FilterCondition, subject: Subject): Truth {
  const field = fieldNamed(kind, condition.field)
  if (field === undefined) return undefined
  const value = valueOf(kind, field, subject)
  if (value === undefined) return undefined
  return compare(field, value, condition)
}

/** `undefined`: what is known here does not say; `null`: it has none. */
function valueOf(kind: SegmentKind, { name, ofCaller }: FilterField, subject: Subject): unknown {
  if (ofCaller === true || name === 'members' || name === 'member.user.name') return undefined
  if (kind === 'channel') {
    if (name === 'created_by_id') return idIn(subject['created_by'])
    if (name === 'distinct') return typeof subject['id'] === 'string' && subject['id'].startsWith('!members-')
    if (name === 'last_updated') return subject['last_message_at'] ?? subject['created_at'] ?? null
    if (name === 'message_count') return subject[name]
    if (name === 'frozen' || name === 'disabled') return subject[name] ?? false
    if (name === 'filter_tags') return subject[name] ?? []
  }
  if (name === 'teams') return subject[name] ?? []
  if (name === 'banned' || name === 'shadow_banned') return subject[name] ?? false
  return Object.hasOwn(subject, name) ? (subject[name] ?? null) : null
}

const idIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : null

function compare(field: FilterField, value: unknown, { operator, value: wanted }: FilterCondition): Truth {
  const isList = Array.isArray(value)
  const values = isList ? value : [value]
  if (operator === '$exists') return (value !== null) === wanted
  if (operator === '$contains' || isList || field.kind === 'list') {
    const any = [wanted].flat()
    return values.some((each) => any.some((one) => isSame(field, each, one)))
  }
  if (value === null) return field.kind === 'custom' && operator !== '$eq' ? false : null
  if (Array.isArray(wanted)) {
    const within = wanted.some((one: FilterValue) => isSame(field, value, one))
    return operator === '$nin' ? !within : within
  }
  if (operator === '$autocomplete' || operator === '$q')
    return typeof value === 'string' && hasWords(value, String(wanted), operator === '$q')
  if (operator === '$eq') return isSame(field, value, wanted as FilterValue)
  if (operator === '$ne') return !isSame(field, value, wanted as FilterValue)
  const order = orderOf(field, value, wanted as FilterValue)
  if (order === undefined) return false
  if (operator === '$gt') return order > 0
  if (operator === '$gte') return order >= 0
  return operator === '$lt' ? order < 0 : order <= 0
}

const isSame = (field: FilterField, a: unknown, b: FilterValue): boolean => orderOf(field, a, b) === 0

/** Times as moments, texts by code point; `undefined`: they have no order between them. */
function orderOf({ kind }: FilterField, a: unknown, b: FilterValue): number | undefined {
  if (kind === 'time') {
    const [left, right] = [typeof a === 'string' ? parseTime(a) : undefined, parseTime(String(b))]
    return left === undefined || right === undefined ? undefined : left - right
  }
  const [left, right] = [plain(a), plain(b)]
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return typeof left === 'string' && typeof right === 'string' ? byCodePoint(left, right) : undefined
}

/** Servers store true and false as numbers. */
const plain = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)

function byCodePoint(a: string, b: string): number {
  if (a === b) return 0
  const [left, right] = [Array.from(a), Array.from(b)]
  const at = left.findIndex((letter, index) => letter !== right[index])
  if (at < 0) return -1
  return (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1)
}

/** Every word that is asked for is a word of the text, or the beginning of one. */
function hasWords(text: string, asked: string, whole: boolean): boolean {
  const words = foldedWords(text)
  return foldedWords(asked).every((word) => words.some((each) => (whole ? each === word : each.startsWith(word))))
}
