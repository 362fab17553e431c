import type BetterSqlite3 from 'better-sqlite3'
import { basename } from 'node:path'
import { AppError } from '#shared/lib/app-error.ts'
import type { Clock } from '#main/lib/clock.ts'
import { asDiskError, isDamage } from '#main/lib/disk-error.ts'
import type { Logger } from '#main/lib/logger.ts'
import { createMemo, type Memo } from './memo.ts'

/** SQL text, typed with the shape of its rows. */
type Statement<Row> = string | (string & { readonly row?: Row })

export type Bind = string | number | null

/**
 * A connection that prepares each statement once and logs slow ones. Statements are constants, never built from data.
 * SQLite errors are thrown as `AppError` (`disk/…`, `store/…`).
 */
export type Sql = {
  get<Row>(statement: Statement<Row>, ...binds: readonly Bind[]): Row | undefined
  all<Row>(statement: Statement<Row>, ...binds: readonly Bind[]): Row[]
  /** Returns the number of changed rows. */
  run(statement: string, ...binds: readonly Bind[]): number
  /** A numeric setting or property of the database. */
  pragma(text: string): number
  /** The error to throw for an inconsistent row: records that the file is damaged. */
  damaged(): AppError
  /** Runs any other operation on this file with the same error handling. */
  guarded<T>(work: () => T): T
  readonly memo: Memo
  readonly raw: BetterSqlite3.Database
}

/** Slower statements are logged. */
const SLOW_SQL_MS = 8

/** @param onDamage called when the file itself is damaged, before the error is thrown */
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
/** The type of a table column, if it is not NULL. */
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

/** SQLite enforces column types only on write. Damaged bytes may be read as another type. */
function isOf(kinds: readonly Kind[], row: unknown): boolean {
  for (const [name, kind] of kinds) {
    const value = (row as Readonly<Record<string, unknown>>)[name]
    if (typeof value !== kind && value !== null) return false
  }
  return true
}

/** Absent becomes SQL NULL, booleans become 1 or 0. */
export function bind(value: string | number | boolean | undefined): Bind {
  if (value === undefined) return null
  return typeof value === 'boolean' ? Number(value) : value
}
