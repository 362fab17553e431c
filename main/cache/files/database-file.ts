import Database from 'better-sqlite3'
import { dirname } from 'node:path'
import { AppError, assert } from '#shared/lib/app-error.ts'
import type { Disk } from './disk.ts'
import { headOf, migrate, versionOf, type Migration } from '../migrate.ts'
import { checked, insertInto, summed } from './sums.ts'
import { asDiskError, isDamage, isDiskTrouble } from '#main/lib/disk-error.ts'

/**
 * `newer`: of a newer version, and can be set aside because the server has everything; `future`: must not be touched.
 */
export type FileProblem = 'missing' | 'empty' | 'foreign' | 'damaged' | 'other-install' | 'newer' | 'future'

export type Raw = Database.Database

/** Definition of one of the two databases: its identification, its schema, and its durability. */
export type FileKind = {
  readonly name: 'cache.db' | 'outbox.db'
  /** SQLite's `application_id`: distinguishes our file from any other. */
  readonly applicationId: number
  readonly migrations: readonly Migration[]
  /**
   * Migrations within a thousand of version numbers only add, so that an older Parlor can open and use a newer file.
   */
  readonly onlyAdds: boolean
  /** 1 NORMAL, 2 FULL. */
  readonly synchronous: 1 | 2
  readonly secureDelete: boolean
  /** The check covers everything, including each index against its table: for files that stay small. */
  readonly isCheckedWhole: boolean
  /** Read by other connections of this process (the search worker): see docs/adr/0012. */
  readonly hasReaders: boolean
}

const BUSY_MS = 5_000
/** SQLite's value of the mode. */
const INCREMENTAL = 2
const LOG_LIMIT_BYTES = 4 * 1024 * 1024
const TABLES = `SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name`

/** Opens the file and configures the connection. */
function openRaw(disk: Disk, path: string, kind: FileKind): Database.Database {
  if (!kind.hasReaders) return openAs(disk, path, kind, true)
  try {
    return openAs(disk, path, kind, false)
  } catch (error) {
    // Shared connections need a side file, for which a full disk has no space. A single connection can still read.
    if (!isDiskTrouble(asDiskError(error, path)) || isDamage(error)) throw error
    return openAs(disk, path, kind, true)
  }
}

/** No other connection can open the file: it is locked once, and not with every statement. */
export const isAlone = (raw: Raw): boolean => raw.pragma('locking_mode', { simple: true }) === 'exclusive'

function openAs(disk: Disk, path: string, kind: FileKind, alone: boolean): Raw {
  const raw = disk.open(path, { timeout: BUSY_MS })
  try {
    // Before the first read: this creates the shared memory of several connections.
    if (alone) raw.pragma('locking_mode = EXCLUSIVE')
    // Only applies to a file without tables: pages freed by retention can be returned incrementally. Setting it again
    // would write to the file.
    if (kind.hasReaders && raw.pragma('auto_vacuum', { simple: true }) !== INCREMENTAL)
      raw.pragma('auto_vacuum = INCREMENTAL')
    raw.pragma('journal_mode = WAL')
    // The WAL is truncated to this size when it restarts after a burst.
    raw.pragma(`journal_size_limit = ${LOG_LIMIT_BYTES}`)
    raw.pragma(`synchronous = ${kind.synchronous}`)
    raw.pragma('foreign_keys = ON')
    // 8 MiB: the indexes of a large account; with the default of 2 MiB they are read from disk again and again.
    raw.pragma('cache_size = -8192')
    raw.pragma('trusted_schema = OFF')
    raw.pragma('cell_size_check = ON')
    raw.pragma(`secure_delete = ${kind.secureDelete ? 'ON' : 'OFF'}`)
    return raw
  } catch (error) {
    raw.close()
    throw error
  }
}

export type Inspection = {
  readonly installId: string | undefined
  /** Whether every page is checked. */
  readonly deep: (raw: Raw) => boolean
  /** An additional check of a file that is otherwise good. */
  readonly proof?: (raw: Raw) => boolean
}

/**
 * Checks a file before it is used. Opening proves nothing: SQLite opens an empty file and most damaged ones, so the
 * identification, the schema and, if `deep`, every page are checked.
 *
 * @param installId the one in the settings; absent: any of our files is accepted
 */
export function inspect(disk: Disk, path: string, kind: FileKind, options: Inspection): FileProblem | undefined {
  if (!disk.exists(path)) return 'missing'
  if (disk.isFolder(path)) return 'damaged'
  if (disk.size(path) === 0) return 'empty'
  let raw: Database.Database | undefined
  try {
    raw = disk.open(path, { timeout: BUSY_MS })
    raw.pragma('locking_mode = EXCLUSIVE')
    raw.pragma('cell_size_check = ON')
    return problemOf(raw, kind, options)
  } catch (error) {
    if (isDamage(error)) return 'damaged'
    throw asDiskError(error, path)
  } finally {
    raw?.close()
  }
}

/**
 * Creates or migrates the schema, identifies the file, and verifies the durability of commits.
 *
 * @param fill writes the content of a new file in its first commit: a start that is killed leaves it either empty or
 * complete
 */
export function prepare(
  disk: Disk,
  path: string,
  kind: FileKind,
  installId: string,
  now: number,
  fill: (raw: Database.Database) => void = () => undefined,
): Database.Database {
  const isNew = !disk.exists(path) || disk.size(path) === 0
  // SQLite gives its side files the mode of the database, so the database is created first.
  if (isNew) disk.write(path, '')
  disk.protect(path)
  const raw = openRaw(disk, path, kind)
  const isReady = !isNew && isPrepared(raw, kind, installId)
  let copy: string | undefined
  try {
    if (!isNew && versionOf(raw) < headOf(kind.migrations)) copy = backUp(disk, raw, path)
    raw
      .transaction(() => {
        raw.pragma(`application_id = ${kind.applicationId}`)
        raw.exec('CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID')
        migrate(raw, kind.migrations)
        putMeta(raw, 'install-id', installId)
        putMeta(raw, 'opened-at', String(now))
        fill(raw)
      })
      .immediate()
    // better-sqlite3 reports the compiled default until the first write, so this is checked after one.
    const synchronous = raw.pragma('synchronous', { simple: true })
    assert(synchronous === kind.synchronous, `${kind.name} must write with synchronous=${kind.synchronous}`)
    return raw
  } catch (thrown) {
    const error = asDiskError(thrown, path)
    // The metadata can be written later: the file is readable, and later writes report the full disk.
    if (isReady && error instanceof AppError && error.code === 'disk/full') return raw
    raw.close()
    // The file is unchanged, and the backup may take the missing space.
    if (copy !== undefined) disk.remove(copy)
    throw error
  }
}

/** Nothing has to be created or migrated. */
function isPrepared(raw: Raw, kind: FileKind, installId: string): boolean {
  try {
    return versionOf(raw) >= headOf(kind.migrations) && readMeta(raw, 'install-id') === installId
  } catch {
    // Unreadable: the following steps report why.
    return false
  }
}

/** Throws `store/damaged`. */
export function readMeta(raw: Database.Database, key: string): string | undefined {
  type Stored = { key: string; value: string; sum?: number | null }
  const row = raw.prepare<[string], Stored>('SELECT * FROM meta WHERE key = ?').get(key)
  return row && checked({ damaged: () => new AppError('store/damaged') }, 'meta', row).value
}

export function putMeta(raw: Database.Database, key: string, value: string): void {
  raw.prepare(insertInto('meta')).run(...summed('meta', { key, value }))
}

/** The install id in any file; `undefined` if it cannot be read. */
export function peekInstallId(disk: Disk, path: string): string | undefined {
  if (!disk.exists(path) || disk.isFolder(path) || disk.size(path) === 0) return undefined
  try {
    const raw = disk.open(path, { readonly: true })
    try {
      return readMeta(raw, 'install-id')
    } finally {
      raw.close()
    }
  } catch {
    // Only a hint: problems of the file are reported by `inspect`.
    return undefined
  }
}

function problemOf(raw: Database.Database, kind: FileKind, options: Inspection): FileProblem | undefined {
  const applicationId = Number(raw.pragma('application_id', { simple: true }))
  const version = versionOf(raw)
  const schema = schemaOf(raw)
  if (applicationId === 0 && version === 0 && schema.length === 0) return 'empty'
  if (applicationId !== kind.applicationId) return 'foreign'
  const head = headOf(kind.migrations)
  if (generationOf(version) > generationOf(head)) return 'future'
  if (version > head && !kind.onlyAdds) return 'newer'
  if (options.deep(raw) && !isSound(raw, kind, schema)) return 'damaged'
  if (!hasSchema(schema, kind, version) || !answers(raw, schema)) return 'damaged'
  if (options.proof?.(raw) === false) return 'damaged'
  const installId = readMeta(raw, 'install-id')
  // Written in the same commit as the tables.
  if (installId === undefined && version > 0) return 'damaged'
  if (options.installId !== undefined && installId !== options.installId) return 'other-install'
  return undefined
}

type SchemaRow = { type: string; name: string; sql: string | null }

function schemaOf(raw: Database.Database): readonly SchemaRow[] {
  return raw.prepare<[], SchemaRow>(TABLES).all()
}

const shapeOf = (rows: readonly SchemaRow[]): readonly string[] => rows.map(({ type, name }) => `${type} ${name}`)

/** Migrations never change: the shape of a version is computed once. */
const shapes = new Map<string, readonly string[]>()

/** Versions within one thousand are compatible. */
const generationOf = (version: number): number => Math.floor(version / 1_000)

/** The file's schema is exactly that of its version; a newer version contains at least everything known here. */
function hasSchema(schema: readonly SchemaRow[], kind: FileKind, version: number): boolean {
  const key = `${kind.name} ${version}`
  const shape = shapes.get(key) ?? modelShape(kind, version)
  shapes.set(key, shape)
  if (version <= headOf(kind.migrations)) return shape.join() === shapeOf(schema).join()
  const held = new Set(shapeOf(schema))
  return shape.every((part) => held.has(part))
}

function modelShape(kind: FileKind, version: number): readonly string[] {
  const model = new Database(':memory:')
  try {
    model.exec('CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID')
    migrate(
      model,
      kind.migrations.filter((migration) => migration.version <= version),
    )
    return shapeOf(schemaOf(model))
  } finally {
    model.close()
  }
}

const isVirtual = ({ sql }: SchemaRow): boolean => sql?.startsWith('CREATE VIRTUAL') === true

/**
 * Checks table by table: without names SQLite also compares every word of a full-text index, which takes minutes
 * instead of a second. The underlying tables of that index are checked like any other. A small file is checked as a
 * whole: including its indexes, its free list and SQLite's own tables.
 */
function isSound(raw: Raw, { isCheckedWhole }: FileKind, schema: readonly SchemaRow[]): boolean {
  if (isCheckedWhole) return raw.pragma('integrity_check', { simple: true }) === 'ok'
  return schema
    .filter((row) => row.type === 'table' && !isVirtual(row))
    .every(({ name }) => raw.pragma(`quick_check("${name}")`, { simple: true }) === 'ok')
}

/** Reads the first and last row of every table: a few pages of each tree. */
function answers(raw: Database.Database, schema: readonly SchemaRow[]): boolean {
  for (const row of schema) {
    const { type, name } = row
    if (type !== 'table' || isVirtual(row)) continue
    // The name was just compared with our own schema.
    raw.prepare(`SELECT * FROM "${name}" LIMIT 1`).get()
    raw.prepare(`SELECT * FROM "${name}" ORDER BY 1 DESC LIMIT 1`).get()
  }
  return true
}

/** A backup of the file next to it, before its schema is migrated. */
function backUp(disk: Disk, raw: Database.Database, path: string): string {
  raw.pragma('wal_checkpoint(TRUNCATE)')
  const copy = `${path}.backup-${versionOf(raw)}`
  try {
    disk.copy(path, copy)
  } catch (error) {
    // A partial backup is useless and takes the missing space.
    disk.remove(copy)
    throw error
  }
  disk.protect(copy)
  disk.syncFolder(dirname(path))
  return copy
}
