import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Stop } from '#main/lib/clock.ts'
import { isDamage } from '#main/lib/disk-error.ts'
import { isDurable, identityOf, isSound, isUnused } from '#main/lib/sqlite/connection.ts'
import { nodeDisk } from '#main/lib/sqlite/disk.ts'
import { backUp, newestOf, versionOf, type Migration, migrate } from '#main/lib/sqlite/migrate.ts'
import { keepChannels } from '../channels/kept-channels.ts'
import { indexNewest, indexOldMessages } from '../messages/words.ts'
import {
  DURABILITY,
  lockFolder,
  openDb,
  openReadOnly,
  type Db,
  damaged,
  foreign,
  replaced,
  StoreTooNew,
  vanished,
  notMigrated,
} from './db.ts'
import { initial } from './migrations/0010-initial.ts'
import {
  conversations,
  people,
  threads,
  threadDetails,
  forgottenWords,
  attachments,
  order,
  pictureSizes,
  rareRows,
  foundQuickly,
} from './migrations/0020-to-0110.ts'
import {
  privateChannels,
  customEmoji,
  pollsThatClose,
  whoWrote,
  review,
  staff,
  actions,
  reviewedTexts,
  endedBans,
  campaignChannels,
  campaignCounts,
  integrations,
  imports,
  gathering,
  removals,
  eventAges,
} from './migrations/0120-to-0290.ts'

/** "Parl" as a number: by which `file` and other tools recognize our files. */
const APPLICATION_ID = 0x5061_726c
/** A file that is always closed properly is still checked once a week. */
const CHECK_EVERY_MS = 7 * 86_400_000

type OpenOptions = {
  /** Epoch milliseconds. */
  readonly now?: number
  readonly migrations?: readonly Migration[]
}

/**
 * Opens the server's database in this order: the lock of the folder; whether the file is ours, of a known schema,
 * undamaged (checked after an unclean end and once a week) and the one of this folder; a backup before a migration; the
 * schema; the mark of an open file; whether every commit is synced to disk.
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
    migrateFile(db, path, options)
    if (onDisk) rememberWorkspace(db, dirname(path))
    markOpen(db, options.now)
    if (!isDurable(db.raw, DURABILITY)) throw new Error('the store does not wait for the disk')
    const store = closing(db, unlock)
    keepChannels(store)
    return store
  } catch (error) {
    db?.close()
    unlock()
    throw error
  }
}

/** Checks the file before any change. An empty file could be opened and taken for a new workspace, but is not one. */
function expectWorkspace(path: string, options: OpenOptions): void {
  const isThere = existsSync(path) && statSync(path).size > 0
  if (!isThere && readWorkspaceId(dirname(path)) !== undefined) throw vanished()
  if (isThere) inspect(path, { ...options, workspace: readWorkspaceId(dirname(path)) })
}

/**
 * Checks that a file is a complete one of ours that this Parlor can open. Changes nothing. Throws a {@link
 * StoreProblem}.
 */
export function inspect(path: string, options: OpenOptions & { workspace?: string; deep?: boolean }): void {
  let db: Db | undefined
  try {
    db = openReadOnly(path)
    const identity = identityOf(db.raw)
    const { applicationId, version } = identity
    if (isUnused(identity)) return
    // Files of the first releases do not carry our number yet.
    if ((applicationId !== 0 && applicationId !== APPLICATION_ID) || version === 0) throw foreign()
    if (version > newestOf(options.migrations ?? MIGRATIONS)) throw new StoreTooNew()
    const unsure = options.deep === true || readMeta(db, 'clean') !== '1' || isDue(db, options.now)
    if (unsure && !isSound(db.raw, 'pages')) throw damaged()
    const workspace = readMeta(db, 'workspace')
    if (workspace !== undefined && options.workspace !== undefined && workspace !== options.workspace) throw replaced()
  } catch (error) {
    if (isDamage(error)) throw damaged(error)
    throw error
  } finally {
    db?.close()
  }
}

function isDue(db: Db, now: number | undefined): boolean {
  return now !== undefined && now - Number(readMeta(db, 'checked') ?? 0) > CHECK_EVERY_MS
}

function migrateFile(db: Db, path: string, { migrations = MIGRATIONS }: OpenOptions): void {
  const found = versionOf(db)
  // We hold the lock, so nothing is written meanwhile.
  if (found > 0 && found < newestOf(migrations) && path !== ':memory:') backUp(nodeDisk, db, path)
  migrateStore(db, migrations)
  indexOldMessages(db)
  indexNewest(db)
}

const idFile = (folder: string): string => join(folder, 'workspace-id')

function readWorkspaceId(folder: string): string | undefined {
  return existsSync(idFile(folder)) ? readFileSync(idFile(folder), 'utf8').trim() : undefined
}

/** Stores the workspace's id in the file and beside it, so that a swapped file is detected. */
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

/** Closing marks the file as clean, writes the WAL into it, and releases the folder. */
function closing(db: Db, unlock: Stop): Db {
  let open = true
  return {
    ...db,
    close() {
      if (!open) return
      open = false
      try {
        db.words.flush()
        putMeta(db, 'clean', '1')
        db.pragma('wal_checkpoint(TRUNCATE)')
      } catch {
        // A full or broken disk: the file stays marked as open, and the next start checks it.
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

export const MIGRATIONS: readonly Migration[] = [
  { version: 10, statements: [initial] },
  { version: 20, statements: [conversations] },
  { version: 30, statements: [people] },
  { version: 40, statements: [threads] },
  { version: 50, statements: [threadDetails] },
  { version: 60, statements: [forgottenWords] },
  { version: 70, statements: [attachments] },
  { version: 80, statements: [order] },
  { version: 90, statements: [pictureSizes] },
  { version: 100, statements: [rareRows] },
  { version: 110, statements: [foundQuickly] },
  { version: 120, statements: [privateChannels] },
  { version: 130, statements: [customEmoji] },
  { version: 140, statements: [pollsThatClose] },
  { version: 150, statements: [whoWrote] },
  { version: 160, statements: [review] },
  { version: 170, statements: [staff] },
  { version: 190, statements: [actions] },
  { version: 200, statements: [reviewedTexts] },
  { version: 210, statements: [endedBans] },
  { version: 230, statements: [campaignChannels] },
  { version: 240, statements: [campaignCounts] },
  { version: 250, statements: [integrations] },
  { version: 260, statements: [imports] },
  { version: 270, statements: [gathering] },
  { version: 280, statements: [removals] },
  { version: 290, statements: [eventAges] },
]

export const NEWEST = newestOf(MIGRATIONS)

/** Migrates the file to the newest schema. Throws {@link StoreTooNew}, or a problem `not-migrated`: it is unchanged. */
export function migrateStore(db: Db, migrations: readonly Migration[] = MIGRATIONS): void {
  if (versionOf(db) > newestOf(migrations)) throw new StoreTooNew()
  try {
    migrate(db, migrations)
  } catch (error) {
    throw notMigrated(error)
  }
}
