import Database from 'better-sqlite3'
import { toWords } from '../rules/words.ts'
import { FolderInUse } from './problems.ts'

export type Cell = string | number | null
export type Row = Readonly<Record<string, Cell>>

type Optional<T> = T | undefined

/**
 * The one place that holds a database handle. Statements are prepared once per text; texts come from constants and from
 * the filter compiler, which only joins constants: values are always bound.
 */
export type Db = {
  all<T = Row>(sql: string, ...values: Cell[]): T[]
  get<T = Row>(sql: string, ...values: Cell[]): Optional<T>
  /** Rows changed. */
  run(sql: string, ...values: Cell[]): number
  /** Runs `work` in one immediate transaction: all of it is on disk when this returns, or nothing is. */
  transaction<T>(work: () => T): T
  /** The plan of a query, one line per step. For tests. */
  explain(sql: string, ...values: Cell[]): string[]
  exec(sql: string): void
  pragma(text: string): unknown
  close(): void
}

/** Prepared texts kept; filters make new ones, so the oldest leave. */
const STATEMENT_CACHE = 400

/** A backup or an export reads beside us: what it holds for a moment is waited for. */
const BUSY_MS = 2_000

/** Opens the file for reading and writing. Whoever opens a data folder's file holds the folder's lock first. */
export function openDb(path: string): Db {
  const db = new Database(path, { timeout: BUSY_MS })
  try {
    setPragmas(db)
  } catch (error) {
    db.close()
    if (isBusy(error)) throw new FolderInUse()
    throw error
  }
  return wrap(db)
}

/** Not locked exclusively: a backup may read a running workspace. Another server is kept out by the folder's lock. */
function setPragmas(db: Database.Database): void {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('trusted_schema = OFF')
  db.pragma('cell_size_check = ON')
  db.pragma('cache_size = -16000')
  db.exec('BEGIN IMMEDIATE; COMMIT')
  // the words of a text as they are compared: for filters on keys that have no prepared column
  db.function('fold', { deterministic: true }, (text: unknown) => (typeof text === 'string' ? toWords(text) : ''))
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

function wrap(db: Database.Database): Db {
  const statements = new Map<string, Database.Statement<Cell[], unknown>>()
  function prepared(sql: string): Database.Statement<Cell[], unknown> {
    const known = statements.get(sql)
    if (known) return known
    const statement = db.prepare<Cell[], unknown>(sql)
    if (statements.size >= STATEMENT_CACHE) statements.delete(statements.keys().next().value ?? '')
    statements.set(sql, statement)
    return statement
  }
  return {
    all: <T>(sql: string, ...values: Cell[]) => prepared(sql).all(...values) as T[],
    get: <T>(sql: string, ...values: Cell[]) => prepared(sql).get(...values) as Optional<T>,
    run: (sql, ...values) => prepared(sql).run(...values).changes,
    transaction: (work) => db.transaction(work).immediate(),
    explain: (sql, ...values) =>
      db
        .prepare<Cell[], { detail: string }>('EXPLAIN QUERY PLAN ' + sql)
        .all(...values)
        .map((step) => step.detail),
    exec: (sql) => void db.exec(sql),
    pragma: (text) => db.pragma(text, { simple: true }),
    close: () => void db.close(),
  }
}
