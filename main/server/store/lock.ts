import Database from 'better-sqlite3'
import type { Stop } from '#main/lib/clock.ts'
import { FolderInUse } from './problems.ts'

/**
 * Holds a data folder for this process. The lock is the system's, on the empty file `server.lock`, so it is released
 * with the process, however that ends, and never goes stale.
 *
 * Throws {@link FolderInUse}.
 */
export function lockFolder(folder: string): Stop {
  const lock = new Database(`${folder}/server.lock`, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) throw new FolderInUse()
    throw error
  }
  return () => void lock.close()
}
