import * as v from 'valibot'
import type { CursorReply, SortField } from '#shared/wire/endpoint.ts'
import { parseBody } from '../../http/json.ts'
import { refuse } from '../../http/refusal.ts'
import { idText, object, read, sort, whole } from '../../http/shapes.ts'
import type { Cell, Db } from '../db.ts'
import type { Condition, SortTable } from './compile.ts'

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
