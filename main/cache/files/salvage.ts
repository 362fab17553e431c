import { AppError } from '#shared/lib/app-error.ts'
import { asUserId } from '#shared/lib/brand.ts'
import type { Clock } from '#main/lib/clock.ts'
import { isDamage } from '#main/lib/disk-error.ts'
import type { Logger } from '#main/lib/logger.ts'
import { type Raw, SIDES, readEachWay, removeDatabase, moveDatabase } from '#main/lib/sqlite/connection.ts'
import type { Disk } from '#main/lib/sqlite/disk.ts'
import type { MetaRow } from '../rows.ts'
import {
  type JournalContent,
  type Noted,
  type OutboxRows,
  type OutboxTable,
  readLedger,
  type Ledger,
} from './journal.ts'
import { openCacheSql, type Reader } from '../store.ts'
import * as meta from '../meta.ts'
import * as drafts from '../outbox/drafts.ts'
import * as intents from '../outbox/intents.ts'
import * as localReads from '../outbox/local-reads.ts'
import * as notes from '../outbox/reminder-notes.ts'
import * as follows from '../outbox/thread-follows.ts'
import * as uploads from '../outbox/uploads.ts'
import { basename, dirname, join } from 'node:path'

/** Everything readable of a broken outbox, from the journal and from the file itself. */
export type Salvage = {
  readonly rows: OutboxRows
  /** Earlier versions of drafts: they are not in the journal, and not counted. */
  readonly versions: readonly drafts.StoredVersion[]
  /** The meta rows; not counted either. */
  readonly marks: readonly MetaRow[]
  readonly recovered: number
  readonly missing: number
  /** The newest commit known to either copy. */
  readonly commit: number
}

/** The readable content of the file: rows with valid checksums. */
export type Found = Pick<Salvage, 'rows' | 'versions' | 'marks'> & {
  /** Absent if unreadable, and in a file of a version that did not count commits. */
  readonly ledger: Ledger | undefined
  /** Every row is readable: a missing one was removed. */
  readonly isWhole: boolean
}

export const NOTHING_FOUND: Found = {
  rows: { intents: [], drafts: [], uploads: [], notes: [], follows: [], reads: [] },
  versions: [],
  marks: [],
  ledger: undefined,
  isWhole: false,
}

const KEY_OF: { readonly [Table in OutboxTable]: (row: OutboxRows[Table][number]) => string } = {
  intents: (row) => row.id,
  drafts: (row) => row.key,
  uploads: (row) => row.id,
  notes: (row) => row.messageId,
  follows: (row) => row.parentId,
  reads: localReads.keyOf,
}

/**
 * Chooses the better copy of each row. Journal entries after the database's last commit are newer than the database;
 * for earlier entries the database takes precedence, as far as it is readable. If the database's last commit is
 * unknown, the journal takes precedence. A row in one of them is dropped only if the other one recorded its removal.
 */
export function combine(journal: JournalContent, found: Found): Salvage {
  const of = <Table extends OutboxTable>(table: Table) =>
    better(journal, found, table, found.rows[table] as readonly OutboxRows[Table][number][])
  const rows: OutboxRows = {
    intents: of('intents').toSorted((a, b) => a.seq - b.seq),
    drafts: of('drafts'),
    uploads: of('uploads'),
    notes: of('notes'),
    follows: of('follows'),
    reads: of('reads'),
  }
  const recovered = Object.values(rows).reduce((sum, each) => sum + each.length, 0)
  const { ledger } = found
  const expected = ledger && ledger.commit >= journal.commit ? ledger.live : journal.expected
  const commit = Math.max(ledger?.commit ?? 0, journal.commit)
  const { versions, marks } = found
  return { rows, versions, marks, recovered, missing: Math.max(0, expected - recovered), commit }
}

function better<Table extends OutboxTable>(
  journal: JournalContent,
  { ledger, isWhole }: Found,
  table: Table,
  found: readonly OutboxRows[Table][number][],
): readonly OutboxRows[Table][number][] {
  const lastCommit = ledger?.commit ?? -1
  const ofTable = [...journal.noted].filter(([, { entry }]) => entry.t === table)
  const noted = new Map<string, Noted>(ofTable.map(([, each]) => [each.entry.k, each]))
  const inFile = new Map(found.map((row) => [(KEY_OF[table] as (row: unknown) => string)(row), row]))
  return [...new Set([...noted.keys(), ...inFile.keys()])].flatMap((key) => {
    const line = noted.get(key)
    const row = inFile.get(key)
    const fromJournal = line?.entry.row as typeof row
    if (!line) return row === undefined || wasRemoved(journal, ledger) ? [] : [row]
    // The database includes this commit and may be newer; a missing row means "removed" only if the file is readable as
    // a whole.
    const chosen = line.commit > lastCommit ? fromJournal : (row ?? (isWhole ? undefined : fromJournal))
    return chosen === undefined ? [] : [chosen]
  })
}

/**
 * The journal was rewritten after the database's last commit: rows that only the database has were removed in between.
 */
const wasRemoved = ({ wholeAt }: JournalContent, ledger: Ledger | undefined): boolean =>
  ledger !== undefined && ledger.commit < wholeAt

/** All rows of a valid file. Throws `store/damaged` for an invalid checksum. */
export function readSound(reader: Reader): Found {
  return {
    rows: {
      intents: intents.all(reader),
      drafts: drafts.all(reader),
      uploads: uploads.all(reader),
      notes: notes.all(reader),
      follows: [...follows.all(reader).values()],
      reads: [...localReads.all(reader).values()],
    },
    versions: drafts.allVersions(reader),
    marks: meta.all(reader),
    ledger: readLedger(reader),
    isWhole: true,
  }
}

/** Reads a copy of the damaged file row by row, from both ends, as far as its pages are readable. */
export function readDamaged(
  disk: Disk,
  path: string,
  scratchPath: string,
  clock: Pick<Clock, 'monotonic'>,
  log: Logger,
): Found {
  if (!disk.exists(path) || disk.isFolder(path)) return NOTHING_FOUND
  let raw: Raw | undefined
  try {
    for (const side of ['', '-wal']) if (disk.exists(path + side)) disk.copy(path + side, scratchPath + side)
    raw = disk.open(scratchPath)
    const reader: Reader = { db: openCacheSql(raw, clock, log), viewerId: asUserId('') }
    const each = <Row>(table: SqlTable, column: string, read: (key: string) => Row | undefined, order = column) =>
      readEach(readableKeys(reader, table, column, order), read)
    const rows: OutboxRows = {
      intents: each('intents', 'id', (id) => intents.byId(reader, id), 'rowid'),
      drafts: each('drafts', 'key', (key) => drafts.byKey(reader, key), 'rowid'),
      uploads: each('uploads', 'id', (id) => uploads.byId(reader, id), 'rowid'),
      notes: each('reminder_notes', 'message_id', (id) => notes.byId(reader, id)),
      follows: each('thread_follows', 'parent_id', (id) => follows.byParent(reader, id)),
      reads: each('kept_reads', 'key', (key) => localReads.byKey(reader, key)),
    }
    const versions = each('draft_history', 'id', (id) => drafts.versionById(reader, id))
    const marks = each('meta', 'key', (key) => meta.byKey(reader, key))
    const [ledger] = readEach(['ledger'], () => readLedger(reader))
    return { rows, versions, marks, ledger, isWhole: false }
  } catch (error) {
    log.warn('salvage', { reason: error instanceof Error ? error.name : 'unknown' })
    return NOTHING_FOUND
  } finally {
    raw?.close()
    removeDatabase(disk, scratchPath)
  }
}

type SqlTable =
  | 'meta'
  | 'intents'
  | 'drafts'
  | 'uploads'
  | 'reminder_notes'
  | 'thread_follows'
  | 'kept_reads'
  | 'draft_history'

/**
 * Keys in table order, forwards until the first bad page and backwards until the last one. A file of an older schema
 * has fewer tables.
 */
function readableKeys(reader: Reader, table: SqlTable, column: string, by: string): ReadonlySet<string> {
  const keys = new Set<string>()
  const ways = ['ASC', 'DESC'].map((order) => () => {
    // All four parts are constants of this file.
    const sql = `SELECT ${column} AS key FROM ${table} ORDER BY ${by} ${order}`
    return reader.db.raw.prepare<[], { key: string }>(sql).iterate()
  })
  readEachWay(ways, ({ key }) => void keys.add(key))
  return keys
}

function readEach<Row>(keys: Iterable<string>, read: (key: string) => Row | undefined): readonly Row[] {
  const rows: Row[] = []
  for (const key of keys) {
    try {
      const row = read(key)
      if (row !== undefined) rows.push(row)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      // This row is unreadable; it is counted as missing.
    }
  }
  return rows
}

const isUnreadable = (error: unknown): boolean => isDamage(error) || error instanceof AppError

const KEPT_FOR_MS = 30 * 24 * 3_600_000
const LIMIT_BYTES = 500 * 1024 * 1024

/**
 * Moves a bad database with its side files to `quarantine/<name>.<time>`, and removes the oldest ones beyond `maxCopies` or
 * beyond 500 MB in total. `copyAlso` names a file that is copied with it.
 */
export function quarantine(
  disk: Disk,
  path: string,
  now: number,
  options: { maxCopies: number; copyAlso?: string },
): string {
  const folder = join(dirname(path), 'quarantine')
  disk.folder(folder)
  const target = freeName(disk, join(folder, `${basename(path)}.${now}`))
  if (options.copyAlso !== undefined && disk.exists(options.copyAlso)) disk.copy(options.copyAlso, `${target}-journal`)
  moveDatabase(disk, path, target)
  disk.syncFolder(dirname(path))
  prune(disk, folder, basename(path), options.maxCopies)
  return target
}

/** Removes files that have been in an account's quarantine for 30 days: they contain messages. */
export function expireQuarantine(disk: Disk, folder: string, now: number): void {
  const quarantined = join(folder, 'quarantine')
  for (const entry of disk.list(quarantined)) {
    const [time] = numbersOf(entry.replace(/-(wal|shm|journal)$/, ''))
    if (time !== undefined && now - time >= KEPT_FOR_MS) disk.remove(join(quarantined, entry))
  }
}

function freeName(disk: Disk, wanted: string): string {
  let name = wanted
  for (let count = 2; disk.exists(name); count += 1) name = `${wanted}.${count}`
  return name
}

function prune(disk: Disk, folder: string, name: string, maxCopies: number): void {
  const isMain = (entry: string) => entry.startsWith(`${name}.`) && !/-(wal|shm|journal)$/.test(entry)
  const entries = disk.list(folder).filter(isMain).toSorted(byTime).toReversed()
  let bytes = 0
  entries.forEach((entry, index) => {
    bytes += disk.isFolder(join(folder, entry)) ? 0 : disk.size(join(folder, entry))
    if (index < maxCopies && (index === 0 || bytes <= LIMIT_BYTES)) return
    for (const side of [...SIDES, '-journal']) disk.remove(join(folder, entry + side))
  })
}

const byTime = (a: string, b: string): number => {
  const [first = 0, second = 0] = numbersOf(a)
  const [otherFirst = 0, otherSecond = 0] = numbersOf(b)
  return first - otherFirst || second - otherSecond
}

const numbersOf = (name: string): readonly number[] => name.split('.').map(Number).filter(Number.isFinite)
