import { createHash, randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join, dirname } from 'node:path'
import { asDiskError } from '#main/lib/disk-error.ts'
import { type Disk, memoryDatabase } from '#main/lib/sqlite/disk.ts'
import { CLEARED_FILE } from './database-file.ts'
import { SIDES } from '#main/lib/sqlite/connection.ts'

/** The files of both databases of an account. */
const FILES = ['cache.db', 'cache.db-wal', 'outbox.db', 'outbox.db-wal', 'outbox.journal', 'open.marker']

/** Copies of an account's databases, for as long as their own folder is not writable. */
export type Copies = { readonly folder: string; remove(): void }

/**
 * Copies the database files to the system's temporary folder, readable by this user only. Copies left by a killed
 * process of this account are removed first. Throws disk errors.
 */
export function copyFiles(disk: Disk, from: string): Copies {
  removeLeft(disk, from)
  // The name is not guessable, so that no other user can have created this folder to read its content.
  const folder = join(tmpdir(), `${nameOf(from)}-${process.pid}-${randomBytes(8).toString('hex')}`)
  disk.folder(folder)
  const remove = (): void => disk.remove(folder)
  try {
    for (const name of FILES) if (disk.exists(join(from, name))) disk.copy(join(from, name), join(folder, name))
  } catch (error) {
    remove()
    throw error
  }
  return { folder, remove }
}

/** Removes the copies of processes that no longer exist. */
function removeLeft(disk: Disk, from: string): void {
  const name = nameOf(from)
  for (const each of disk.list(tmpdir())) {
    if (!each.startsWith(`${name}-`)) continue
    if (!isAlive(Number.parseInt(each.slice(name.length + 1), 10))) disk.remove(join(tmpdir(), each))
  }
}

const nameOf = (folder: string): string => `parlor-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * The error of writing a small file to a folder; nothing if it is writable. SQLite's own errors for a read-only disk
 * differ between disks.
 */
export function refusalOf(disk: Disk, folder: string): unknown {
  const probe = join(folder, `.write-${process.pid}`)
  let refusal: unknown
  try {
    disk.write(probe, 'x')
  } catch (error) {
    refusal = asDiskError(error, folder)
  }
  try {
    // A full disk may leave a partial file.
    disk.remove(probe)
  } catch (error) {
    refusal ??= asDiskError(error, folder)
  }
  return refusal
}

/**
 * Whether an account can be opened in place: its folder is writable, and there is space for a second copy of both
 * databases (made before a schema migration).
 */
export function canOpenInPlace(disk: Disk, folder: string): boolean {
  if (refusalOf(disk, folder) !== undefined) return false
  const bytes = FILES.map((name) => join(folder, name)).reduce(
    (sum, path) => sum + (disk.exists(path) ? disk.size(path) : 0),
    0,
  )
  return disk.room(folder) > 2 * bytes
}

/** Larger databases are not loaded into memory. */
const LARGEST_BYTES = 256 * 1024 * 1024
const JOURNAL_MODES_AT = 18
const NOT_WAL = 1

/**
 * A view of a folder in which all writes stay in memory: for a full disk without the space that must be written before
 * anything can be read. A cache that is too large for memory is omitted: the server has it.
 */
export function diskInMemory(disk: Disk, folder: string): Disk {
  /** Written files by path; absent content: removed. */
  const written = new Map<string, (() => Buffer) | undefined>()
  const bytesOf = (path: string): (() => Buffer) =>
    written.has(path) ? (written.get(path) ?? (() => Buffer.alloc(0))) : () => disk.read(path)
  const put = (path: string, content: string | Uint8Array): void => {
    const bytes = Buffer.from(content as Uint8Array)
    written.set(path, () => bytes)
  }
  const cache = join(folder, 'cache.db')
  if (disk.exists(cache) && disk.size(cache) > LARGEST_BYTES) {
    for (const side of SIDES) written.set(cache + side, undefined)
    put(join(folder, CLEARED_FILE), '')
  }
  return {
    exists: (path) => (written.has(path) ? written.get(path) !== undefined : disk.exists(path)),
    isFolder: (path) => !written.has(path) && disk.isFolder(path),
    size: (path) => (written.has(path) ? bytesOf(path)().length : disk.size(path)),
    room: (path) => disk.room(path),
    folder: () => undefined,
    list(path) {
      const existing = disk.list(path).filter((name) => !written.has(join(path, name)))
      const added = [...written].filter(([each, bytes]) => bytes !== undefined && dirname(each) === path)
      return [...existing, ...added.map(([each]) => each.slice(path.length + 1))]
    },
    rename(from, to) {
      written.set(to, bytesOf(from))
      written.set(from, undefined)
    },
    copy: (from, to) => void written.set(to, bytesOf(from)),
    remove: (path) => void written.set(path, undefined),
    read: (path) => bytesOf(path)(),
    write: put,
    append: (path, text) => put(path, Buffer.concat([bytesOf(path)(), Buffer.from(text)])),
    sync: () => undefined,
    open(path) {
      const bytes = written.has(path) ? bytesOf(path)() : contentOf(disk, path)
      const raw = memoryDatabase(bytes.length === 0 ? undefined : bytes)
      // No other connection can open it.
      raw.pragma('locking_mode = EXCLUSIVE')
      return raw
    },
    protect: () => undefined,
    syncFolder: () => undefined,
  }
}

/** A database including the content of its WAL. */
function contentOf(disk: Disk, path: string): Buffer {
  const raw = disk.open(path, { fileMustExist: true })
  try {
    // With exclusive locking no shared-memory file is needed.
    raw.pragma('locking_mode = EXCLUSIVE')
    const bytes = raw.serialize()
    // There is no WAL in memory: a database marked as WAL would not open.
    bytes.fill(NOT_WAL, JOURNAL_MODES_AT, JOURNAL_MODES_AT + 2)
    return bytes
  } finally {
    raw.close()
  }
}
