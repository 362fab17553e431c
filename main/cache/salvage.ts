import Database from 'better-sqlite3'
import { asUserId } from '#shared/lib/brand.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { Disk } from './disk.ts'
import type { JournalContent, OutboxRows } from './journal.ts'
import type { DraftRow, IntentRow, UploadRow } from './rows.ts'
import { openSql } from './sql.ts'
import * as drafts from './tables/drafts.ts'
import * as intents from './tables/intents.ts'
import * as uploads from './tables/uploads.ts'
import type { Reader } from './tx.ts'

/** Everything of a broken outbox that can still be read, from the journal and from the file itself. */
export type Salvage = { readonly rows: OutboxRows; readonly recovered: number; readonly missing: number }

/**
 * The journal is believed first. Rows that only the database has, and that the journal did not see removed, are added
 * when their checksum is right: they were committed just before the end, or their journal line is damaged.
 */
export function combine(journal: JournalContent, found: OutboxRows): Salvage {
  const rows: OutboxRows = {
    intents: added(journal, 'intents', journal.rows.intents, found.intents, (row) => row.id),
    drafts: added(journal, 'drafts', journal.rows.drafts, found.drafts, (row) => row.key),
    uploads: added(journal, 'uploads', journal.rows.uploads, found.uploads, (row) => row.id),
  }
  const recovered = rows.intents.length + rows.drafts.length + rows.uploads.length
  return { rows, recovered, missing: Math.max(0, journal.expected - recovered) }
}

function added<Row>(
  journal: JournalContent,
  table: keyof OutboxRows,
  known: readonly Row[],
  found: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const held = new Set(known.map(keyOf))
  const extra = found.filter((row) => !held.has(keyOf(row)) && !journal.removed.has(`${table}/${keyOf(row)}`))
  return [...known, ...extra]
}

/** Reads a copy of the damaged file row by row, from both ends, over the pages that still answer. */
export function readDamaged(
  disk: Disk,
  path: string,
  scratchPath: string,
  clock: Pick<Clock, 'monotonic'>,
  log: Logger,
): OutboxRows {
  const nothing: OutboxRows = { intents: [], drafts: [], uploads: [] }
  if (!disk.exists(path) || disk.isFolder(path)) return nothing
  for (const side of ['', '-wal']) if (disk.exists(path + side)) disk.copy(path + side, scratchPath + side)
  let raw: Database.Database | undefined
  try {
    raw = new Database(scratchPath)
    const reader: Reader = { db: openSql(raw, clock, log), viewerId: asUserId('') }
    const keysOf = (table: keyof OutboxRows, column: string) => readableKeys(reader, table, column)
    return {
      intents: readEach(keysOf('intents', 'id'), (id) => intactIntent(reader, id)),
      drafts: readEach(keysOf('drafts', 'key'), (key): DraftRow | undefined => drafts.byKey(reader, key)),
      uploads: readEach(keysOf('uploads', 'id'), (id): UploadRow | undefined => uploads.byId(reader, id)),
    }
  } catch (error) {
    log.warn('salvage', { reason: error instanceof Error ? error.name : 'unknown' })
    return nothing
  } finally {
    raw?.close()
    for (const side of ['', '-wal', '-shm']) disk.remove(scratchPath + side)
  }
}

function intactIntent(reader: Reader, id: string): IntentRow | undefined {
  const row = intents.byId(reader, id)
  return row && intents.isIntact(reader, row) ? row : undefined
}

/** Keys by table order, forwards until the first bad page and backwards until the last one. */
function readableKeys(reader: Reader, table: keyof OutboxRows, column: string): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const order of ['ASC', 'DESC']) {
    try {
      // All three parts are constants of this file.
      const rows = reader.db.raw
        .prepare<[], { key: string }>(`SELECT ${column} AS key FROM ${table} ORDER BY rowid ${order}`)
        .iterate()
      for (const { key } of rows) keys.add(key)
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error
      // This end stops at a bad page; the other end goes on from behind it.
    }
  }
  return keys
}

function readEach<Row>(keys: ReadonlySet<string>, read: (key: string) => Row | undefined): readonly Row[] {
  const rows: Row[] = []
  for (const key of keys) {
    try {
      const row = read(key)
      if (row !== undefined) rows.push(row)
    } catch (error) {
      if (!(error instanceof Database.SqliteError) && !(error instanceof SyntaxError)) throw error
      // This row is not readable; the count of missing ones says so.
    }
  }
  return rows
}
