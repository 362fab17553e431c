import { createHash, randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asDiskError } from '#main/lib/disk-error.ts'
import type { Disk } from '#main/lib/sqlite/disk.ts'

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
