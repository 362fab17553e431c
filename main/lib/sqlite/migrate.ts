import { basename, dirname } from 'node:path'
import type { Disk } from './disk.ts'
import type { Sql } from './sql.ts'

/** One step of a schema: forward only, numbered in tens, never edited after release. */
export type Migration = { readonly version: number; readonly statements: readonly string[] }

type Migrated = Pick<Sql, 'exec' | 'pragma' | 'transaction'>

export const versionOf = (db: { pragma(text: string, options: { simple: true }): unknown }): number =>
  Number(db.pragma('user_version', { simple: true }))

export const newestOf = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0

/**
 * Runs the missing steps in one transaction: the schema is old or new, never in between. Functions that the statements
 * call have been registered with the connection.
 */
export function migrate(db: Migrated, migrations: readonly Migration[]): void {
  const from = versionOf(db)
  const missing = migrations.filter((migration) => migration.version > from)
  if (missing.length === 0) return
  db.transaction(() => {
    for (const { version, statements } of missing) {
      for (const statement of statements) db.exec(statement)
      db.pragma(`user_version = ${version}`)
    }
  })
}

/** The number of backups of earlier schemas to keep. */
const MAX_BACKUPS = 2

/**
 * Copies a database before its schema is migrated: `server.db.backup-60`, which appears complete or not at all. Nothing
 * else may write to it meanwhile. Returns the path of the copy.
 */
export function backUp(disk: Disk, db: Migrated, path: string): string {
  db.pragma('wal_checkpoint(TRUNCATE)')
  const target = `${path}.backup-${versionOf(db)}`
  const draft = `${target}.new`
  try {
    disk.copy(path, draft)
    disk.protect(draft)
    disk.sync(draft)
    disk.rename(draft, target)
  } catch (error) {
    // A partial backup is useless and takes the missing space.
    disk.remove(draft)
    throw error
  }
  disk.syncFolder(dirname(path))
  removeOldBackups(disk, path)
  return target
}

function removeOldBackups(disk: Disk, path: string): void {
  const beginning = `${basename(path)}.backup-`
  const versions = disk
    .list(dirname(path))
    .filter((name) => name.startsWith(beginning) && /^\d+$/.test(name.slice(beginning.length)))
    .map((name) => Number(name.slice(beginning.length)))
    .toSorted((a, b) => b - a)
  for (const old of versions.slice(MAX_BACKUPS)) disk.remove(`${path}.backup-${old}`)
}
