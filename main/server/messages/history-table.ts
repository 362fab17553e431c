import type { Db } from '../store/db.ts'

/** The content of a message before one of its edits. */
type HistoryRow = {
  readonly seq: number
  readonly message_id: string
  /** The user who edited it, and the time. */
  readonly user_id: string
  readonly at: number
  readonly text: string
  readonly attachments: string
  readonly custom: string
  /** The author of the stored content, and its time. */
  readonly written_by: string
  readonly written_at: number
}

/** With the deletion time of the message. */
export type HistoryEntry = HistoryRow & { readonly deleted_at: number | null }

/** The previous content was written by the last editor, or by the author if there was no edit. */
const INSERT = `INSERT INTO message_history (message_id, user_id, at, text, attachments, custom, written_by, written_at)
  SELECT m.id, ?, ?, ?, ?, ?, coalesce(last.user_id, m.user_id), coalesce(last.at, m.created_at)
  FROM messages m LEFT JOIN message_history last ON last.seq = (
    SELECT max(seq) FROM message_history WHERE message_id = m.id)
  WHERE m.id = ?`

export function addHistory(db: Db, row: Omit<HistoryRow, 'seq' | 'written_by' | 'written_at'>): void {
  db.run(INSERT, row.user_id, row.at, row.text, row.attachments, row.custom, row.message_id)
}
