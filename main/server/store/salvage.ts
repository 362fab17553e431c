import { existsSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import Database from 'better-sqlite3'
import { registerIndexedWords } from './db.ts'
import { NotDone } from './backup.ts'
import { syncFile, syncFolder } from './files.ts'
import { lockFolder } from './lock.ts'
import { MIGRATIONS, NEWEST } from './migrate.ts'
import { inspect } from './open.ts'
import { StoreProblem } from './problems.ts'

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
    for (const end of ['', '-wal', '-shm']) rmSync(draft + end, { force: true })
    const rows = copyReadable(path, draft)
    if (rows === 0) throw new NotDone('Nothing in the file can be read. It was left as it is.')
    syncFile(draft)
    let count = 1
    while (existsSync(`${path}.damaged-${count}`)) count += 1
    const setAside = `${path}.damaged-${count}`
    for (const end of ['', '-wal', '-shm']) if (existsSync(path + end)) renameSync(path + end, setAside + end)
    renameSync(draft, path)
    syncFolder(folder)
    return { rows, setAside }
  } finally {
    rmSync(draft, { force: true })
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
  const fresh = new Database(to)
  try {
    fresh.pragma('foreign_keys = OFF')
    registerIndexedWords(fresh)
    const version = Math.min(versionOf(old), NEWEST)
    for (const step of MIGRATIONS) if (step.version <= version) fresh.exec(step.sql)
    fresh.pragma(`user_version = ${version}`)
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

function openOld(path: string): Database.Database {
  const old = new Database(path, { readonly: true })
  try {
    old.prepare('SELECT count(*) FROM sqlite_schema').get()
    return old
  } catch {
    old.close()
    throw new NotDone('The file is no database any more. It was left as it is: restore a backup.')
  }
}

function versionOf(old: Database.Database): number {
  const version = Number(old.pragma('user_version', { simple: true }))
  return version >= 10 ? version : NEWEST
}

function tablesOf(fresh: Database.Database): string[] {
  return fresh
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map((row) => row.name)
    .filter((name) => !name.startsWith('message_words') && !name.startsWith('sqlite_'))
}

/** The table name comes from our own schema. */
function copyTable(old: Database.Database, fresh: Database.Database, table: string): number {
  const columns = fresh.prepare<[], { name: string }>('SELECT name FROM pragma_table_info(' + quoted(table) + ')').all()
  const list = columns.map((column) => `"${column.name}"`).join(', ')
  const put = fresh.prepare(
    'INSERT OR IGNORE INTO "' + table + '" (' + list + ') VALUES (' + columns.map(() => '?').join(', ') + ')',
  )
  const read = (order: string): number => copyRows(old, 'SELECT ' + list + ' FROM "' + table + '"' + order, put)
  const key = `"${columns[0]?.name ?? ''}"`
  // Reading stops at a damaged page: the rows behind it are read in the opposite order.
  return read('') + read(' ORDER BY ' + key + ' DESC') + read(' ORDER BY ' + key)
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

function copyRows(old: Database.Database, sql: string, put: Database.Statement): number {
  let count = 0
  try {
    for (const row of old.prepare(sql).raw().iterate() as Iterable<unknown[]>) count += put.run(row).changes
  } catch {
    // A damaged page: the rows before it are kept.
  }
  return count
}

type Reference = { table: string; from: string; to: string }

/** Deletes rows whose parents are lost, like a member of a lost channel: they would violate foreign keys. */
function dropOrphans(fresh: Database.Database): void {
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
