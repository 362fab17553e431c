import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import type { Cell, Db } from '../store/db.ts'
import { MEMBER_COLUMNS, type MemberRow } from '../channels/member-table.ts'
import type { UserRow } from './user-tables.ts'
import {
  and,
  compileFilter,
  compileSort,
  listField,
  ORDERED,
  type Condition,
  type FieldTable,
  type SortTable,
} from '../store/query/compile.ts'

type Sort = readonly { readonly field: string; readonly direction: 1 | -1 }[]
type Page = { readonly filter: Json; readonly sort: Sort; readonly limit: number; readonly offset: number }

/** Ties have the direction of the last sort, so that one index serves both. */
const tieDirection = (sort: Sort): '' | ' DESC' => (sort.at(-1)?.direction === -1 ? ' DESC' : '')

const NAME = { kind: 'text', words: 'u.name_words' } as const

const USER_FIELDS: FieldTable = {
  fields: {
    id: {
      sql: 'u.id',
      kind: 'text',
      operators: [...ORDERED, '$autocomplete', '$ne', '$nin'],
      words: 'fold(u.id)',
    },
    name: { sql: 'u.name', operators: [...ORDERED, '$autocomplete', '$q'], ...NAME },
    username: {
      sql: "json_extract(u.custom, '$.username')",
      kind: 'text',
      operators: ['$eq', '$autocomplete'],
      words: "fold(json_extract(u.custom, '$.username'))",
    },
    role: { sql: 'u.role', kind: 'text', operators: ORDERED },
    language: { sql: 'u.language', kind: 'text', operators: ['$eq', '$in'] },
    banned: { sql: 'u.banned', kind: 'flag', operators: ['$eq', '$ne'] },
    shadow_banned: { sql: 'u.shadow_banned', kind: 'flag', operators: ['$eq', '$ne'] },
    email: { sql: "json_extract(u.custom, '$.email')", kind: 'text', operators: ['$eq', '$in'] },
    created_at: { sql: 'u.created_at', kind: 'time', operators: ORDERED },
    updated_at: { sql: 'u.updated_at', kind: 'time', operators: ORDERED },
    last_active: { sql: 'u.last_active', kind: 'time', operators: ORDERED },
    deactivated_at: { sql: 'u.deactivated_at', kind: 'time', operators: ORDERED },
    deleted_at: { sql: 'u.deleted_at', kind: 'time', operators: ORDERED },
  },
  special: { teams: listField('u.teams') },
  custom: 'u.custom',
}

const USER_SORTS: SortTable = {
  id: 'u.id',
  name: 'u.name',
  role: 'u.role',
  language: 'u.language',
  banned: 'u.banned',
  shadow_banned: 'u.shadow_banned',
  created_at: 'u.created_at',
  updated_at: 'u.updated_at',
  last_active: 'u.last_active',
}

type UserPage = Page & {
  readonly deactivated: boolean
  readonly deleted?: boolean
  /** Only ids behind the first, up to and with the last. */
  readonly between?: readonly [after: string, last: string]
}

/** See docs/wire.md 6.3 "Users". */
export function findUsers(db: Db, page: UserPage): UserRow[] {
  const { sql, values } = userSql(page)
  return db.all<UserRow>(sql, ...values)
}

/** Only their ids: of everyone that a segment contains. */
export function findUserIds(db: Db, page: UserPage): string[] {
  const { sql, values } = userSql(page, 'u.id')
  return db.all<{ id: string }>(sql, ...values).map(({ id }) => id)
}

export function userSql(page: UserPage, columns: 'u.*' | 'u.id' = 'u.*'): { sql: string; values: Cell[] } {
  const bounds = page.between === undefined ? [] : [{ sql: 'u.id > ? AND u.id <= ?', values: [...page.between] }]
  const where = and([...bounds, matchingPeople(page.filter, page)])
  const order = compileSort(page.sort, USER_SORTS, `u.id${tieDirection(page.sort)}`, 'u.custom')
  return {
    sql: `SELECT ${columns} FROM users u WHERE ${where.sql} ORDER BY ${order.sql} LIMIT ? OFFSET ?`,
    values: [...where.values, ...order.values, page.limit, page.offset],
  }
}

/** Who matches, of the table of users as `u`. */
export function matchingPeople(
  filter: Json,
  { deleted = false, deactivated = false }: { readonly deleted?: boolean; readonly deactivated?: boolean } = {},
): Condition {
  const left = [...(deleted ? [] : ['u.deleted_at IS NULL']), ...(deactivated ? [] : ['u.deactivated_at IS NULL'])]
  return and([...left.map((sql) => ({ sql, values: [] })), compileFilter(filter, USER_FIELDS)])
}

const MUTED = '(EXISTS (SELECT 1 FROM channel_mutes x WHERE x.user_id = m.user_id AND x.cid = m.cid))'

const MEMBER_FIELDS: FieldTable = {
  fields: {
    user_id: { sql: 'm.user_id', kind: 'text', operators: ORDERED },
    id: { sql: 'm.user_id', kind: 'text', operators: ORDERED },
    name: { sql: 'u.name', operators: ['$eq', '$in', '$autocomplete', '$q'], ...NAME },
    channel_role: { sql: 'm.channel_role', kind: 'text', operators: ['$eq', '$in'] },
    cid: { sql: 'm.cid', kind: 'text', operators: ['$eq'] },
    banned: { sql: 'm.banned', kind: 'flag', operators: ['$eq'] },
    is_moderator: { sql: "(m.channel_role = 'channel_moderator')", kind: 'flag', operators: ['$eq'] },
    joined: { sql: "(coalesce(m.status, '') NOT IN ('pending', 'rejected'))", kind: 'flag', operators: ['$eq'] },
    notifications_muted: { sql: MUTED, kind: 'flag', operators: ['$eq'] },
    shadow_banned: { sql: 'm.shadow_banned', kind: 'flag', operators: ['$eq'] },
    'user.email': { sql: "json_extract(u.custom, '$.email')", kind: 'text', operators: ['$eq', '$in'] },
    invite: { sql: 'm.status', kind: 'text', operators: ['$eq'] },
    created_at: { sql: 'm.created_at', kind: 'time', operators: ORDERED },
    updated_at: { sql: 'm.updated_at', kind: 'time', operators: ORDERED },
    last_active: { sql: 'u.last_active', kind: 'time', operators: ORDERED },
  },
  custom: 'm.custom',
}

const MEMBER_SORTS: SortTable = {
  user_id: 'm.user_id',
  name: 'u.name',
  created_at: 'm.created_at',
  updated_at: 'm.updated_at',
  last_active: 'u.last_active',
}

type MemberPage = Page & {
  /** The bounds of the page, in addition to the filter. */
  readonly bounds?: readonly {
    readonly field: 'user_id' | 'created_at'
    readonly sign: '>' | '>=' | '<' | '<='
    readonly value: Cell
  }[]
}

/** See docs/wire.md 6.3 "Members". */
export function findMembers(db: Db, cid: string, page: MemberPage): MemberRow[] {
  const { sql, values } = memberSql(cid, page)
  return db.all<MemberRow>(sql, ...values)
}

export function memberSql(cid: string, page: MemberPage): { sql: string; values: Cell[] } {
  if (page.sort.length > 1) refuse('input', 'members are sorted by one field')
  const bounds = (page.bounds ?? []).map(({ field, sign, value }) => ({
    sql: `m.${field} ${sign} ?`,
    values: [value],
  }))
  const where = and([{ sql: 'm.cid = ?', values: [cid] }, compileFilter(page.filter, MEMBER_FIELDS), ...bounds])
  const sort = page.sort.length === 0 ? [{ field: 'created_at', direction: 1 as const }] : page.sort
  const order = compileSort(sort, MEMBER_SORTS, `m.user_id${tieDirection(sort)}`)
  return {
    sql: `SELECT ${MEMBER_COLUMNS} FROM members m JOIN users u ON u.id = m.user_id WHERE ${where.sql} ORDER BY ${order.sql} LIMIT ? OFFSET ?`,
    values: [...where.values, ...order.values, page.limit, page.offset],
  }
}
