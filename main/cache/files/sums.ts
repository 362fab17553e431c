import { crc32 } from './crc.ts'
import type { Bind, Sql } from '../sql.ts'

/**
 * The columns that the checksum of a row covers, table by table of `outbox.db`. They never change: a version that adds a
 * column and one that does not know it must find the same sum.
 */
const SUMMED = {
  intents: 'seq id cid thread_root kind entity_id depends_on payload created_at attempts next_at state reason',
  drafts: 'key cid updated_at json',
  uploads: 'id cid message_id staged_bytes created_at json',
  reminder_notes: 'message_id cid rang_for rang_at done_at remind_at',
  thread_follows: 'parent_id cid follows at',
  kept_reads: 'key cid thread_id read_at up_to first_unread_id at refused',
  draft_history: 'id key cid parent_id began_at at text',
} as const

export type SummedTable = keyof typeof SUMMED
/** The words of a text. */
type Names<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Names<Rest> : Text
type Columns<Table extends SummedTable> = { readonly [Column in Names<(typeof SUMMED)[Table]>]?: Bind | undefined }

export function sumOf<Table extends SummedTable>(table: Table, row: Columns<Table>): number {
  const values = SUMMED[table].split(' ').map((column) => row[column as keyof Columns<Table>] ?? null)
  // SQLite keeps text as UTF-8, which has no lone surrogates.
  return crc32(JSON.stringify(values.map((value) => (typeof value === 'string' ? value.toWellFormed() : value))))
}

/**
 * The row, as long as its bytes are what was written: SQLite notices a page that makes no sense, and never a letter that
 * became another one. `sum` is NULL where a version wrote it that knew of none. Throws `store/damaged`.
 */
export function checked<Table extends SummedTable, Row extends Columns<Table> & { readonly sum?: number | null }>(
  db: Pick<Sql, 'damaged'>,
  table: Table,
  row: Row,
): Row {
  if (row.sum === null || row.sum === undefined || row.sum === sumOf(table, row)) return row
  throw db.damaged()
}
