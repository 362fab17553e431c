import Database from 'better-sqlite3'

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

/** Somebody else holds the data folder. */
export class FolderInUse extends Error {
  constructor() {
    super('the data folder is used by another Parlor server')
    this.name = 'FolderInUse'
  }
}

/** Prepared texts kept; filters make new ones, so the oldest leave. */
const STATEMENT_CACHE = 400

export function openDb(path: string): Db {
  const db = new Database(path, { timeout: 0 })
  try {
    setPragmas(db)
  } catch (error) {
    db.close()
    if (isBusy(error)) throw new FolderInUse()
    throw error
  }
  return wrap(db)
}

/** Exclusive locking keeps a second server out of the folder: the lock is the system's and ends with the process. */
function setPragmas(db: Database.Database): void {
  db.pragma('locking_mode = EXCLUSIVE')
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('cache_size = -16000')
  db.exec('BEGIN IMMEDIATE; COMMIT')
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
