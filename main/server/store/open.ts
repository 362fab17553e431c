import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Stop } from '#main/lib/clock.ts'
import { openDb, openReadOnly, type Db } from './db.ts'
import { syncFile, syncFolder } from './files.ts'
import { lockFolder } from './lock.ts'
import { migrate, MIGRATIONS, newestOf, versionOf, type Migration } from './migrate.ts'
import { damaged, foreign, replaced, StoreTooNew, vanished } from './problems.ts'
import { indexOldMessages } from '../messages/word-tables.ts'

const FULL = 2
/** "Parl" as a number: what `file` and other tools tell our files by. */
const APPLICATION_ID = 0x5061_726c
/** A file that is closed properly every day is still looked through once a week. */
const CHECK_EVERY_MS = 7 * 86_400_000
/** Copies of files of older schemas that are kept. */
const BACKUPS_KEPT = 2

type OpenOptions = {
  /** Epoch milliseconds. */
  readonly now?: number
  readonly migrations?: readonly Migration[]
}

/**
 * Opens the server's record, in this order: the folder's lock; is the file ours, of a schema we know, whole (asked after an
 * unclean end and once a week) and the one that was here; a copy before its schema moves on; the schema; the mark of an
 * open file.
 * Last it proves, after a first write, that every commit waits for the disk: some builds of SQLite quietly lower
 * `synchronous` in WAL mode.
 *
 * @param path of the file, or `:memory:`
 */
export function openStore(path: string, options: OpenOptions = {}): Db {
  const onDisk = path !== ':memory:'
  const unlock = onDisk ? lockFolder(dirname(path)) : () => undefined
  let db: Db | undefined
  try {
    if (onDisk) expectWorkspace(path, options)
    db = openDb(path)
    bringUp(db, path, options)
    if (onDisk) rememberWorkspace(db, dirname(path))
    markOpen(db, options.now)
    if (Number(db.pragma('synchronous')) !== FULL) throw new Error('the store does not wait for the disk')
    return closing(db, unlock)
  } catch (error) {
    db?.close()
    unlock()
    throw error
  }
}

/** Looks before anything is touched. An empty file opens without complaint and looks like a fresh start: it is none. */
function expectWorkspace(path: string, options: OpenOptions): void {
  const isThere = existsSync(path) && statSync(path).size > 0
  if (!isThere && readWorkspaceId(dirname(path)) !== undefined) throw vanished()
  if (isThere) inspect(path, { ...options, workspace: readWorkspaceId(dirname(path)) })
}

/** Whether a file is a whole one of ours that this Parlor can open. Changes nothing. Throws a {@link StoreProblem}. */
export function inspect(path: string, options: OpenOptions & { workspace?: string | undefined; deep?: boolean }): void {
  let db: Db | undefined
  try {
    db = openReadOnly(path)
    const application = Number(db.pragma('application_id'))
    const version = versionOf(db)
    const tables = db.all("SELECT 1 FROM sqlite_schema WHERE type = 'table'").length
    if (version === 0 && tables === 0 && application === 0) return
    // Files of the first releases do not carry our number yet.
    if ((application !== 0 && application !== APPLICATION_ID) || version === 0) throw foreign()
    if (version > newestOf(options.migrations ?? MIGRATIONS)) throw new StoreTooNew()
    const unsure = options.deep === true || readMeta(db, 'clean') !== '1' || isDue(db, options.now)
    if (unsure && db.pragma('quick_check') !== 'ok') throw damaged()
    const workspace = readMeta(db, 'workspace')
    if (workspace !== undefined && options.workspace !== undefined && workspace !== options.workspace) throw replaced()
  } catch (error) {
    if (isDamage(error)) throw damaged(error)
    throw error
  } finally {
    db?.close()
  }
}

export const isDamage = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code))

function isDue(db: Db, now: number | undefined): boolean {
  return now !== undefined && now - Number(readMeta(db, 'checked') ?? 0) > CHECK_EVERY_MS
}

function bringUp(db: Db, path: string, { migrations = MIGRATIONS }: OpenOptions): void {
  const found = versionOf(db)
  if (found > 0 && found < newestOf(migrations) && path !== ':memory:') backUp(db, path, found)
  migrate(db, migrations)
  indexOldMessages(db)
}

/** The file as it was, beside it: `server.db.backup-60`. We hold the lock, so nothing is written meanwhile. */
function backUp(db: Db, path: string, version: number): void {
  db.pragma('wal_checkpoint(TRUNCATE)')
  const target = `${path}.backup-${version}`
  copyFileSync(path, `${target}.new`)
  syncFile(`${target}.new`)
  renameSync(`${target}.new`, target)
  syncFolder(dirname(path))
  const beginning = `${basename(path)}.backup-`
  const versions = readdirSync(dirname(path))
    .filter((name) => name.startsWith(beginning) && /^\d+$/.test(name.slice(beginning.length)))
    .map((name) => Number(name.slice(beginning.length)))
    .toSorted((a, b) => b - a)
  for (const old of versions.slice(BACKUPS_KEPT)) rmSync(`${path}.backup-${old}`, { force: true })
}

const idFile = (folder: string): string => join(folder, 'workspace-id')

function readWorkspaceId(folder: string): string | undefined {
  return existsSync(idFile(folder)) ? readFileSync(idFile(folder), 'utf8').trim() : undefined
}

/** The workspace's name for itself, in the file and beside it: so a file that was swapped is noticed. */
function rememberWorkspace(db: Db, folder: string): void {
  const beside = readWorkspaceId(folder)
  const inside = readMeta(db, 'workspace')
  const id = inside ?? beside ?? randomBytes(16).toString('hex')
  if (inside === undefined) putMeta(db, 'workspace', id)
  if (beside === undefined) writeWorkspaceId(folder, id)
}

export function writeWorkspaceId(folder: string, id: string): void {
  writeFileSync(`${idFile(folder)}.new`, `${id}\n`, { mode: 0o600 })
  renameSync(`${idFile(folder)}.new`, idFile(folder))
}

function markOpen(db: Db, now: number | undefined): void {
  db.transaction(() => {
    if (Number(db.pragma('application_id')) === 0) db.pragma(`application_id = ${APPLICATION_ID}`)
    if (now !== undefined && (readMeta(db, 'clean') !== '1' || isDue(db, now))) putMeta(db, 'checked', String(now))
    putMeta(db, 'clean', '0')
    db.run(`INSERT INTO meta (key, value) VALUES ('opened', '1')
      ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1`)
  })
}

/** Closing says that all is well, writes everything into the one file, and lets the folder go. */
function closing(db: Db, unlock: Stop): Db {
  let open = true
  return {
    ...db,
    close() {
      if (!open) return
      open = false
      try {
        putMeta(db, 'clean', '1')
        db.pragma('wal_checkpoint(TRUNCATE)')
      } catch {
        // A full or broken disk: the file stays marked as open, and the next start looks through it.
      }
      db.close()
      unlock()
    },
  }
}

function hasMeta(db: Db): boolean {
  return db.get("SELECT 1 FROM sqlite_schema WHERE name = 'meta'") !== undefined
}

export function readMeta(db: Db, key: string): string | undefined {
  return hasMeta(db) ? db.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value : undefined
}

function putMeta(db: Db, key: string, value: string): void {
  db.run(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    value,
  )
}
