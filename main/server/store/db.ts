import Database from 'better-sqlite3'
import { indexedWords } from '../messages/index-words.ts'
import { toWords } from '../messages/word-folding.ts'
import { QueryCaches, writtenBy, type QueryCache, type Written } from './query-cache.ts'
import { FolderInUse } from './problems.ts'

export type Cell = string | number | null
export type Row = Readonly<Record<string, Cell>>

type Optional<T> = T | undefined

/**
 * The only owner of a database handle. Statements are prepared once per text; texts come from constants and from
 * the filter compiler, which only joins constants: values are always bound.
 */
export type Db = {
  all<T = Row>(sql: string, ...values: Cell[]): T[]
  get<T = Row>(sql: string, ...values: Cell[]): Optional<T>
  /** Returns the number of changed rows. */
  run(sql: string, ...values: Cell[]): number
  /** Runs `work` in one immediate transaction: all of it is on disk when this returns, or nothing is. */
  transaction<T>(work: () => T): T
  /** False once a full or broken disk has rolled back the running transaction. */
  isInTransaction(): boolean
  /** The plan of a query, one line per step. For tests. */
  explain(sql: string, ...values: Cell[]): string[]
  exec(sql: string): void
  pragma(text: string): unknown
  close(): void
  /** A cache for values computed from tables; it is cleared when they are written or a transaction is rolled back. */
  cacheOf<T>(tables: readonly string[]): QueryCache<T>
  /** Writes after which the caller updates the caches itself. */
  readonly withoutInvalidation: Pick<Db, 'all' | 'get' | 'run'>
}

/** The most cached statements; filters produce new texts, so the oldest are dropped. */
const STATEMENT_CACHE = 400

/** How long to wait for the locks of a concurrent backup or export. */
const BUSY_MS = 2_000

/** Opens the file for reading and writing. The caller holds the lock of the data folder. */
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

/** Opens a file for reading: beside a running server, or before anything in it is changed. */
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

/**
 * Without an exclusive lock, so that a backup may read a running workspace. The folder's lock excludes another server.
 */
function setPragmas(db: Database.Database): void {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('trusted_schema = OFF')
  db.pragma('cell_size_check = ON')
  db.pragma('cache_size = -16000')
  db.exec('BEGIN IMMEDIATE; COMMIT')
  // the folded words of a text, for filters on keys without a prepared column
  db.function('fold', { deterministic: true }, (text: unknown) => (typeof text === 'string' ? toWords(text) : ''))
  registerIndexedWords(db)
}

/** The search index entry of a message as an SQL function, for the migration that fills the index. */
export function registerIndexedWords(db: Database.Database): void {
  db.function('indexed_words', { deterministic: true }, (text: unknown, userId: unknown, cid: unknown) =>
    indexedWords(String(text), String(userId), String(cid)),
  )
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
  /** @param quiet leaves caches to the caller */
  function statement(sql: string, quiet: boolean): Prepared['statement'] {
    const { statement: found, written } = prepared(sql)
    if (written !== undefined) {
      wrote = true
      if (!quiet) caches.wrote(written)
    }
    return found
  }
  const methods = (quiet: boolean): Pick<Db, 'all' | 'get' | 'run'> => ({
    all: <T>(sql: string, ...values: Cell[]) => statement(sql, quiet).all(...values) as T[],
    get: <T>(sql: string, ...values: Cell[]) => statement(sql, quiet).get(...values) as Optional<T>,
    run: (sql, ...values) => statement(sql, quiet).run(...values).changes,
  })
  return {
    ...methods(false),
    withoutInvalidation: methods(true),
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
