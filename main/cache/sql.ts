import type BetterSqlite3 from 'better-sqlite3'
import { basename } from 'node:path'
import { AppError } from '#shared/lib/app-error.ts'
import type { Clock } from '#main/lib/clock.ts'
import { asDiskError, isDamage } from '#main/lib/disk-error.ts'
import type { Logger } from '#main/lib/logger.ts'
import { createMemo, type Memo } from './memo.ts'

/** SQL text; in the type it may carry the shape of the rows it gives. */
type Statement<Row> = string | (string & { readonly row?: Row })

export type Bind = string | number | null

/**
 * A connection that prepares each statement once and logs slow ones by name. Statements are constants, never built from
 * data. What SQLite throws leaves here as an `AppError` (`disk/…`, `store/…`): no one else meets its own errors.
 */
export type Sql = {
  get<Row>(statement: Statement<Row>, ...binds: readonly Bind[]): Row | undefined
  all<Row>(statement: Statement<Row>, ...binds: readonly Bind[]): Row[]
  /** Rows changed. */
  run(statement: string, ...binds: readonly Bind[]): number
  /** A setting, or what SQLite says of the file. */
  pragma(text: string): number
  /** What to throw where a row is read that makes no sense: the file is known to be bad from then on. */
  damaged(): AppError
  /** Anything else that is done with this file, under the same rule. */
  guarded<T>(work: () => T): T
  readonly memo: Memo
  readonly raw: BetterSqlite3.Database
}

/** Slower than this and a statement logs itself. */
const SLOW_SQL_MS = 8

/** @param onDamage hears that the file itself is bad, before the caller does */
export function openSql(
  raw: BetterSqlite3.Database,
  clock: Pick<Clock, 'monotonic'>,
  log: Logger,
  onDamage?: () => void,
): Sql {
  const prepared = new Map<string, Prepared>()
  function statement(text: string): Prepared {
    const known = prepared.get(text)
    if (known) return known
    const made = raw.prepare<Bind[]>(text)
    const prepare = { made, kinds: made.reader ? kindsOf(made) : [] }
    prepared.set(text, prepare)
    return prepare
  }
  function guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      const known = asDiskError(error, raw.name)
      if (known !== error && isDamage(known)) onDamage?.()
      throw known
    }
  }
  function damaged(): AppError {
    onDamage?.()
    return new AppError('store/damaged', { params: { file: basename(raw.name) } })
  }
  function timed<T>(text: string, work: (statement: Prepared) => T): T {
    const startedAt = clock.monotonic()
    const result = guarded(() => work(statement(text)))
    const tookMs = clock.monotonic() - startedAt
    if (tookMs > SLOW_SQL_MS) log.warn('slow', { sql: text.replace(/\s+/g, ' ').slice(0, 120), ms: Math.round(tookMs) })
    return result
  }
  return {
    raw,
    memo: createMemo(),
    damaged,
    guarded,
    pragma: (text) => guarded(() => Number(raw.pragma(text, { simple: true }))),
    get: <Row>(text: Statement<Row>, ...binds: readonly Bind[]) =>
      timed(text, ({ made, kinds }) => {
        const row = made.get(...binds)
        if (row !== undefined && !isOf(kinds, row)) throw damaged()
        return row as Row | undefined
      }),
    all: <Row>(text: Statement<Row>, ...binds: readonly Bind[]) =>
      timed(text, ({ made, kinds }) => {
        const rows = made.all(...binds)
        if (kinds.length > 0 && !rows.every((row) => isOf(kinds, row))) throw damaged()
        return rows as Row[]
      }),
    run: (text, ...binds) => timed(text, ({ made }) => made.run(...binds).changes),
  }
}

type Prepared = { readonly made: BetterSqlite3.Statement<Bind[]>; readonly kinds: readonly Kind[] }
/** What a column of a table holds, where it is not NULL. */
type Kind = readonly [name: string, kind: 'string' | 'number']

const KINDS: Readonly<Record<string, Kind[1]>> = { TEXT: 'string', INTEGER: 'number', REAL: 'number' }

function kindsOf(made: BetterSqlite3.Statement<Bind[]>): readonly Kind[] {
  const columns = made.columns()
  // A row that is read with its checksum is looked at by that.
  if (columns.some(({ name }) => name === 'sum')) return []
  return columns.flatMap(({ name, type }) => {
    const kind = KINDS[type ?? '']
    return kind === undefined ? [] : [[name, kind]]
  })
}

/** SQLite keeps the kinds of columns when they are written. Bytes that changed since may be read as another one. */
function isOf(kinds: readonly Kind[], row: unknown): boolean {
  for (const [name, kind] of kinds) {
    const value = (row as Readonly<Record<string, unknown>>)[name]
    if (typeof value !== kind && value !== null) return false
  }
  return true
}

/** Absent becomes SQL NULL, truth becomes 1 or 0. */
export function bind(value: string | number | boolean | undefined): Bind {
  if (value === undefined) return null
  return typeof value === 'boolean' ? Number(value) : value
}
