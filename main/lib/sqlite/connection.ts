import Database from 'better-sqlite3'
import type { Stop } from '../clock.ts'
import { codeOf } from '../disk-error.ts'
import type { Disk } from './disk.ts'
import { versionOf } from './migrate.ts'

/** An open database. */
export type Raw = Database.Database

/** A database is these files; the first is the database itself. */
export const SIDES = ['', '-wal', '-shm'] as const

export type Settings = {
  /** How long a statement waits for the locks of other connections. */
  readonly busyMs: number
  /** SQLite's values. 1: NORMAL, a power failure may undo the last commits; 2: FULL, a commit is on disk. */
  readonly synchronous: 1 | 2
  readonly cacheKib: number
  /** No other connection can open the file: it is locked once, and not with every statement. */
  readonly isAlone?: boolean
  /** Pages freed by deleted rows can be returned to the disk step by step. Only applies to a file without tables. */
  readonly shrinks?: boolean
  /** Pages of the WAL from which on a commit moves them into the database itself. Absent: SQLite's thousand. */
  readonly checkpointPages?: number
  /** The WAL is truncated to this size when it restarts after a burst. */
  readonly walLimitBytes?: number
  /** Overwrites deleted content. */
  readonly secureDelete?: boolean
}

/** SQLite's value of `auto_vacuum`. */
const INCREMENTAL = 2

/** Opens or creates a database for writing. */
export function openForWriting(disk: Disk, path: string, settings: Settings): Raw {
  return orClose(disk.open(path, { timeout: settings.busyMs }), (raw) => {
    // Before the first read: this creates the shared memory of several connections.
    if (settings.isAlone) raw.pragma('locking_mode = EXCLUSIVE')
    // Setting it again would write to the file.
    if (settings.shrinks && raw.pragma('auto_vacuum', { simple: true }) !== INCREMENTAL)
      raw.pragma('auto_vacuum = INCREMENTAL')
    raw.pragma('journal_mode = WAL')
    if (settings.walLimitBytes !== undefined) raw.pragma(`journal_size_limit = ${settings.walLimitBytes}`)
    if (settings.checkpointPages !== undefined) raw.pragma(`wal_autocheckpoint = ${settings.checkpointPages}`)
    raw.pragma(`synchronous = ${settings.synchronous}`)
    raw.pragma('foreign_keys = ON')
    raw.pragma(`cache_size = -${settings.cacheKib}`)
    protect(raw)
    if (settings.secureDelete !== undefined) raw.pragma(`secure_delete = ${settings.secureDelete ? 'ON' : 'OFF'}`)
  })
}

/** Opens an existing database beside its writer, to move its log: what this writes is on disk before the log ends. */
export function openForCheckpoints(disk: Disk, path: string): Raw {
  return orClose(disk.open(path, { fileMustExist: true, timeout: 0 }), (raw) => {
    raw.pragma('synchronous = NORMAL')
    protect(raw)
  })
}

/** Opens an existing database beside its writer, or before anything in it is changed. */
export function openForReading(
  disk: Disk,
  path: string,
  settings: Pick<Settings, 'busyMs'> & Partial<Pick<Settings, 'cacheKib'>>,
): Raw {
  return orClose(disk.open(path, { readonly: true, fileMustExist: true, timeout: settings.busyMs }), (raw) => {
    raw.pragma('query_only = ON')
    if (settings.cacheKib !== undefined) raw.pragma(`cache_size = -${settings.cacheKib}`)
    protect(raw)
  })
}

/** Damaged bytes are found when they are read, and a foreign schema runs none of our functions. */
function protect(raw: Raw): void {
  raw.pragma('trusted_schema = OFF')
  raw.pragma('cell_size_check = ON')
}

function orClose(raw: Raw, configure: (raw: Raw) => void): Raw {
  try {
    configure(raw)
    return raw
  } catch (error) {
    raw.close()
    throw error
  }
}

export const isAlone = (raw: Raw): boolean => raw.pragma('locking_mode', { simple: true }) === 'exclusive'

/**
 * Whether commits are as durable as the settings say: some builds of SQLite lower `synchronous` in WAL mode. Call it
 * after a write, since better-sqlite3 reports the compiled default until then.
 */
export const isDurable = (raw: Raw, { synchronous }: Pick<Settings, 'synchronous'>): boolean =>
  raw.pragma('synchronous', { simple: true }) === synchronous

export const isSqliteError = (error: unknown): error is Error => error instanceof Database.SqliteError

/** Another connection holds the lock. */
export const isBusy = (error: unknown): boolean => codeOf(error)?.startsWith('SQLITE_BUSY') === true

/**
 * Takes a lock of the system on an empty file, for as long as this process runs or until the result is called. It is
 * released with the process, however that ends, and never goes stale. Throws an error that {@link isBusy} recognizes.
 */
export function lockFile(disk: Disk, path: string): Stop {
  const lock = orClose(disk.open(path, { timeout: 0 }), (raw) => void raw.exec('BEGIN EXCLUSIVE'))
  return () => void lock.close()
}

/** A table, index or trigger of a file. */
export type SchemaPart = { readonly type: string; readonly name: string; readonly sql: string | null }

/** What a file says about itself. */
type Identity = {
  /** SQLite's `application_id`: distinguishes our files from any other. */
  readonly applicationId: number
  readonly version: number
  readonly schema: readonly SchemaPart[]
}

const SCHEMA = `SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name`

/**
 * Opening proves nothing: SQLite opens an empty file and most damaged ones. So this, and {@link isSound}, are compared
 * before anything is written.
 */
export function identityOf(raw: Raw): Identity {
  return {
    applicationId: Number(raw.pragma('application_id', { simple: true })),
    version: versionOf(raw),
    schema: schemaOf(raw),
  }
}

export const schemaOf = (raw: Raw): readonly SchemaPart[] => raw.prepare<[], SchemaPart>(SCHEMA).all()

/** A database that nothing was ever written to. */
export const isUnused = ({ applicationId, version, schema }: Identity): boolean =>
  applicationId === 0 && version === 0 && schema.length === 0

/** Whose content is elsewhere: in separate tables, or nowhere. */
export const isVirtual = ({ sql }: SchemaPart): boolean => sql?.startsWith('CREATE VIRTUAL') === true

/**
 * `whole`: every page, each index against its table, the free list, and SQLite's own tables: for small files.
 * `pages`: every page, and the words of full-text indexes.
 * `tables`: every page of every table. SQLite otherwise compares each word of a full-text index, which takes minutes
 * instead of a second; the underlying tables of that index are checked like any other.
 */
export type Depth = 'whole' | 'pages' | 'tables'

/** Checks the pages of a file. Throws an error of SQLite if it cannot even be read so far. */
export function isSound(raw: Raw, depth: Depth, schema = schemaOf(raw)): boolean {
  if (depth === 'whole') return raw.pragma('integrity_check', { simple: true }) === 'ok'
  if (depth === 'pages') return raw.pragma('quick_check', { simple: true }) === 'ok'
  return schema
    .filter((part) => part.type === 'table' && !isVirtual(part))
    .every(({ name }) => raw.pragma(`quick_check("${name}")`, { simple: true }) === 'ok')
}

/**
 * Reads a damaged table as far as its pages are readable, in each way in turn: one way ends at a bad page, and another
 * one from the other end reaches the rows behind it. Rows may come more than once. What `take` throws is thrown.
 *
 * @param ways queries of the same rows in different orders
 */
export function readEachWay<Row>(ways: readonly (() => Iterable<Row>)[], take: (row: Row) => void): void {
  for (const way of ways) {
    const rows = unlessUnreadable(() => way()[Symbol.iterator]())
    if (rows === undefined) continue
    try {
      for (let next = step(rows); next !== undefined; next = step(rows)) take(next.value)
    } finally {
      rows.return?.()
    }
  }
}

function step<Row>(rows: Iterator<Row>): { readonly value: Row } | undefined {
  const next = unlessUnreadable(() => rows.next())
  return next === undefined || next.done === true ? undefined : { value: next.value }
}

function unlessUnreadable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!isSqliteError(error)) throw error
    return undefined
  }
}

/** Moves a database with its side files. */
export function moveDatabase(disk: Disk, from: string, to: string): void {
  for (const side of SIDES) if (disk.exists(from + side)) disk.rename(from + side, to + side)
}

export function removeDatabase(disk: Disk, path: string): void {
  for (const side of SIDES) disk.remove(path + side)
}
