import { crc32 } from 'node:zlib'
import type { Bind } from '#main/lib/sqlite/sql.ts'
import type { CacheSql } from '../store.ts'

/**
 * The columns covered by the checksum of a row, by table of both databases. Those of `outbox.db` never change: versions
 * with and without an added column must compute the same checksum.
 */
const SUMMED = {
  // In each of the two files.
  meta: 'key value',
  // outbox.db
  intents: 'seq id cid thread_root kind entity_id depends_on payload created_at attempts next_at state reason',
  drafts: 'key cid updated_at json',
  uploads: 'id cid message_id staged_bytes created_at json',
  reminder_notes: 'message_id cid rang_for rang_at done_at remind_at',
  thread_follows: 'parent_id cid follows at',
  kept_reads: 'key cid thread_id read_at up_to first_unread_id at refused',
  draft_history: 'id key cid parent_id began_at at text',
  // cache.db
  users: 'id name updated_at as_of json',
  mutes: 'kind target expires_at',
  channels: 'cid type hidden hide_before last_message_at reads updated_at as_of json',
  members: 'cid user_id pinned_at archived_at created_at updated_at as_of json',
  messages:
    'id cid user_id type text parent_id in_channel quoted_id pinned pinned_at silent shadowed mentions_viewer created_at updated_at deleted_at as_of social json',
  ranges: 'scope first_at first_id last_at last_id has_prev has_next',
  reads: 'cid thread_id user_id last_read_at last_read_message_id unread counted_at first_unread_id as_of delivered_at',
  polls: 'id updated_at as_of own json',
  reminders: 'message_id cid remind_at created_at updated_at as_of gone',
  thread_titles: 'parent_id cid title as_of',
  message_revisions: 'message_id at text',
  emoji: 'name json',
  tracks: 'message_id at latitude longitude',
} as const

export type SummedTable = keyof typeof SUMMED
/** The words of a string type. */
type Names<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Names<Rest> : Text
type AllColumns<Table extends SummedTable> = { readonly [Column in Names<(typeof SUMMED)[Table]>]: Bind | undefined }
type Columns<Table extends SummedTable> = Partial<AllColumns<Table>>

const COLUMNS = Object.fromEntries(
  Object.entries(SUMMED).map(([table, columns]) => [table, columns.split(' ')]),
) as unknown as { readonly [Table in SummedTable]: readonly Names<(typeof SUMMED)[Table]>[] }

export const columnsOf = (table: SummedTable): readonly string[] => COLUMNS[table]

export const sumOf = <Table extends SummedTable>(table: Table, row: Columns<Table>): number =>
  sumOfValues(storedValues(table, row))

/** The columns of a row in the order of {@link summed}, without the checksum. */
export const storedValues = <Table extends SummedTable>(table: Table, row: Columns<Table>): readonly Bind[] =>
  COLUMNS[table].map((column) => row[column] ?? null)

/** @param values in the order of the columns */
export function sumOfValues(values: readonly Bind[]): number {
  const text = JSON.stringify(values)
  // SQLite stores text as UTF-8, which has no lone surrogates. Here they would be such escapes.
  return crc32(text.includes(LONE) ? JSON.stringify(values.map(wellFormed)) : text)
}

const LONE = '\\ud'
const wellFormed = (value: Bind): Bind => (typeof value === 'string' ? value.toWellFormed() : value)

/** The binds of {@link insertInto}: each column in order, and the checksum. */
export function summed<Table extends SummedTable>(table: Table, row: AllColumns<Table>): readonly Bind[] {
  const values: Bind[] = COLUMNS[table].map((column) => row[column] ?? null)
  values.push(sumOfValues(values))
  return values
}

/** The statement that writes a whole row, or ignores an existing one with the same key. */
export function insertInto(table: SummedTable, held: 'REPLACE' | 'IGNORE' = 'REPLACE'): string {
  const columns = columnsOf(table)
  return `INSERT OR ${held} INTO ${table} (${columns.join(', ')}, sum) VALUES (${columns.map(() => '?, ').join('')}?)`
}

/**
 * Like {@link insertInto}, but updates in place: a replaced row moves to the end of its table, and every index is
 * rewritten.
 */
export function upsertInto(table: SummedTable, key: string): string {
  const keys = key.split(', ')
  const others = [...columnsOf(table), 'sum'].filter((column) => !keys.includes(column))
  const changes = others.map((column) => `${column} = excluded.${column}`)
  const insert = insertInto(table).replace('OR REPLACE ', '')
  return `${insert} ON CONFLICT (${key}) DO UPDATE SET ${changes.join(', ')}`
}

/**
 * Writes to a row with this key only the columns that differ: the others' indexes are not written either.
 *
 * @param before what the file has, as {@link storedValues}
 * @param now the binds of the whole row, as {@link summed}
 */
export function update(
  db: Pick<CacheSql, 'run'>,
  table: SummedTable,
  before: readonly Bind[],
  now: readonly Bind[],
  [key, value]: readonly [column: string, value: string],
): void {
  const changed = columnsOf(table).flatMap((column, at) => (before[at] === now[at] ? [] : [{ column, at }]))
  if (changed.length === 0) return
  const set = changed.map(({ column }) => `${column} = ?`).join(', ')
  const binds = changed.map(({ at }) => now[at] ?? null)
  db.run(`UPDATE ${table} SET ${set}, sum = ? WHERE ${key} = ?`, ...binds, now.at(-1) ?? null, value)
}

/**
 * Returns the row if its checksum is valid: SQLite detects a corrupt page, but not a changed character. `sum` is NULL
 * if the row was written by a version without checksums. Throws `store/damaged`.
 *
 * @param lookupKey the key of the lookup: a damaged index may lead to another row
 */
export function checked<Table extends SummedTable, Row extends Columns<Table> & { readonly sum?: number | null }>(
  db: Pick<CacheSql, 'damaged'>,
  table: Table,
  row: Row,
  lookupKey?: Partial<Row>,
): Row {
  const isWhole = row.sum === null || row.sum === undefined || row.sum === sumOf(table, row)
  if (
    isWhole &&
    (lookupKey === undefined ||
      Object.entries(lookupKey).every(([column, value]) => row[column as keyof Row] === value))
  )
    return row
  throw db.damaged()
}
