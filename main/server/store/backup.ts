import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  chmodSync,
  closeSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isDamage, codeOf } from '#main/lib/disk-error.ts'
import { openForReading, isSqliteError, type Raw } from '#main/lib/sqlite/connection.ts'
import { nodeDisk } from '#main/lib/sqlite/disk.ts'
import { versionOf } from '#main/lib/sqlite/migrate.ts'
import { lockFolder, openReadOnly, type Db, damaged, StoreProblem } from './db.ts'
import { inspect, readMeta, writeWorkspaceId } from './open.ts'
import { allUploadBytes, allUploadIds } from '../uploads/upload-files.ts'
import { createHash } from 'node:crypto'

/** A command cannot be carried out. The message is shown to users. */
export class NotDone extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotDone'
  }
}

/** A command cannot be carried out for want of space. Like the error of the system, and before anything is written. */
class NoRoom extends NotDone {
  readonly code = 'ENOSPC'

  constructor(folder: string, bytes: number) {
    super(
      `There is not enough space in ${folder}: about ${Math.ceil(bytes / MB)} MB are needed. Free some, then try again.`,
    )
  }
}

const MB = 1_000_000

type BackupReport = { readonly uploads: number; readonly missing: number; readonly schema: number }

/** All pages in one step: a server that writes meanwhile cannot restart the copy. */
const ALL_PAGES = 2 ** 30

/**
 * Copies a workspace into one file, with or without a running server: first the database, by SQLite's backup at one
 * moment, then the uploads that this copy refers to. Keys are left out, so that a backup cannot be used to sign in.
 *
 * @param nowMs epoch milliseconds, written into the backup
 */
export async function backUp(
  dataFolder: string,
  file: string,
  options: { force: boolean; nowMs: number },
): Promise<BackupReport> {
  const folder = resolve(dataFolder)
  const target = resolve(file)
  if (!existsSync(join(folder, 'server.db'))) throw new NotDone(`There is no workspace in ${dataFolder}.`)
  if (existsSync(target) && !options.force) throw new NotDone(`${file} is there already. Use --force to write over it.`)
  const copy = `${target}.record`
  rmSync(copy, { force: true })
  const archive = writeArchive(target)
  try {
    await copyRecord(join(folder, 'server.db'), copy)
    inspect(copy, { deep: true })
    const { ids, schema } = contentsOf(copy)
    archive.add('server.db', copy)
    const found = ids.filter((id) => archive.add(uploadName(id), join(folder, uploadName(id)))).length
    const report = { uploads: found, missing: ids.length - found, schema }
    archive.finish({
      created_at: new Date(options.nowMs).toISOString(),
      schema: String(schema),
      uploads: String(found),
    })
    return report
  } catch (error) {
    archive.drop()
    throw error
  } finally {
    rmSync(copy, { force: true })
  }
}

/** About how much disk a backup takes while it is written: the copy of the database, the file, the uploads in it. */
export function backupBytes(db: Db): number {
  const [pages, size] = ['page_count', 'page_size'].map((name) => Number(db.pragma(name)))
  return 2 * (pages ?? 0) * (size ?? 0) + allUploadBytes(db)
}

/** The path of an upload in the folder of a workspace. */
export const uploadName = (id: string): string => `uploads/${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`

type CopyOptions = {
  /** With those of programs, which go on as before. */
  readonly secrets?: boolean
  readonly disk?: Pick<typeof nodeDisk, 'open' | 'exists' | 'size' | 'room' | 'rename' | 'remove'>
}

/**
 * A copy of a database at one moment, as a single file, while a server may write to it. Nothing is begun without the space
 * for it.
 */
export async function copyRecord(
  from: string,
  to: string,
  { secrets = false, disk = nodeDisk }: CopyOptions = {},
): Promise<void> {
  const log = `${from}-wal`
  needRoom(disk, dirname(to), disk.size(from) + (disk.exists(log) ? disk.size(log) : 0))
  const source = openForReading(nodeDisk, from, { busyMs: 5_000 })
  try {
    await source.backup(to, { progress: () => ALL_PAGES })
    const copy = disk.open(to)
    // A single file without a WAL.
    copy.pragma('journal_mode = DELETE')
    const isRewritten = !secrets && withoutSecrets(copy)
    if (isRewritten) rewrite(disk, copy, to)
    else copy.close()
  } catch (error) {
    throw isDamage(error) ? damaged(error) : error
  } finally {
    source.close()
  }
}

/**
 * Programs come back paused, without the secrets of their addresses and without what waited for them; keys are gone. What
 * is deleted is overwritten.
 *
 * @returns whether earlier versions of the rows may have left secrets in free space
 */
function withoutSecrets(copy: Raw): boolean {
  if (copy.prepare("SELECT 1 FROM sqlite_master WHERE name = 'integrations'").all().length === 0) return false
  copy.pragma('secure_delete = ON')
  copy.exec(`UPDATE integrations SET secret = NULL, hash = NULL, paused = 1, next_at = NULL;
    DELETE FROM integration_queue;
    DELETE FROM integration_calls;`)
  return copy.prepare('SELECT 1 FROM integrations LIMIT 1').all().length > 0
}

/** Without its free space. Into a file beside it: in place it would take twice as much, some of it in another folder. */
function rewrite(disk: Required<CopyOptions>['disk'], copy: Raw, path: string): void {
  const draft = `${path}.rewritten`
  try {
    needRoom(disk, dirname(path), disk.size(path))
    disk.remove(draft)
    copy.prepare('VACUUM INTO ?').run(draft)
    copy.close()
    disk.rename(draft, path)
  } catch (error) {
    disk.remove(draft)
    throw error
  } finally {
    copy.close()
  }
}

function needRoom(disk: Required<CopyOptions>['disk'], folder: string, bytes: number): void {
  if (disk.room(folder) < bytes) throw new NoRoom(folder, bytes)
}

function contentsOf(record: string): { ids: string[]; schema: number } {
  const db = openReadOnly(record)
  try {
    return { ids: [...allUploadIds(db)].toSorted(), schema: versionOf(db) }
  } finally {
    db.close()
  }
}

type VerifyReport = { readonly uploads: number; readonly createdAt: string }

/** Reads a whole backup and compares it with its checksums. */
export function verify(file: string): VerifyReport {
  const archive = readArchive(resolve(file))
  try {
    if (!archive.names.includes('server.db')) throw new BadArchive('The backup holds no workspace.')
    archive.check()
    return { uploads: archive.names.length - 1, createdAt: archive.about.get('created_at') ?? 'an unknown time' }
  } finally {
    archive.close()
  }
}

type RestoreReport = { readonly uploads: number; readonly setAside: string | undefined }

/**
 * Replaces a workspace by a backup. Everything is first written and checked in a draft folder; then the previous files
 * are moved to a separate folder, never deleted. A running server is refused by the folder's lock.
 */
export function restore(dataFolder: string, file: string, options: { force: boolean }): RestoreReport {
  const folder = resolve(dataFolder)
  const archive = readArchive(resolve(file))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    const unlock = lockFolder(folder)
    try {
      return restoreLocked(folder, archive, options.force)
    } finally {
      unlock()
    }
  } catch (error) {
    if (!(error instanceof StoreProblem) || error.kind !== 'in-use') throw error
    throw new NotDone('A Parlor server is running on this folder. Stop it, then restore.')
  } finally {
    archive.close()
  }
}

function restoreLocked(folder: string, archive: ReturnType<typeof readArchive>, force: boolean): RestoreReport {
  const present = MOVED.filter((name) => existsSync(join(folder, name)))
  if (present.length > 0 && !force) {
    throw new NotDone('There is a workspace in this folder. Use --force to set it aside and restore in its place.')
  }
  const draft = join(folder, 'restoring')
  rmSync(draft, { recursive: true, force: true })
  try {
    if (!archive.names.includes('server.db')) throw new BadArchive('The backup holds no workspace.')
    archive.extract(draft)
    inspect(join(draft, 'server.db'), { deep: true })
    const setAside = present.length > 0 ? aside(folder, present) : undefined
    for (const name of readdirSync(draft)) renameSync(join(draft, name), join(folder, name))
    writeWorkspaceId(folder, workspaceOf(join(folder, 'server.db')))
    nodeDisk.syncFolder(folder)
    return { uploads: archive.names.length - 1, setAside }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** The files of a workspace's content. Keys stay, so that tokens stay valid. */
const MOVED = ['server.db', 'server.db-wal', 'server.db-shm', 'uploads']

function aside(folder: string, names: readonly string[]): string {
  let count = 1
  while (existsSync(join(folder, `before-restore-${count}`))) count += 1
  const target = join(folder, `before-restore-${count}`)
  mkdirSync(target, { mode: 0o700 })
  for (const name of names) renameSync(join(folder, name), join(target, name))
  nodeDisk.syncFolder(dirname(target))
  return target
}

function workspaceOf(path: string): string {
  const db = openReadOnly(path)
  try {
    return readMeta(db, 'workspace') ?? 'unnamed'
  } finally {
    db.close()
  }
}

/** "ParB" as a number. */
const APPLICATION_ID = 0x5061_7242
const FORMAT = 1
/** Bytes of a file per row: memory use is small for files of any size. */
const PART_BYTES = 1024 * 1024

/** `parts` holds each file cut into rows; `files` holds its size and checksum. */
const SCHEMA = `
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE files (path TEXT PRIMARY KEY, size INTEGER NOT NULL, sha256 TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE parts (path TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (path, part)) STRICT;`

/** A backup cannot be read, or its content does not match its checksums. The message is shown to users. */
class BadArchive extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BadArchive'
  }
}

/** Writes one archive. Nothing exists under its name before `finish`. */
type ArchiveWriter = {
  /** Adds a file. False when it does not exist. */
  add(name: string, from: string): boolean
  /** @param about facts about the whole archive, by key */
  finish(about: Readonly<Record<string, string>>): void
  drop(): void
}

function writeArchive(path: string): ArchiveWriter {
  const draft = `${path}.partial`
  rmSync(draft, { force: true })
  const db = nodeDisk.open(draft)
  chmodSync(draft, 0o600)
  db.pragma('journal_mode = OFF')
  // It is not read before it is complete and on disk: one sync at the end is enough.
  db.pragma('synchronous = OFF')
  db.pragma(`application_id = ${APPLICATION_ID}`)
  db.exec(SCHEMA)
  const addPart = db.prepare('INSERT INTO parts (path, part, bytes) VALUES (?, ?, ?)')
  const addFile = db.prepare('INSERT INTO files (path, size, sha256) VALUES (?, ?, ?)')
  return {
    add(name, from) {
      if (!existsSync(from)) return false
      const { size, sha256 } = eachPart(from, (bytes, part) => void addPart.run(name, part, bytes))
      addFile.run(name, size, sha256)
      return true
    },
    finish(about) {
      const insert = db.prepare('INSERT INTO about (key, value) VALUES (?, ?)')
      for (const [key, value] of Object.entries({ ...about, format: String(FORMAT) })) insert.run(key, value)
      const check = db.pragma('quick_check', { simple: true })
      db.close()
      if (check !== 'ok') throw new BadArchive('The backup could not be written: the disk gives back other bytes.')
      nodeDisk.sync(draft)
      const written = readArchive(draft)
      try {
        written.check()
      } catch {
        throw new BadArchive('The backup could not be written: the disk gives back other bytes.')
      } finally {
        written.close()
      }
      nodeDisk.rename(draft, path)
    },
    drop() {
      db.close()
      rmSync(draft, { force: true })
    },
  }
}

function eachPart(from: string, take: (bytes: Buffer, part: number) => void): { size: number; sha256: string } {
  const file = openSync(from, 'r')
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(PART_BYTES)
  let size = 0
  try {
    for (let part = 0; ; part += 1) {
      const count = readSync(file, buffer, 0, PART_BYTES, null)
      if (count === 0) return { size, sha256: hash.digest('hex') }
      const bytes = buffer.subarray(0, count)
      hash.update(bytes)
      take(bytes, part)
      size += count
    }
  } finally {
    closeSync(file)
  }
}

type ArchiveReader = {
  readonly about: ReadonlyMap<string, string>
  /** Sorted. */
  readonly names: readonly string[]
  /** Reads every file and compares it with its checksum. Throws {@link BadArchive}. */
  check(): void
  /** Writes every file below a folder and compares it with its checksum. Throws {@link BadArchive}. */
  extract(folder: string): void
  close(): void
}

/** Throws {@link BadArchive} when the file is not a complete backup that this Parlor can read. */
function readArchive(path: string): ArchiveReader {
  const db = openArchive(path)
  try {
    const about = new Map(
      rows<{ key: string; value: string }>(db, 'SELECT * FROM about').map((row) => [row.key, row.value]),
    )
    if (Number(about.get('format')) > FORMAT) throw new BadArchive('The backup was written by a newer Parlor.')
    const names = rows<{ path: string }>(db, 'SELECT path FROM files ORDER BY path').map((row) => row.path)
    if (!names.every((name) => ARCHIVED_NAME.test(name))) throw broken()
    return {
      about,
      names,
      check: () => names.forEach((name) => readOne(db, name, () => undefined)),
      extract: (folder) => names.forEach((name) => extractOne(db, name, folder)),
      close: () => void db.close(),
    }
  } catch (error) {
    db.close()
    throw error
  }
}

/** The only file names in an archive; other names are never written to disk. */
export const ARCHIVED_NAME = /^(server\.db|uploads\/[a-f0-9]{2}\/[a-f0-9]{2}\/[a-f0-9]{32})$/

const broken = (): BadArchive =>
  new BadArchive('The backup is damaged, and nothing was restored from it. Use another one.')

function openArchive(path: string): Raw {
  if (!existsSync(path)) throw new BadArchive(`There is no file ${path}.`)
  let db: Raw | undefined
  try {
    db = nodeDisk.open(path, { readonly: true })
    if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID)
      throw new BadArchive('This file is no backup of a Parlor workspace.')
    if (db.pragma('quick_check', { simple: true }) !== 'ok') throw broken()
    return db
  } catch (error) {
    db?.close()
    if (!isSqliteError(error)) throw error
    throw codeOf(error) === 'SQLITE_NOTADB' ? new BadArchive('This file is no backup of a Parlor workspace.') : broken()
  }
}

const rows = <T>(db: Raw, sql: string): T[] => db.prepare<[], T>(sql).all()

function extractOne(db: Raw, name: string, folder: string): void {
  const target = join(folder, name)
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const file = openSync(target, 'wx', 0o600)
  try {
    readOne(db, name, (bytes) => {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    })
  } finally {
    closeSync(file)
  }
  nodeDisk.sync(target)
}

/** Reads a file part by part. Throws {@link BadArchive} at the end when it is not what its checksum says. */
function readOne(db: Raw, name: string, take: (bytes: Buffer) => void): void {
  const expected = db
    .prepare<[string], { size: number; sha256: string }>('SELECT size, sha256 FROM files WHERE path = ?')
    .get(name)
  const hash = createHash('sha256')
  let size = 0
  const parts = db.prepare<[string], { bytes: Buffer }>('SELECT bytes FROM parts WHERE path = ? ORDER BY part')
  for (const { bytes } of parts.iterate(name)) {
    take(bytes)
    hash.update(bytes)
    size += bytes.length
  }
  if (size !== expected?.size || hash.digest('hex') !== expected.sha256) throw broken()
}
