import { createHash, randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asDiskError } from '#main/lib/disk-error.ts'
import type { Disk } from './disk.ts'

/** Everything that both databases of an account consist of. */
const FILES = ['cache.db', 'cache.db-wal', 'outbox.db', 'outbox.db-wal', 'outbox.journal', 'open.marker']

/** Copies of an account's databases, for as long as their own folder takes nothing. */
export type Copies = { readonly folder: string; remove(): void }

/**
 * Copies what the databases consist of into the system's folder for temporary files, readable by this person only. What
 * an earlier process of this account left there, because it was killed, goes first. Throws what the disk says.
 */
export function copyFiles(disk: Disk, from: string): Copies {
  removeLeft(disk, from)
  // A name that nobody can guess: nobody else has made this folder before, to read what comes into it.
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

/** Takes away the copies of processes that are gone. */
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
 * What a folder says to a small file; nothing when it takes it. SQLite's own words for a disk that is read-only differ from
 * disk to disk.
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
    // Half a file may be left by a disk without room.
    disk.remove(probe)
  } catch (error) {
    refusal ??= asDiskError(error, folder)
  }
  return refusal
}

/**
 * Whether an account can be opened where it is: its folder takes a file, and there is room for both databases once more
 * (a schema that changes is copied first).
 */
export function takesFiles(disk: Disk, folder: string): boolean {
  if (refusalOf(disk, folder) !== undefined) return false
  const bytes = FILES.map((name) => join(folder, name)).reduce(
    (sum, path) => sum + (disk.exists(path) ? disk.size(path) : 0),
    0,
  )
  return disk.room(folder) > 2 * bytes
}
