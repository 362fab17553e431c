import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { codeOf } from '#main/lib/disk-error.ts'
import { type Raw, moveDatabase, readEachWay, removeDatabase } from '#main/lib/sqlite/connection.ts'
import { nodeDisk } from '#main/lib/sqlite/disk.ts'
import { migrate, versionOf } from '#main/lib/sqlite/migrate.ts'
import { openSql } from '#main/lib/sqlite/sql.ts'
import { lockFolder, registerFunctions, StoreProblem } from './db.ts'
import { NotDone } from './backup.ts'
import { MIGRATIONS, NEWEST, inspect } from './open.ts'

type SalvageReport = { readonly rows: number; readonly setAside: string }

/**
 * Copies every row that can still be read into a new file, from both ends of each table, and replaces the
 * damaged one, which is renamed to `server.db.damaged-1`. The search index is rebuilt at the next start.
 */
export function salvage(dataFolder: string): SalvageReport {
  const folder = resolve(dataFolder)
  const path = `${folder}/server.db`
  if (!existsSync(path)) throw new NotDone(`There is no workspace in ${dataFolder}.`)
  const unlock = lockFolder(folder)
  if (isWhole(path)) {
    unlock()
    throw new NotDone('server.db is whole: there is nothing to salvage.')
  }
  const draft = `${path}.salvaging`
  try {
    removeDatabase(nodeDisk, draft)
    const rows = copyReadable(path, draft)
    if (rows === 0) throw new NotDone('Nothing in the file can be read. It was left as it is.')
    nodeDisk.sync(draft)
    let count = 1
    while (existsSync(`${path}.damaged-${count}`)) count += 1
    const setAside = `${path}.damaged-${count}`
    moveDatabase(nodeDisk, path, setAside)
    nodeDisk.rename(draft, path)
    return { rows, setAside }
  } finally {
    removeDatabase(nodeDisk, draft)
    unlock()
  }
}

function isWhole(path: string): boolean {
  try {
    inspect(path, { deep: true })
    return true
  } catch (error) {
    if (error instanceof StoreProblem && error.kind === 'damaged') return false
    throw error
  }
}

function copyReadable(from: string, to: string): number {
  const old = openOld(from)
  const fresh = nodeDisk.open(to)
  try {
    fresh.pragma('foreign_keys = OFF')
    registerFunctions(fresh)
    const found = versionOf(old)
    const version = found < (MIGRATIONS[0]?.version ?? 0) ? NEWEST : Math.min(found, NEWEST)
    migrate(
      openSql(fresh),
      MIGRATIONS.filter((step) => step.version <= version),
    )
    const rows = fresh.transaction(() =>
      tablesOf(fresh).reduce((sum, table) => sum + copyTable(old, fresh, table), 0),
    )()
    fresh.transaction(() => dropOrphans(fresh))()
    // Without an index entry, messages are indexed again when the store opens.
    if (version >= 20) fresh.exec('UPDATE messages SET doc = NULL')
    return rows
  } finally {
    old.close()
    fresh.close()
  }
}

function openOld(path: string): Raw {
  const old = nodeDisk.open(path, { readonly: true })
  try {
    old.prepare('SELECT count(*) FROM sqlite_schema').get()
    return old
  } catch {
    old.close()
    throw new NotDone('The file is no database any more. It was left as it is: restore a backup.')
  }
}

function tablesOf(fresh: Raw): string[] {
  return fresh
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map((row) => row.name)
    .filter((name) => !name.startsWith('message_words') && !name.startsWith('sqlite_'))
}

/** The table name comes from our own schema. */
function copyTable(old: Raw, fresh: Raw, table: string): number {
  const columns = fresh.prepare<[], { name: string }>('SELECT name FROM pragma_table_info(' + quoted(table) + ')').all()
  const list = columns.map((column) => `"${column.name}"`).join(', ')
  const put = fresh.prepare(
    'INSERT OR IGNORE INTO "' + table + '" (' + list + ') VALUES (' + columns.map(() => '?').join(', ') + ')',
  )
  const key = `"${columns[0]?.name ?? ''}"`
  const ways = ['', ` ORDER BY ${key} DESC`, ` ORDER BY ${key}`].map(
    (order) => () =>
      old
        .prepare<[], unknown[]>('SELECT ' + list + ' FROM "' + table + '"' + order)
        .raw()
        .iterate(),
  )
  let count = 0
  readEachWay(ways, (row) => void (count += putIfPossible(put, row)))
  return count
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A damaged row may hold what its columns do not take. */
function putIfPossible(put: ReturnType<Raw['prepare']>, row: readonly unknown[]): number {
  try {
    return put.run(row).changes
  } catch (error) {
    if (codeOf(error)?.startsWith('SQLITE_CONSTRAINT') !== true) throw error
    return 0
  }
}

type Reference = { table: string; from: string; to: string }

/** Deletes rows whose parents are lost, like a member of a lost channel: they would violate foreign keys. */
function dropOrphans(fresh: Raw): void {
  for (let changed = 1; changed > 0;) {
    changed = 0
    for (const table of tablesOf(fresh)) {
      const references = fresh.pragma(`foreign_key_list(${quoted(table)})`) as Reference[]
      for (const { table: parent, from, to } of references) {
        changed += fresh
          .prepare(
            'DELETE FROM "' +
              table +
              '" WHERE "' +
              from +
              '" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "' +
              parent +
              '" p WHERE p."' +
              to +
              '" = "' +
              table +
              '"."' +
              from +
              '")',
          )
          .run().changes
      }
    }
  }
}
