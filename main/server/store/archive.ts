import { createHash } from 'node:crypto'
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from '#main/lib/disk-error.ts'
import { isSqliteError, type Raw } from '#main/lib/sqlite/connection.ts'
import { nodeDisk } from '#main/lib/sqlite/disk.ts'

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
export class BadArchive extends Error {
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

export function writeArchive(path: string): ArchiveWriter {
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
  /** Writes every file below a folder and compares it with its checksum. Throws {@link BadArchive}. */
  extract(folder: string): void
  close(): void
}

/** Throws {@link BadArchive} when the file is not a complete backup that this Parlor can read. */
export function readArchive(path: string): ArchiveReader {
  const db = openArchive(path)
  try {
    const about = new Map(
      rows<{ key: string; value: string }>(db, 'SELECT * FROM about').map((row) => [row.key, row.value]),
    )
    if (Number(about.get('format')) > FORMAT) throw new BadArchive('The backup was written by a newer Parlor.')
    const names = rows<{ path: string }>(db, 'SELECT path FROM files ORDER BY path').map((row) => row.path)
    if (!names.every((name) => NAME.test(name))) throw broken()
    return {
      about,
      names,
      extract: (folder) => names.forEach((name) => extractOne(db, name, folder)),
      close: () => void db.close(),
    }
  } catch (error) {
    db.close()
    throw error
  }
}

/** The only file names in an archive; other names are never written to disk. */
const NAME = /^(server\.db|uploads\/[a-f0-9]{2}\/[a-f0-9]{2}\/[a-f0-9]{32})$/

const broken = (): BadArchive => new BadArchive('The backup is damaged: nothing was restored. Use another one.')

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
  const expected = db
    .prepare<[string], { size: number; sha256: string }>('SELECT size, sha256 FROM files WHERE path = ?')
    .get(name)
  const target = join(folder, name)
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const file = openSync(target, 'wx', 0o600)
  const hash = createHash('sha256')
  let size = 0
  try {
    const parts = db.prepare<[string], { bytes: Buffer }>('SELECT bytes FROM parts WHERE path = ? ORDER BY part')
    for (const { bytes } of parts.iterate(name)) {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
      hash.update(bytes)
      size += bytes.length
    }
  } finally {
    closeSync(file)
  }
  if (size !== expected?.size || hash.digest('hex') !== expected.sha256) throw broken()
  nodeDisk.sync(target)
}
