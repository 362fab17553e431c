import Database from 'better-sqlite3'
import { registerIndexedWords } from './word-functions.ts'
import { toWords } from '../messages/word-folding.ts'
import { QueryCaches, writtenBy, type QueryCache, type Written } from './query-cache.ts'
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
  /** False once a full or broken disk undid a transaction under the feet of anyone who runs it. */
  isInTransaction(): boolean
  /** The plan of a query, one line per step. For tests. */
  explain(sql: string, ...values: Cell[]): string[]
  exec(sql: string): void
  pragma(text: string): unknown
  close(): void
  /** A place for what is computed from tables; it empties itself when they are written or a transaction is undone. */
  cacheOf<T>(tables: readonly string[]): QueryCache<T>
  /** Writes after which the caller brings what is kept up to date itself. */
  readonly withoutInvalidation: Pick<Db, 'all' | 'get' | 'run'>
}

/** Prepared texts kept; filters make new ones, so the oldest leave. */
const STATEMENT_CACHE = 400

/** A backup or an export reads beside us: what it holds for a moment is waited for. */
const BUSY_MS = 2_000

/** Opens the file for reading and writing. Anyone who opens a data folder's file holds the folder's lock first. */
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

/** Opens a file to look at it: beside a running server, or before anything in it is touched. */
export function openReadOnly(path: string): Db {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_MS })
  try {
    db.pragma('cell_size_check = ON')
    return wrap(db)
  } catch (error) {
    db.close()
    throw error
  }
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
  registerIndexedWords(db)
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

type Prepared = {
  readonly statement: Database.Statement<Cell[], unknown>
  readonly written: Written | 'anything' | undefined
}

function preparer(db: Database.Database): (sql: string) => Prepared {
  const known = new Map<string, Prepared>()
  return (sql) => {
    const found = known.get(sql)
    if (found) return found
    const made = { statement: db.prepare<Cell[], unknown>(sql), written: writtenBy(sql) }
    if (known.size >= STATEMENT_CACHE) known.delete(known.keys().next().value ?? '')
    known.set(sql, made)
    return made
  }
}

function wrap(db: Database.Database): Db {
  const prepared = preparer(db)
  const caches = new QueryCaches()
  let wrote = false
  /** @param quiet leaves what is kept to the caller */
  function statement(sql: string, quiet: boolean): Prepared['statement'] {
    const { statement: found, written } = prepared(sql)
    if (written !== undefined) {
      wrote = true
      if (!quiet) caches.wrote(written)
    }
    return found
  }
  const doing = (quiet: boolean): Pick<Db, 'all' | 'get' | 'run'> => ({
    all: <T>(sql: string, ...values: Cell[]) => statement(sql, quiet).all(...values) as T[],
    get: <T>(sql: string, ...values: Cell[]) => statement(sql, quiet).get(...values) as Optional<T>,
    run: (sql, ...values) => statement(sql, quiet).run(...values).changes,
  })
  return {
    ...doing(false),
    withoutInvalidation: doing(true),
    cacheOf: (tables) => caches.cacheOf(tables),
    transaction(work) {
      if (!db.inTransaction) wrote = false
      try {
        return db.transaction(work).immediate()
      } catch (error) {
        if (wrote) caches.wrote('anything')
        throw error
      }
    },
    isInTransaction: () => db.inTransaction,
    explain: (sql, ...values) =>
      db
        .prepare<Cell[], { detail: string }>('EXPLAIN QUERY PLAN ' + sql)
        .all(...values)
        .map((step) => step.detail),
    exec(sql) {
      caches.wrote('anything')
      db.exec(sql)
    },
    pragma: (text) => db.pragma(text, { simple: true }),
    close: () => void db.close(),
  }
}
