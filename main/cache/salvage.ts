import Database from 'better-sqlite3'
import { asUserId } from '#shared/lib/brand.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { Disk } from './disk.ts'
import type { JournalContent, OutboxRows } from './journal.ts'
import type { DraftRow, IntentRow, ReminderNote, UploadRow } from './rows.ts'
import { openSql } from './sql.ts'
import * as history from './tables/draft-history.ts'
import * as drafts from './tables/drafts.ts'
import * as intents from './tables/intents.ts'
import * as keptReads from './tables/kept-reads.ts'
import * as notes from './tables/reminder-notes.ts'
import * as follows from './tables/thread-follows.ts'
import * as uploads from './tables/uploads.ts'
import type { Reader } from './tx.ts'

/** Everything of a broken outbox that can still be read, from the journal and from the file itself. */
export type Salvage = {
  readonly rows: OutboxRows
  /** Former words of drafts: they have no second copy, and are not counted. */
  readonly versions: readonly history.StoredVersion[]
  readonly recovered: number
  readonly missing: number
}

/** What the file itself still gives. */
export type Found = Pick<Salvage, 'rows' | 'versions'>
export const NOTHING_FOUND: Found = {
  rows: { intents: [], drafts: [], uploads: [], notes: [], follows: [], reads: [] },
  versions: [],
}

/**
 * The journal is believed first. Rows that only the database has, and that the journal did not see removed, are added
 * when their checksum is right: they were committed just before the end, or their journal line is damaged.
 */
export function combine(journal: JournalContent, { rows: found, versions }: Found): Salvage {
  const rows: OutboxRows = {
    intents: added(journal, 'intents', journal.rows.intents, found.intents, (row) => row.id),
    drafts: added(journal, 'drafts', journal.rows.drafts, found.drafts, (row) => row.key),
    uploads: added(journal, 'uploads', journal.rows.uploads, found.uploads, (row) => row.id),
    notes: added(journal, 'notes', journal.rows.notes, found.notes, (row) => row.messageId),
    follows: added(journal, 'follows', journal.rows.follows, found.follows, (row) => row.parentId),
    reads: added(journal, 'reads', journal.rows.reads, found.reads, keptReads.keyOf),
  }
  const recovered = Object.values(rows).reduce((sum, each) => sum + each.length, 0)
  return { rows, versions, recovered, missing: Math.max(0, journal.expected - recovered) }
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
): Found {
  if (!disk.exists(path) || disk.isFolder(path)) return NOTHING_FOUND
  for (const side of ['', '-wal']) if (disk.exists(path + side)) disk.copy(path + side, scratchPath + side)
  let raw: Database.Database | undefined
  try {
    raw = new Database(scratchPath)
    const reader: Reader = { db: openSql(raw, clock, log), viewerId: asUserId('') }
    const keysOf = (table: SqlTable, column: string, order = 'rowid') => readableKeys(reader, table, column, order)
    const rows: OutboxRows = {
      intents: readEach(keysOf('intents', 'id'), (id) => intactIntent(reader, id)),
      drafts: readEach(keysOf('drafts', 'key'), (key): DraftRow | undefined => drafts.byKey(reader, key)),
      uploads: readEach(keysOf('uploads', 'id'), (id): UploadRow | undefined => uploads.byId(reader, id)),
      notes: readEach(keysOf('reminder_notes', 'message_id', 'message_id'), (id): ReminderNote | undefined =>
        notes.byId(reader, id),
      ),
      follows: readEach(keysOf('thread_follows', 'parent_id', 'parent_id'), (id) => follows.byParent(reader, id)),
      reads: readEach(keysOf('kept_reads', 'key', 'key'), (key) => keptReads.byKey(reader, key)),
    }
    return { rows, versions: readEach(keysOf('draft_history', 'id'), (id) => history.storedById(reader, id)) }
  } catch (error) {
    log.warn('salvage', { reason: error instanceof Error ? error.name : 'unknown' })
    return NOTHING_FOUND
  } finally {
    raw?.close()
    for (const side of ['', '-wal', '-shm']) disk.remove(scratchPath + side)
  }
}

function intactIntent(reader: Reader, id: string): IntentRow | undefined {
  const row = intents.byId(reader, id)
  return row && intents.isIntact(reader, row) ? row : undefined
}

type SqlTable = 'intents' | 'drafts' | 'uploads' | 'reminder_notes' | 'thread_follows' | 'kept_reads' | 'draft_history'

/**
 * Keys by table order, forwards until the first bad page and backwards until the last one. A file of an older schema has
 * fewer tables.
 */
function readableKeys(reader: Reader, table: SqlTable, column: string, by: string): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const order of ['ASC', 'DESC']) {
    try {
      // All four parts are constants of this file.
      const rows = reader.db.raw
        .prepare<[], { key: string }>(`SELECT ${column} AS key FROM ${table} ORDER BY ${by} ${order}`)
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
