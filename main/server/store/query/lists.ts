import * as v from 'valibot'
import type { CursorReply, SortField } from '#shared/wire/endpoint.ts'
import { type Json, parseBody } from '../../http/json.ts'
import {
  and,
  compileFilter,
  type Condition,
  type Field,
  type FieldTable,
  type Operator,
  type SortTable,
} from './compile.ts'
import type { DraftRow } from '../../drafts/draft-table.ts'
import type { HistoryEntry } from '../../messages/message-table.ts'
import type { PollRow, VoteRow } from '../../polls/poll-tables.ts'
import type { ReactionRow } from '../../messages/reaction-table.ts'
import type { ReminderRow } from '../../reminders/reminder-table.ts'
import { refuse } from '../../http/refusal.ts'
import { idText, object, read, sort, whole } from '../../http/shapes.ts'
import type { Cell, Db } from '../db.ts'

/** The parameters of a list with cursors. See docs/wire.md 6.4 and 6.5. */
export const cursorBody = {
  filter: object,
  sort,
  limit: whole(100),
  offset: whole(1_000),
  next: idText(4_000),
  prev: idText(4_000),
}

type CursorPage = {
  readonly sort?: readonly SortField[]
  readonly limit?: number
  readonly next?: string
  readonly prev?: string
  /** For lists that support both; not together with a cursor. */
  readonly offset?: number
}

/** A list that is read in pages. All texts are constants of the caller. */
export type CursorList<Row> = {
  /** Carries the type of a row; never set. */
  readonly row?: Row
  /** `t.* FROM table t JOIN …`, without conditions. */
  readonly select: string
  /** Values of the placeholders in `select`. */
  readonly joined?: readonly Cell[]
  readonly where: Condition
  /** Expressions that are never NULL. */
  readonly sorts: SortTable
  readonly defaultSort: readonly SortField[]
  /** Columns that together identify a row; they break ties, in the direction of the last sort. */
  readonly ties: readonly string[]
}

const DEFAULT_LIMIT = 25

type Part = { readonly sql: string; readonly direction: 1 | -1 }
type Cursor = { readonly sort: string; readonly at: readonly Cell[]; readonly back: boolean }

/** One page with the cursors to the previous and next pages. */
export function readCursorPage<Row>(
  db: Db,
  list: CursorList<Row>,
  page: CursorPage,
): { readonly rows: Row[]; readonly cursors: CursorReply } {
  const limit = page.limit ?? DEFAULT_LIMIT
  if (limit === 0) return { rows: [], cursors: {} }
  const { sql, values, name, cursor } = cursorSql(list, { ...page, limit: limit + 1 })
  const found = db.all<Row & { readonly place: string }>(sql, ...values)
  const more = found.length > limit
  const back = cursor?.back ?? false
  const rows = back ? found.slice(0, limit).toReversed() : found.slice(0, limit)
  const at = (row: { readonly place: string } | undefined, towards: 'next' | 'prev') =>
    row
      ? { [towards]: createCursor({ sort: name, at: JSON.parse(row.place) as Cell[], back: towards === 'prev' }) }
      : {}
  return {
    rows,
    cursors: {
      ...(back || more ? at(rows.at(-1), 'next') : {}),
      ...((back ? more : cursor !== undefined) ? at(rows[0], 'prev') : {}),
    },
  }
}

/** For {@link readCursorPage}, and for tests of its plan. */
export function cursorSql(
  list: CursorList<unknown>,
  page: CursorPage,
): { sql: string; values: Cell[]; name: string; cursor: Cursor | undefined } {
  const cursor = openCursor(page)
  const sorted = cursor ? sortIn(cursor.sort) : page.sort?.length ? page.sort : list.defaultSort
  const name = sorted.map(({ field, direction }) => `${field}:${direction}`).join(',')
  const parts = partsOf(list, sorted)
  const walked = cursor?.back
    ? parts.map(({ sql, direction }): Part => ({ sql, direction: direction === 1 ? -1 : 1 }))
    : parts
  const behind = cursor ? after(walked, cursor.at) : { sql: '1', values: [] }
  const order = walked.map(({ sql, direction }) => sql + (direction === 1 ? ' ASC' : ' DESC')).join(', ')
  const columns = parts.map(({ sql }) => sql).join(', ')
  return {
    sql: `SELECT json_array(${columns}) AS place, ${list.select} WHERE ${list.where.sql} AND ${behind.sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
    values: [
      ...(list.joined ?? []),
      ...list.where.values,
      ...behind.values,
      page.limit ?? DEFAULT_LIMIT,
      page.offset ?? 0,
    ],
    name,
    cursor,
  }
}

function partsOf(list: CursorList<unknown>, sorted: readonly SortField[]): Part[] {
  const parts = sorted.map(({ field, direction }): Part => {
    const sql = Object.hasOwn(list.sorts, field) ? list.sorts[field] : undefined
    return sql === undefined
      ? refuse('input', `unknown sort field ${field}`, { [field]: 'unknown field' })
      : { sql, direction }
  })
  const order = parts.at(-1)?.direction ?? -1
  const named = new Set(parts.map((part) => part.sql))
  return [...parts, ...list.ties.filter((sql) => !named.has(sql)).map((sql): Part => ({ sql, direction: order }))]
}

/**
 * The rows behind a cursor. With one direction a row comparison, which can use an index; with several a list of
 * conditions.
 */
function after(parts: readonly Part[], at: readonly Cell[]): Condition {
  if (at.length !== parts.length) return refuse('input', 'the cursor does not belong to this list')
  const direction = parts[0]?.direction ?? 1
  if (parts.every((part) => part.direction === direction)) {
    const placeholders = parts.map(() => '?').join(', ')
    return {
      sql: `(${parts.map((part) => part.sql).join(', ')}) ${direction === 1 ? '>' : '<'} (${placeholders})`,
      values: at,
    }
  }
  const steps = parts.map((part, index) => ({
    sql: [
      ...parts.slice(0, index).map((each) => `${each.sql} = ?`),
      `${part.sql} ${part.direction === 1 ? '>' : '<'} ?`,
    ].join(' AND '),
    values: at.slice(0, index + 1),
  }))
  return {
    sql: `(${steps.map((step) => `(${step.sql})`).join(' OR ')})`,
    values: steps.flatMap((step) => step.values),
  }
}

const cursorShape = v.object({
  v: v.literal(1),
  sort: v.string(),
  at: v.pipe(v.array(v.union([v.string(), v.number(), v.null()])), v.maxLength(10)),
  back: v.boolean(),
})

/** Opaque to clients. See docs/wire.md 6.4 "cursor content". */
function createCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify({ v: 1, ...cursor })).toString('base64url')
}

/** A cursor carries its sort, which applies to all of its pages; the request's sort is ignored. */
const sortIn = (name: string): readonly SortField[] =>
  name.split(',').map((part) => {
    const [field = '', direction] = part.split(':')
    return { field, direction: direction === '1' ? 1 : -1 }
  })

function openCursor(page: CursorPage): Cursor | undefined {
  if (page.next !== undefined && page.prev !== undefined) refuse('input', 'only one of next and prev may be given')
  const text = page.next ?? page.prev
  if (text === undefined) return undefined
  return read(cursorShape, parseBody(Buffer.from(text, 'base64url').toString('utf8') || '{}'))
}

/** The lists with cursors about messages. See docs/wire.md 6.3. */

const EXACT: readonly Operator[] = ['$eq', '$in']
const COMPARED: readonly Operator[] = ['$eq', '$gt', '$gte', '$lt', '$lte']

const text = (sql: string, operators: readonly Operator[] = EXACT): Field => ({ sql, kind: 'text', operators })
const time = (sql: string, more: readonly Operator[] = []): Field => ({
  sql,
  kind: 'time',
  operators: [...COMPARED, ...more],
})
const flag = (sql: string): Field => ({ sql, kind: 'flag', operators: ['$eq'] })

const filtered = (base: Condition, filter: Json | undefined, table: FieldTable): Condition =>
  and([base, compileFilter(filter ?? {}, table)])

const DRAFTS: FieldTable = {
  fields: {
    channel_cid: text('d.cid'),
    parent_id: text("nullif(d.parent_id, '')", ['$eq', '$in', '$exists']),
    created_at: time('d.created_at'),
  },
}

export function draftList(userId: string, filter: Json | undefined): CursorList<DraftRow> {
  return {
    select: 'd.* FROM drafts d JOIN channels c ON c.cid = d.cid AND c.deleted_at IS NULL',
    where: filtered({ sql: 'd.user_id = ?', values: [userId] }, filter, DRAFTS),
    sorts: { created_at: 'd.created_at' },
    defaultSort: [{ field: 'created_at', direction: -1 }],
    ties: ['d.cid', 'd.parent_id'],
  }
}

const REMINDERS: FieldTable = {
  fields: {
    channel_cid: text('r.cid'),
    message_id: text('r.message_id'),
    user_id: text('r.user_id'),
    created_at: time('r.created_at'),
    remind_at: time('r.remind_at', ['$exists']),
  },
}

/** Reminders without a time come last. */
export function reminderList(userId: string, filter: Json | undefined): CursorList<ReminderRow> {
  return {
    select: 'r.* FROM reminders r JOIN messages m ON m.id = r.message_id AND m.deleted_at IS NULL',
    where: filtered({ sql: 'r.user_id = ?', values: [userId] }, filter, REMINDERS),
    sorts: {
      remind_at: 'coalesce(r.remind_at, 9007199254740991)',
      channel_cid: 'r.cid',
      message_id: 'r.message_id',
      created_at: 'r.created_at',
      updated_at: 'r.updated_at',
    },
    defaultSort: [{ field: 'remind_at', direction: 1 }],
    ties: ['r.message_id'],
  }
}

const REACTIONS: FieldTable = {
  fields: {
    type: text('x.type'),
    user_id: text('x.user_id'),
    created_at: time('x.created_at', ['$in', '$exists']),
  },
}

export function reactionList(messageId: string, filter: Json | undefined): CursorList<ReactionRow> {
  return {
    select: 'x.* FROM reactions x',
    where: filtered({ sql: 'x.message_id = ?', values: [messageId] }, filter, REACTIONS),
    sorts: { created_at: 'x.created_at' },
    defaultSort: [{ field: 'created_at', direction: -1 }],
    ties: ['x.user_id', 'x.type'],
  }
}

const HISTORY: FieldTable = {
  fields: {
    message_id: text('h.message_id'),
    user_id: text('h.written_by'),
    created_at: time('h.written_at'),
    message_updated_at: time('h.written_at'),
    message_updated_by_id: text('h.written_by'),
  },
}

export function historyList(filter: Json | undefined): CursorList<HistoryEntry> {
  return {
    select: 'h.*, m.deleted_at FROM message_history h JOIN messages m ON m.id = h.message_id',
    where: filtered({ sql: '1', values: [] }, filter, HISTORY),
    sorts: { message_updated_at: 'h.written_at', message_updated_by_id: 'h.written_by' },
    defaultSort: [{ field: 'message_updated_at', direction: -1 }],
    ties: ['h.seq'],
  }
}

const POLLS: FieldTable = {
  fields: {
    id: text('p.id'),
    name: text('p.name'),
    created_by_id: text('p.created_by'),
    allow_answers: flag('p.allow_answers'),
    allow_user_suggested_options: flag('p.allow_suggestions'),
    is_closed: flag('p.closed'),
    voting_visibility: text('p.visibility', ['$eq']),
    max_votes_allowed: { sql: 'p.max_votes', kind: 'number', operators: COMPARED },
    created_at: time('p.created_at'),
    updated_at: time('p.updated_at'),
  },
  custom: 'p.custom',
}

/** Polls that the user created or that are on a message in a channel of theirs. A server token sees all. */
export function pollList(userId: string, all: boolean, filter: Json | undefined): CursorList<PollRow> {
  const own: Condition = {
    sql: `(p.created_by = ? OR EXISTS (SELECT 1 FROM messages m JOIN members me ON me.cid = m.cid AND me.user_id = ?
      WHERE m.poll_id = p.id AND m.deleted_at IS NULL AND (m.audience IS NULL OR instr(m.audience, ?) > 0)))`,
    values: [userId, userId, `,${userId},`],
  }
  return {
    select: 'p.* FROM polls p',
    where: filtered(all ? { sql: '1', values: [] } : own, filter, POLLS),
    sorts: {
      id: 'p.id',
      name: 'p.name',
      created_at: 'p.created_at',
      updated_at: 'p.updated_at',
      is_closed: 'p.closed',
    },
    defaultSort: [{ field: 'created_at', direction: -1 }],
    ties: ['p.id'],
  }
}

const VOTES: FieldTable = {
  fields: {
    id: text('v.id'),
    poll_id: text('v.poll_id'),
    user_id: text('v.user_id'),
    option_id: text("nullif(v.option_id, '')", ['$eq', '$in', '$exists']),
    is_answer: flag('(v.answer IS NOT NULL)'),
    created_at: time('v.created_at'),
    updated_at: time('v.updated_at'),
  },
}

/** @param onlyOf anonymous polls: only this user's own votes */
export function voteList(pollId: string, onlyOf: string | undefined, filter: Json | undefined): CursorList<VoteRow> {
  const byUser: Condition = onlyOf === undefined ? { sql: '1', values: [] } : { sql: 'v.user_id = ?', values: [onlyOf] }
  return {
    select: 'v.* FROM poll_votes v',
    where: filtered(and([{ sql: 'v.poll_id = ?', values: [pollId] }, byUser]), filter, VOTES),
    sorts: { id: 'v.id', created_at: 'v.created_at', updated_at: 'v.updated_at' },
    defaultSort: [{ field: 'created_at', direction: -1 }],
    ties: ['v.id'],
  }
}
