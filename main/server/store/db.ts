import {
  isBusy,
  lockFile,
  openForReading,
  openForWriting,
  type Raw,
  type Settings,
} from '#main/lib/sqlite/connection.ts'
import type { Stop } from '#main/lib/clock.ts'
import { nodeDisk } from '#main/lib/sqlite/disk.ts'
import { openSql, type Bind, type Sql } from '#main/lib/sqlite/sql.ts'
import { createWaitingWrites, type WaitingWrites } from '#main/lib/sqlite/waiting.ts'
import { indexedWords, toWords } from '../messages/words.ts'

export type Cell = Bind
export type Row = Readonly<Record<string, Cell>>

type Statements = Pick<Sql, 'all' | 'get' | 'run'>

/**
 * A workspace's database. A statement that writes a table from which a cache is computed says so: see
 * {@link CachedTable}.
 */
export type Db = Sql & {
  /** Written once for each transaction: what the members of a channel have not read, and its authors have. */
  readonly waiting: WaitingWrites<{ run(): void }>
  /** The index of words, which waits beyond the transaction: see `messages/words.ts`. */
  readonly words: WaitingWrites<{ run(): void }>
  /** False once a full or broken disk has rolled back the running transaction. */
  isInTransaction(): boolean
  close(): void
  /** A new cache, cleared when one of these tables changes: see {@link cacheOf}. */
  createCache<T>(tables: readonly CachedTable[]): QueryCache<T>
  /** Statements that change these tables: clears what is computed from them. */
  changing(...tables: readonly CachedTable[]): Statements
  /** Statements that change cached tables, where the caller updates the caches itself or what they hold stays true. */
  readonly keepingCaches: Statements
}

/** The most cached statements; filters produce new texts, so the oldest are dropped. */
const MAX_STATEMENTS = 400

export const DURABILITY: Settings = {
  /** How long to wait for the locks of a concurrent backup or export. */
  busyMs: 2_000,
  synchronous: 2,
  cacheKib: 16_000,
}

/**
 * Opens the file for reading and writing. The caller holds the lock of the data folder, which excludes another server:
 * without an exclusive lock on the file itself, a backup may read a running workspace.
 */
export function openDb(path: string): Db {
  try {
    const raw = openForWriting(nodeDisk, path, DURABILITY)
    try {
      raw.exec('BEGIN IMMEDIATE; COMMIT')
      registerFunctions(raw)
      return dbOf(raw)
    } catch (error) {
      raw.close()
      throw error
    }
  } catch (error) {
    throw isBusy(error) ? new FolderInUse() : error
  }
}

/** Opens a file for reading: beside a running server, or before anything in it is changed. */
export const openReadOnly = (path: string): Db => dbOf(openForReading(nodeDisk, path, { busyMs: DURABILITY.busyMs }))

export function registerFunctions(raw: Raw): void {
  // the folded words of a text, for filters on keys without a prepared column
  raw.function('fold', { deterministic: true }, (text: unknown) => (typeof text === 'string' ? toWords(text) : ''))
  // the search index entry of a message, for the migration that fills the index
  raw.function('indexed_words', { deterministic: true }, (text: unknown, userId: unknown, cid: unknown) =>
    indexedWords(String(text), String(userId), String(cid)),
  )
}

/** A query of `members` that names neither what is written late nor all columns does not read it. */
const readsLateColumns = (statement: string): boolean =>
  /\bmembers\b/.test(statement) && (!/^\s*SELECT\b/.test(statement) || /unread|last_read|\*/.test(statement))

/** What is deleted leaves the index, by triggers, and messages with their channel. */
const readsWords = (statement: string): boolean =>
  /\bmessage_words\b|^\s*DELETE FROM (messages|channels)\b|^\s*UPDATE messages\b[^]*\bdeleted_at\b/.test(statement)

function dbOf(raw: Raw): Db {
  const caches = new QueryCaches()
  let wrote = false
  const waiting = createWaitingWrites(readsLateColumns)
  const words = createWaitingWrites(readsWords)
  const before = (statement: string): void => {
    waiting.before(statement)
    words.before(statement)
  }
  const sql = openSql(raw, { maxStatements: MAX_STATEMENTS, onWrite: () => (wrote = true), before })

  function outermost<T>(work: () => T, mode?: 'immediate' | 'deferred'): T {
    wrote = false
    const undoWords = words.part()
    try {
      return sql.transaction(() => {
        const result = work()
        waiting.flush()
        return result
      }, mode)
    } catch (error) {
      waiting.drop()
      undoWords()
      throw error
    }
  }
  function nested<T>(work: () => T): T {
    const undos = [waiting.part(), words.part()]
    try {
      return sql.transaction(work)
    } catch (error) {
      for (const undo of undos) undo()
      throw error
    }
  }

  return {
    ...sql,
    waiting,
    words,
    keepingCaches: sql,
    changing(...tables) {
      caches.changed(tables)
      return sql
    },
    createCache: (tables) => caches.create(tables),
    transaction(work, mode) {
      try {
        return raw.inTransaction ? nested(work) : outermost(work, mode)
      } catch (error) {
        // They may hold values of what was undone.
        if (wrote) caches.clear()
        throw error
      }
    },
    isInTransaction: () => raw.inTransaction,
    exec(script) {
      caches.clear()
      sql.exec(script)
    },
    close: () => void raw.close(),
  }
}

/**
 * Holds a data folder for this process. The lock is the system's, on the empty file `server.lock`: see {@link lockFile}.
 *
 * Throws {@link FolderInUse}.
 */
export function lockFolder(folder: string): Stop {
  try {
    return lockFile(nodeDisk, `${folder}/server.lock`)
  } catch (error) {
    throw isBusy(error) ? new FolderInUse() : error
  }
}

/**
 * Tables from which caches are computed. Each statement that writes one of them says so, by `changing` or
 * `keepingCaches` of the database; `query-cache.test.ts` looks for one that does not.
 */
export type CachedTable =
  | 'members'
  | 'channels'
  | 'channel_mutes'
  | 'settings'
  | 'users'
  | 'segment_targets'
  | 'integrations'

/** Values computed from tables, cached by key. */
type QueryCache<T> = Map<string, T>

/** A cache of each database for values computed from these tables, created when it is first asked for. */
export function cacheOf<T>(tables: readonly CachedTable[]): (db: Db) => QueryCache<T> {
  const byDb = new WeakMap<Db, QueryCache<T>>()
  return (db) => {
    const cache = byDb.get(db) ?? db.createCache<T>(tables)
    byDb.set(db, cache)
    return cache
  }
}

/** Every {@link QueryCache} of one database. */
class QueryCaches {
  readonly #all: { readonly tables: ReadonlySet<CachedTable>; readonly cache: QueryCache<unknown> }[] = []

  create<T>(tables: readonly CachedTable[]): QueryCache<T> {
    const cache: QueryCache<T> = new Map()
    this.#all.push({ tables: new Set(tables), cache })
    return cache
  }

  changed(written: readonly CachedTable[]): void {
    for (const { tables, cache } of this.#all) if (written.some((table) => tables.has(table))) cache.clear()
  }

  clear(): void {
    for (const { cache } of this.#all) cache.clear()
  }
}

/** A reason why a data folder cannot be opened. The message is shown to users and says what to do. */
export class StoreProblem extends Error {
  readonly kind: 'in-use' | 'too-new' | 'foreign' | 'damaged' | 'vanished' | 'replaced' | 'not-migrated'

  constructor(kind: StoreProblem['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreProblem'
    this.kind = kind
  }
}

/** Another process holds the data folder. */
class FolderInUse extends StoreProblem {
  constructor() {
    super('in-use', 'The data folder is used by another Parlor server. Stop it first, or choose another folder.')
  }
}

/** The file was written by a newer Parlor. */
export class StoreTooNew extends StoreProblem {
  constructor() {
    super(
      'too-new',
      'The data folder was written by a newer Parlor, and nothing in it was changed. Use that version, or another folder.',
    )
  }
}

const HELP =
  'Nothing was changed. Put a backup in its place with "npm run server -- restore FILE --force", or keep what can still be read with "npm run server -- salvage"'

export const damaged = (cause?: unknown): StoreProblem =>
  new StoreProblem('damaged', `The data folder holds a damaged server.db. ${HELP}.`, cause)

export const foreign = (): StoreProblem =>
  new StoreProblem('foreign', 'server.db in the data folder is not a file of Parlor. Choose another folder.')

export const vanished = (): StoreProblem =>
  new StoreProblem(
    'vanished',
    'server.db is gone or empty, though this folder has held a workspace. Put it back, restore a backup with "npm run server -- restore FILE --force", or remove the file workspace-id to begin anew.',
  )

export const replaced = (): StoreProblem =>
  new StoreProblem(
    'replaced',
    'server.db belongs to another workspace than this folder. Put the right file back, or remove the file workspace-id to go on with this one.',
  )

export const notMigrated = (cause: unknown): StoreProblem =>
  new StoreProblem(
    'not-migrated',
    `server.db could not be brought to this version of Parlor. Nothing was changed: the older Parlor can still open it. (${cause instanceof Error ? cause.message : 'unknown reason'})`,
    cause,
  )
