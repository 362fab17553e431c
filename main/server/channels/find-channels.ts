import type { Identity } from '../http/auth/identify.ts'
import { type Json, isObject } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { openTo, type Openness } from './access.ts'
import { toWords } from '../messages/words.ts'
import type { Cell, Db } from '../store/db.ts'
import type { ChannelRow } from './channel-table.ts'
import { BLOCKED_PAIR } from '../users/user-tables.ts'
import {
  and,
  badOperator,
  compileFilter,
  compileSort,
  listField,
  ORDERED,
  type Condition,
  type FieldTable,
  type SortTable,
  type SpecialField,
} from '../store/query/compile.ts'
import { allTypes } from './channel-types.ts'

/** Fields that only a membership of the calling user can satisfy, and the values for which that holds. */
const OF_MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  joined: (value) => value === true,
  hidden: (value) => value === true,
  muted: (value) => value === true,
  blocked: (value) => value === true,
  pinned: (value) => value === true,
  archived: (value) => value === true,
  has_unread: (value) => value === true,
  invite: (value) => typeof value === 'string',
  channel_role: () => true,
}

/**
 * Refuses with code 70 a channel query that could match channels the user may not read. A query must be limited to
 * channels they are in, to types they may read without being a member, or to channels it names: those are checked one
 * by one, and unreadable ones are left out. The decision depends on the filter alone, so that the response reveals
 * nothing about existing channels. See docs/wire.md 1.7, code 70.
 */
export function mayQueryChannels(db: Db, who: Identity, filter: Json): void {
  const open = openTo(db, who).types
  if (allTypes(db).every((type) => open.includes(type)) || isLimited(filter, who.userId, new Set(open))) return
  refuse(
    'queryChannelPermissions',
    'the filter can match channels you may not read: ask for your own with {"members": {"$in": ["YOUR ID"]}}',
  )
}

function isLimited(filter: unknown, userId: string, open: ReadonlySet<string>): boolean {
  if (!isObject(filter)) return false
  return Object.entries(filter).some(([name, value]) => {
    if (name === '$and') return Array.isArray(value) && value.some((each) => isLimited(each, userId, open))
    if (name === '$or')
      return Array.isArray(value) && value.length > 0 && value.every((each) => isLimited(each, userId, open))
    const wanted = valuesOf(value)
    if (name === 'cid' || name === 'id') return wanted !== undefined
    if (name === 'type') return wanted?.every((type) => typeof type === 'string' && open.has(type)) ?? false
    if (name === 'members') return asksForMember(value, userId)
    return Object.hasOwn(OF_MEMBERS, name) && (wanted?.every((each) => OF_MEMBERS[name]?.(each)) ?? false)
  })
}

/** The values that satisfy a condition, if it lists them. */
function valuesOf(value: unknown): readonly unknown[] | undefined {
  if (!isObject(value)) return [value]
  if ('$eq' in value) return [value['$eq']]
  return Array.isArray(value['$in']) ? (value['$in'] as unknown[]) : undefined
}

/** `$in` with the user alone, or an exact member list that includes the user. */
function asksForMember(value: unknown, userId: string): boolean {
  if (userId === '') return false
  const listed = isObject(value) ? (value['$eq'] ?? value['$in']) : value
  const ids: readonly unknown[] = Array.isArray(listed) ? listed : [listed]
  const any = isObject(value) && !('$eq' in value)
  return any ? ids.length > 0 && ids.every((id) => id === userId) : ids.includes(userId)
}

type Sort = readonly { readonly field: string; readonly direction: 1 | -1 }[]

/** `me` is the calling user's own membership; its columns are null in channels they may only read. */
const FROM = 'SELECT c.* FROM channels c LEFT JOIN members me ON me.cid = c.cid AND me.user_id = ? WHERE '
/** The same, driven by the memberships: the usual list of the user's own channels. */
const FROM_OWN = 'SELECT c.* FROM members me JOIN channels c ON c.cid = me.cid WHERE me.user_id = ? AND '

const MUTED = '(EXISTS (SELECT 1 FROM channel_mutes x WHERE x.user_id = me.user_id AND x.cid = c.cid))'

/** A conversation of two users of whom one blocked the other. */
const BLOCKED = `(c.member_count = 2 AND ${BLOCKED_PAIR})`

/** A member who was not merely invited. */
const JOINED = "(me.user_id IS NOT NULL AND coalesce(me.status, '') NOT IN ('pending', 'rejected'))"

const FIELDS: FieldTable['fields'] = {
  cid: { sql: 'c.cid', kind: 'text', operators: ORDERED },
  id: { sql: 'c.id', kind: 'text', operators: ORDERED },
  type: { sql: 'c.type', kind: 'text', operators: ORDERED },
  team: { sql: 'c.team', kind: 'text', operators: ORDERED },
  created_by_id: { sql: 'c.created_by', kind: 'text', operators: ORDERED },
  created_at: { sql: 'c.created_at', kind: 'time', operators: ORDERED },
  updated_at: { sql: 'c.updated_at', kind: 'time', operators: ORDERED },
  last_message_at: { sql: 'c.last_message_at', kind: 'time', operators: ORDERED },
  last_updated: { sql: 'c.last_updated', kind: 'time', operators: ORDERED },
  member_count: { sql: 'c.member_count', kind: 'number', operators: ORDERED },
  message_count: { sql: 'c.message_count', kind: 'number', operators: ORDERED },
  frozen: { sql: 'c.frozen', kind: 'flag', operators: ORDERED },
  disabled: { sql: 'c.disabled', kind: 'flag', operators: ['$eq'] },
  distinct: { sql: "(c.id LIKE '!members-%')", kind: 'flag', operators: ['$eq'] },
  hidden: { sql: 'coalesce(me.hidden, 0)', kind: 'flag', operators: ['$eq'] },
  joined: { sql: JOINED, kind: 'flag', operators: ['$eq'] },
  blocked: { sql: BLOCKED, kind: 'flag', operators: ['$eq'] },
  muted: { sql: MUTED, kind: 'flag', operators: ['$eq'] },
  pinned: { sql: '(me.pinned_at IS NOT NULL)', kind: 'flag', operators: ['$eq'] },
  archived: { sql: '(me.archived_at IS NOT NULL)', kind: 'flag', operators: ['$eq'] },
  has_unread: { sql: '(coalesce(me.unread, 0) > 0)', kind: 'flag', operators: ['$eq'] },
  channel_role: { sql: 'me.channel_role', kind: 'text', operators: ['$eq', '$in'] },
  name: { sql: 'c.name', kind: 'text', operators: [...ORDERED, '$autocomplete', '$q'], words: 'c.name_words' },
}

const SORTS: SortTable = {
  last_message_at: 'c.last_message_at',
  last_updated: 'c.last_updated',
  created_at: 'c.created_at',
  updated_at: 'c.updated_at',
  member_count: 'c.member_count',
  unread_count: 'coalesce(me.unread, 0)',
  has_unread: '(coalesce(me.unread, 0) > 0)',
  pinned_at: 'me.pinned_at',
  name: 'c.name',
  cid: 'c.cid',
}

type ChannelQuery = {
  readonly filter: Json
  readonly sort: Sort
  readonly limit: number
  readonly offset: number
  /** Only cids behind the first, up to and with the last. */
  readonly between?: readonly [after: string, last: string]
}

/** Channels that match the filter and that the user may read. See docs/wire.md 6.3 "Channels". */
export function findChannels(db: Db, who: Identity, query: ChannelQuery): ChannelRow[] {
  const { sql, values } = channelSql(who, query, openTo(db, who))
  return db.all<ChannelRow>(sql, ...values)
}

export function channelSql(
  who: Identity,
  query: ChannelQuery,
  open: Openness = NOTHING_OPEN,
): { sql: string; values: Cell[] } {
  const own = asksForOwn(query.filter, who.userId)
  const conditions: Condition[] = [
    { sql: 'c.deleted_at IS NULL', values: [] },
    ...(query.between === undefined ? [] : [{ sql: 'c.cid > ? AND c.cid <= ?', values: [...query.between] }]),
    compileFilter(query.filter, { fields: FIELDS, special: SPECIALS, custom: 'c.custom', customWords: true }),
    ...(mentions(query.filter, 'hidden') ? [] : [{ sql: 'coalesce(me.hidden, 0) = 0', values: [] }]),
    ...(own ? [] : [readable(open)]),
  ]
  const where = and(conditions)
  const sort = query.sort.length === 0 ? [{ field: 'last_updated', direction: -1 as const }] : query.sort
  const order = compileSort(sort, SORTS, 'c.cid', 'c.custom')
  return {
    sql: `${own ? FROM_OWN : FROM}${where.sql} ORDER BY ${order.sql} LIMIT ? OFFSET ?`,
    values: [who.userId, ...where.values, ...order.values, query.limit, query.offset],
  }
}

/** `members: {$in: [me]}`, alone or beside other keys: the membership rows then drive the query. */
function asksForOwn(filter: Json, userId: string): boolean {
  const members = filter['members']
  if (typeof members !== 'object' || members === null) return false
  const listed = (members as { $in?: unknown }).$in
  return Array.isArray(listed) && listed.length === 1 && listed[0] === userId
}

function mentions(filter: unknown, key: string): boolean {
  if (Array.isArray(filter)) return filter.some((each) => mentions(each, key))
  if (typeof filter !== 'object' || filter === null) return false
  return Object.entries(filter).some(([name, value]) => name === key || mentions(value, key))
}

const NOTHING_OPEN: Openness = { types: [], privateToo: false }

function readable({ types, privateToo }: Openness): Condition {
  const open = `c.type IN (SELECT value FROM json_each(?))${privateToo ? '' : ' AND c.private = 0'}`
  return { sql: `(me.user_id IS NOT NULL OR ${open})`, values: [JSON.stringify(types)] }
}

const ANY_MEMBER =
  'EXISTS (SELECT 1 FROM members a WHERE a.cid = c.cid AND a.user_id IN (SELECT value FROM json_each(?)))'

/** `$in`: any of these users; `$eq` with a list: exactly these. */
const members: SpecialField = (operator, value, name) => {
  const ids = typeof value === 'string' ? [value] : value
  if (!Array.isArray(ids) || ids.some((id) => typeof id !== 'string'))
    return refuse('input', `${name} needs a list of ids`)
  const unique = JSON.stringify([...new Set(ids)])
  if (operator === '$in') return { sql: ANY_MEMBER, values: [unique] }
  if (operator !== '$eq') return badOperator(name, operator)
  return {
    sql: `(c.member_count = ? AND (SELECT count(*) FROM members a WHERE a.cid = c.cid
      AND a.user_id IN (SELECT value FROM json_each(?))) = c.member_count)`,
    values: [new Set(ids).size, unique],
  }
}

const WITH_NAME = 'EXISTS (SELECT 1 FROM members a JOIN users u ON u.id = a.user_id WHERE a.cid = c.cid AND '

const memberName: SpecialField = (operator, value, name) => {
  if (typeof value !== 'string') return refuse('input', `${name} needs a text`)
  if (operator === '$eq') return { sql: `${WITH_NAME}u.name = ?)`, values: [value] }
  if (operator !== '$autocomplete') return badOperator(name, operator)
  const words = toWords(value)
    .split(' ')
    .filter((word) => word !== '')
  const matches = and(words.map((word) => ({ sql: 'instr(u.name_words, ?) > 0', values: [` ${word}`] })))
  return { sql: `${WITH_NAME}${matches.sql})`, values: matches.values }
}

const invite: SpecialField = (operator, value, name) =>
  operator === '$eq' && typeof value === 'string'
    ? { sql: '(me.invited = 1 AND me.status = ?)', values: [value] }
    : badOperator(name, operator)

/** `only`: channels whose creator is banned everywhere; `excluded`: the others. */
const appBanned: SpecialField = (operator, value, name) => {
  if (operator !== '$eq') return badOperator(name, operator)
  if (value !== 'only' && value !== 'excluded') return refuse('input', `${name} needs only or excluded`)
  const banned = 'EXISTS (SELECT 1 FROM users u WHERE u.id = c.created_by AND u.banned = 1)'
  return { sql: value === 'only' ? banned : `NOT ${banned}`, values: [] }
}

const SPECIALS: Readonly<Record<string, SpecialField>> = {
  members,
  'member.user.name': memberName,
  invite,
  app_banned: appBanned,
  filter_tags: listField('c.filter_tags'),
}
