import { AppError, assert } from '#shared/lib/app-error.ts'
import { asDiskError, isDamage, isDiskTrouble } from '#main/lib/disk-error.ts'
import {
  isDurable,
  openForWriting,
  type Raw,
  type Settings,
  identityOf,
  isSound,
  isUnused,
  isVirtual,
  schemaOf,
  type Depth,
  type SchemaPart,
} from '#main/lib/sqlite/connection.ts'
import { memoryDatabase, type Disk } from '#main/lib/sqlite/disk.ts'
import { backUp, migrate, newestOf, versionOf, type Migration } from '#main/lib/sqlite/migrate.ts'
import { openSql, type Bind } from '#main/lib/sqlite/sql.ts'
import { checked, insertInto, summed, sumOfValues } from './sums.ts'
import { CACHE_MIGRATIONS } from '../migrations/cache.ts'
import { OUTBOX_MIGRATIONS } from '../migrations/outbox.ts'

/**
 * `newer`: of a newer version, and can be set aside because the server has everything; `future`: must not be touched.
 */
export type FileProblem = 'missing' | 'empty' | 'foreign' | 'damaged' | 'other-install' | 'newer' | 'future'

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
  readonly synchronous: Settings['synchronous']
  readonly secureDelete: boolean
  readonly depth: Depth
  /** Read by other connections of this process (the search worker): see docs/adr/0012. */
  readonly hasReaders: boolean
}

const BUSY_MS = 5_000
/** The indexes of a large account; with the default of 2 MiB they are read from disk again and again. */
const CACHE_KIB = 8_192
/** The log of the cache is moved by its worker from this size on (`main/engine/upkeep.ts`). */
export const LOG_LIMIT_BYTES = 4 * 1024 * 1024
/** 64 MiB: in a flood the worker moves all but the end of a log, and only a commit can then begin a new one. */
const CHECKPOINT_PAGES = 16_384

function openFile(disk: Disk, path: string, kind: FileKind): Raw {
  if (!kind.hasReaders) return openAs(disk, path, kind, true)
  try {
    return openAs(disk, path, kind, false)
  } catch (error) {
    // Shared connections need a side file, for which a full disk has no space. A single connection can still read.
    if (!isDiskTrouble(asDiskError(error, path)) || isDamage(error)) throw error
    return openAs(disk, path, kind, true)
  }
}

const openAs = (disk: Disk, path: string, kind: FileKind, isAlone: boolean): Raw =>
  openForWriting(disk, path, {
    busyMs: BUSY_MS,
    synchronous: kind.synchronous,
    cacheKib: CACHE_KIB,
    isAlone,
    shrinks: kind.hasReaders,
    checkpointPages: isAlone ? undefined : CHECKPOINT_PAGES,
    walLimitBytes: LOG_LIMIT_BYTES,
    secureDelete: kind.secureDelete,
  })

export type Inspection = {
  readonly installId: string | undefined
  /** Whether every page is checked. */
  readonly deep: (raw: Raw) => boolean
  /** An additional check of a file that is otherwise good. */
  readonly proof?: (raw: Raw) => boolean
}

/**
 * Checks a file before it is used: its identification, its schema and, if `deep`, every page.
 *
 * @param installId the one in the settings; absent: any of our files is accepted
 */
export function inspect(disk: Disk, path: string, kind: FileKind, options: Inspection): FileProblem | undefined {
  if (!disk.exists(path)) return 'missing'
  if (disk.isFolder(path)) return 'damaged'
  if (disk.size(path) === 0) return 'empty'
  let raw: Raw | undefined
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
  fill: (raw: Raw) => void = () => undefined,
): Raw {
  const isNew = !disk.exists(path) || disk.size(path) === 0
  // SQLite gives its side files the mode of the database, so the database is created first.
  if (isNew) disk.write(path, '')
  disk.protect(path)
  const raw = openFile(disk, path, kind)
  const isReady = !isNew && isPrepared(raw, kind, installId)
  let copy: string | undefined
  try {
    const db = openSql(raw)
    if (!isNew && versionOf(raw) < newestOf(kind.migrations)) copy = backUp(disk, db, path)
    db.transaction(() => {
      raw.pragma(`application_id = ${kind.applicationId}`)
      createTables(raw, kind.migrations)
      putMeta(raw, 'install-id', installId)
      putMeta(raw, 'opened-at', String(now))
      fill(raw)
    })
    assert(isDurable(raw, kind), `${kind.name} must write with synchronous=${kind.synchronous}`)
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

const META = 'CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID'

/** Creates the tables of a new file, or runs the missing migrations of an older one. */
export function createTables(raw: Raw, migrations: readonly Migration[]): void {
  raw.exec(META)
  raw.function('sum_of', { varargs: true, deterministic: true }, (...values: unknown[]) =>
    sumOfValues(values as Bind[]),
  )
  migrate(openSql(raw), migrations)
}

/** Nothing has to be created or migrated. */
function isPrepared(raw: Raw, kind: FileKind, installId: string): boolean {
  try {
    return versionOf(raw) >= newestOf(kind.migrations) && readMeta(raw, 'install-id') === installId
  } catch {
    // Unreadable: the following steps report why.
    return false
  }
}

/** Throws `store/damaged`. */
export function readMeta(raw: Raw, key: string): string | undefined {
  type Stored = { key: string; value: string; sum?: number | null }
  const row = raw.prepare<[string], Stored>('SELECT * FROM meta WHERE key = ?').get(key)
  return row && checked({ damaged: () => new AppError('store/damaged') }, 'meta', row).value
}

export function putMeta(raw: Raw, key: string, value: string): void {
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

function problemOf(raw: Raw, kind: FileKind, options: Inspection): FileProblem | undefined {
  const identity = identityOf(raw)
  const { version, schema } = identity
  if (isUnused(identity)) return 'empty'
  if (identity.applicationId !== kind.applicationId) return 'foreign'
  const head = newestOf(kind.migrations)
  if (generationOf(version) > generationOf(head)) return 'future'
  if (version > head && !kind.onlyAdds) return 'newer'
  if (options.deep(raw) && !isSound(raw, kind.depth, schema)) return 'damaged'
  if (!hasSchema(schema, kind, version) || !answers(raw, schema)) return 'damaged'
  if (options.proof?.(raw) === false) return 'damaged'
  const installId = readMeta(raw, 'install-id')
  // Written in the same commit as the tables.
  if (installId === undefined && version > 0) return 'damaged'
  if (options.installId !== undefined && installId !== options.installId) return 'other-install'
  return undefined
}

const shapeOf = (rows: readonly SchemaPart[]): readonly string[] => rows.map(({ type, name }) => `${type} ${name}`)

/** Migrations never change: the shape of a version is computed once. */
const shapes = new Map<string, readonly string[]>()

/** Versions within one thousand are compatible. */
const generationOf = (version: number): number => Math.floor(version / 1_000)

/** The file's schema is exactly that of its version; a newer version contains at least everything known here. */
function hasSchema(schema: readonly SchemaPart[], kind: FileKind, version: number): boolean {
  const key = `${kind.name} ${version}`
  const shape = shapes.get(key) ?? modelShape(kind, version)
  shapes.set(key, shape)
  if (version <= newestOf(kind.migrations)) return shape.join() === shapeOf(schema).join()
  const held = new Set(shapeOf(schema))
  return shape.every((part) => held.has(part))
}

function modelShape({ migrations }: FileKind, version: number): readonly string[] {
  const model = memoryDatabase()
  try {
    createTables(
      model,
      migrations.filter((migration) => migration.version <= version),
    )
    return shapeOf(schemaOf(model))
  } finally {
    model.close()
  }
}

/** Reads the first and last row of every table: a few pages of each tree. */
function answers(raw: Raw, schema: readonly SchemaPart[]): boolean {
  for (const part of schema) {
    const { type, name } = part
    if (type !== 'table' || isVirtual(part)) continue
    // The name was just compared with our own schema.
    raw.prepare(`SELECT * FROM "${name}" LIMIT 1`).get()
    raw.prepare(`SELECT * FROM "${name}" ORDER BY 1 DESC LIMIT 1`).get()
  }
  return true
}

export const CACHE_FILE: FileKind = {
  name: 'cache.db',
  applicationId: 0x50_52_4c_43,
  migrations: CACHE_MIGRATIONS,
  onlyAdds: false,
  synchronous: 1,
  secureDelete: true,
  depth: 'tables',
  hasReaders: true,
}

/** The user cleared the cache: its absence needs no notice. */
export const CLEARED_FILE = 'cache.cleared'

export const OUTBOX_FILE: FileKind = {
  name: 'outbox.db',
  applicationId: 0x50_52_4c_4f,
  migrations: OUTBOX_MIGRATIONS,
  onlyAdds: true,
  synchronous: 2,
  secureDelete: false,
  depth: 'whole',
  hasReaders: false,
}
