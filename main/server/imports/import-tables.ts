import { createHash } from 'node:crypto'
import type { ImportSource, LeftCounts } from '#shared/domain/imports.ts'
import type { Db } from '../store/db.ts'
import type { Micros } from '../store/time.ts'

export type ImportRow = {
  readonly id: number
  readonly source: ImportSource
  readonly path: string
  readonly name: string
  readonly state: 'running' | 'paused' | 'done' | 'stopped' | 'undoing' | 'undone'
  readonly problem: string | null
  readonly done: number
  readonly total: number
  readonly files: number
  readonly facts: string
  readonly closed: number
  readonly created_at: Micros
  readonly finished_at: Micros | null
}

/** What is known before anything is written. */
export type ImportFacts = {
  readonly left: LeftCounts
  readonly skipped: readonly { readonly id: string; readonly name: string; readonly messages: number }[]
  readonly people: number
  readonly channels: number
  readonly first?: { readonly cid: string; readonly name: string }
}

type Kind = 'person' | 'channel' | 'member' | 'message' | 'file' | 'pin'

export type ImportedRow = {
  readonly key: string
  readonly kind: Kind
  readonly target: string
  readonly added: number
  readonly import_id: number
}

/** The same message of the same export always has this id. */
export function messageIdOf(source: ImportSource, channel: string, id: string): string {
  return `import-${createHash('sha256')
    .update(JSON.stringify([source, channel, id]))
    .digest('hex')
    .slice(0, 32)}`
}

const LAST_IMPORT = 'SELECT * FROM imports ORDER BY id DESC LIMIT 1'

export const lastImport = (db: Db): ImportRow | undefined => db.get<ImportRow>(LAST_IMPORT)

const LAST_WITH_MESSAGES = `SELECT * FROM imports WHERE done > 0 AND state IN ('done', 'stopped')
  ORDER BY id DESC LIMIT 1`

/** The last one that has ended and added something that is still here. */
export const lastEnded = (db: Db): ImportRow | undefined => db.get<ImportRow>(LAST_WITH_MESSAGES)

export function insertImport(
  db: Db,
  row: Pick<ImportRow, 'source' | 'path' | 'name' | 'total' | 'facts' | 'created_at'>,
): ImportRow {
  const inserted = db.get<ImportRow>(
    `INSERT INTO imports (source, path, name, state, total, facts, created_at)
     VALUES (?, ?, ?, 'running', ?, ?, ?) RETURNING *`,
    row.source,
    row.path,
    row.name,
    row.total,
    row.facts,
    row.created_at,
  )
  if (!inserted) throw new Error('the import was not written')
  return inserted
}

export function setImportState(
  db: Db,
  id: number,
  {
    state,
    problem = null,
    finishedAt = null,
  }: { state: ImportRow['state']; problem?: string | null; finishedAt?: Micros | null },
): void {
  db.run(
    'UPDATE imports SET state = ?, problem = ?, finished_at = coalesce(?, finished_at) WHERE id = ?',
    state,
    problem,
    finishedAt,
    id,
  )
}

export const closeImport = (db: Db, id: number): void => void db.run('UPDATE imports SET closed = 1 WHERE id = ?', id)

export function countImported(
  db: Db,
  id: number,
  { messages, files, lost }: { messages: number; files: number; lost: number },
): void {
  db.run('UPDATE imports SET done = done + ?, files = files + ? WHERE id = ?', messages, files, id)
  if (lost > 0) db.run(COUNT_LOST, lost, id)
}

const COUNT_LOST = `UPDATE imports SET facts = json_set(facts, '$.left."missing-files"',
  coalesce(json_extract(facts, '$.left."missing-files"'), 0) + ?) WHERE id = ?`

export const importedRow = (db: Db, key: string): ImportedRow | undefined =>
  db.get<ImportedRow>('SELECT * FROM imported WHERE key = ?', key)

/** Remembers a thing of an export; one that is known stays as it is. */
export function noteImported(db: Db, row: ImportedRow): void {
  db.run(
    'INSERT OR IGNORE INTO imported (key, kind, target, added, import_id) VALUES (?, ?, ?, ?, ?)',
    row.key,
    row.kind,
    row.target,
    row.added,
    row.import_id,
  )
}

/** The user chose someone or something else than an earlier import did. */
export function retarget(db: Db, { key, target, added, import_id: importId }: ImportedRow): void {
  db.run('UPDATE imported SET target = ?, added = ?, import_id = ? WHERE key = ?', target, added, importId, key)
}

const ADDED = `SELECT key, kind, target, added, import_id FROM imported
  WHERE import_id = ? AND kind = ? AND key > ? ORDER BY key LIMIT ?`

/** What an import has noted of one kind, by key, after a key. */
export const importedOf = (db: Db, id: number, kind: Kind, after: string, limit: number): ImportedRow[] =>
  db.all<ImportedRow>(ADDED, id, kind, after, limit)

export const forgetImported = (db: Db, key: string): void => void db.run('DELETE FROM imported WHERE key = ?', key)
