import Database from 'better-sqlite3'
import { dirname } from 'node:path'
import { AppError, assert } from '#shared/lib/app-error.ts'
import type { Disk } from './disk.ts'
import { headOf, migrate, versionOf, type Migration } from '../migrate.ts'
import { checked, insertInto, summed } from './sums.ts'
import { asDiskError, isDamage, isDiskTrouble } from '#main/lib/disk-error.ts'

/** `newer`: of a newer version that this one may put aside, because the server has all of it; `future`: not to be touched. */
export type FileProblem = 'missing' | 'empty' | 'foreign' | 'damaged' | 'other-install' | 'newer' | 'future'

export type Raw = Database.Database

/** What one of the two databases is: its marks, its schema, and how hard it writes. */
export type FileKind = {
  readonly name: 'cache.db' | 'outbox.db'
  /** SQLite's `application_id`: tells our file from any other. */
  readonly applicationId: number
  readonly migrations: readonly Migration[]
  /**
   * Within a thousand of version numbers its migrations only add, so that an older Parlor opens what a newer one left,
   * and goes on with it.
   */
  readonly onlyAdds: boolean
  /** 1 NORMAL, 2 FULL. */
  readonly synchronous: 1 | 2
  readonly secureDelete: boolean
  /** Its check looks at all there is, each index against its table too: for files that stay small. */
  readonly isCheckedWhole: boolean
  /** Other connections of this process read it (the search worker): see docs/adr/0012. */
  readonly hasReaders: boolean
}

const BUSY_MS = 5_000
/** SQLite's number for it. */
const INCREMENTAL = 2
const LOG_LIMIT_BYTES = 4 * 1024 * 1024
const TABLES = `SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name`

/** Opens and sets what holds for the connection. */
function openRaw(disk: Disk, path: string, kind: FileKind): Database.Database {
  if (!kind.hasReaders) return openAs(disk, path, kind, true)
  try {
    return openAs(disk, path, kind, false)
  } catch (error) {
    // What several connections share needs a file beside it, for which a full disk has no room. Alone it can be read.
    if (!isDiskTrouble(asDiskError(error, path)) || isDamage(error)) throw error
    return openAs(disk, path, kind, true)
  }
}

/** No one else may open it: its locks are taken once, and not with every statement. */
export const isAlone = (raw: Raw): boolean => raw.pragma('locking_mode', { simple: true }) === 'exclusive'

function openAs(disk: Disk, path: string, kind: FileKind, alone: boolean): Raw {
  const raw = disk.open(path, { timeout: BUSY_MS })
  try {
    // Before anything is read: what several connections share is made with the first look.
    if (alone) raw.pragma('locking_mode = EXCLUSIVE')
    // Only a file without tables takes this: pages that retention frees can be given back bit by bit.
    // Saying it again would write it again.
    if (kind.hasReaders && raw.pragma('auto_vacuum', { simple: true }) !== INCREMENTAL)
      raw.pragma('auto_vacuum = INCREMENTAL')
    raw.pragma('journal_mode = WAL')
    // After a burst the log shrinks to this when it is begun again.
    raw.pragma(`journal_size_limit = ${LOG_LIMIT_BYTES}`)
    raw.pragma(`synchronous = ${kind.synchronous}`)
    raw.pragma('foreign_keys = ON')
    // 8 MiB: the indexes of a large account; with the 2 MiB of the default they are read from the disk again and again.
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
  /** Whether every page is looked at. */
  readonly deep: (raw: Raw) => boolean
  /** What else must hold of a file that is otherwise good. */
  readonly proof?: (raw: Raw) => boolean
}

/**
 * Looks at a file before anything relies on it. Opening proves nothing: SQLite opens an empty file and most damaged
 * ones, so marks, schema and, when `deep`, every page are looked at.
 *
 * @param installId the one settings remember; absent means that any of ours is welcome
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
 * Creates or updates the schema, marks the file, and proves that the next commit is as durable as promised.
 *
 * @param fill writes what a new file must hold from its first commit on: a start that is killed leaves it empty or whole
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
  // SQLite gives its side files the mode of the database, so that one is made first.
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
    // better-sqlite3 reports the compiled default until the first write, so the check stands after one.
    const synchronous = raw.pragma('synchronous', { simple: true })
    assert(synchronous === kind.synchronous, `${kind.name} must write with synchronous=${kind.synchronous}`)
    return raw
  } catch (thrown) {
    const error = asDiskError(thrown, path)
    // What it was to note can wait: what is there is read, and what cannot be written is refused where it is asked for.
    if (isReady && error instanceof AppError && error.code === 'disk/full') return raw
    raw.close()
    // The file is as it was, and room may be what is missing.
    if (copy !== undefined) disk.remove(copy)
    throw error
  }
}

/** Nothing of it has to be made or changed. */
function isPrepared(raw: Raw, kind: FileKind, installId: string): boolean {
  try {
    return versionOf(raw) >= headOf(kind.migrations) && readMeta(raw, 'install-id') === installId
  } catch {
    // Not readable: what follows says why.
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

/** The install id inside a file that may be anything; `undefined` when it cannot be read. */
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
    // Only a hint: what is wrong with the file is found and reported by `inspect`.
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
  // It is written together with the tables.
  if (installId === undefined && version > 0) return 'damaged'
  if (options.installId !== undefined && installId !== options.installId) return 'other-install'
  return undefined
}

type SchemaRow = { type: string; name: string; sql: string | null }

function schemaOf(raw: Database.Database): readonly SchemaRow[] {
  return raw.prepare<[], SchemaRow>(TABLES).all()
}

const shapeOf = (rows: readonly SchemaRow[]): readonly string[] => rows.map(({ type, name }) => `${type} ${name}`)

/** Migrations never change: what a version looks like is found out once. */
const shapes = new Map<string, readonly string[]>()

/** Versions of one thousand belong together. */
const generationOf = (version: number): number => Math.floor(version / 1_000)

/** The file's schema is exactly what its version says; that of a newer version holds at least all that is known here. */
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
 * Table by table: without names SQLite also compares every word of a full-text index, which takes minutes where the rest
 * takes a second. The tables that index consists of are looked at like any other. A file that
 * stays small is looked at as a whole: its indexes, its list of free pages and what SQLite keeps for itself as well.
 */
function isSound(raw: Raw, { isCheckedWhole }: FileKind, schema: readonly SchemaRow[]): boolean {
  if (isCheckedWhole) return raw.pragma('integrity_check', { simple: true }) === 'ok'
  return schema
    .filter((row) => row.type === 'table' && !isVirtual(row))
    .every(({ name }) => raw.pragma(`quick_check("${name}")`, { simple: true }) === 'ok')
}

/** Every table gives its first and last row: reads a few pages of each tree. */
function answers(raw: Database.Database, schema: readonly SchemaRow[]): boolean {
  for (const row of schema) {
    const { type, name } = row
    if (type !== 'table' || isVirtual(row)) continue
    // The name is one of our own schema's: it was just compared with it.
    raw.prepare(`SELECT * FROM "${name}" LIMIT 1`).get()
    raw.prepare(`SELECT * FROM "${name}" ORDER BY 1 DESC LIMIT 1`).get()
  }
  return true
}

/** A copy of the file as it was, beside it, before its schema moves on. */
function backUp(disk: Disk, raw: Database.Database, path: string): string {
  raw.pragma('wal_checkpoint(TRUNCATE)')
  const copy = `${path}.backup-${versionOf(raw)}`
  try {
    disk.copy(path, copy)
  } catch (error) {
    // Half of one takes room that is missing, and helps nobody.
    disk.remove(copy)
    throw error
  }
  disk.protect(copy)
  disk.syncFolder(dirname(path))
  return copy
}
