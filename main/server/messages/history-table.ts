import type { Db } from '../store/db.ts'

/** What a message said before one of its edits. */
type HistoryRow = {
  readonly seq: number
  readonly message_id: string
  /** Who changed it, and when. */
  readonly user_id: string
  readonly at: number
  readonly text: string
  readonly attachments: string
  readonly custom: string
  /** Who had written these words, and when. */
  readonly written_by: string
  readonly written_at: number
}

/** With what became of the message. */
export type KeptRow = HistoryRow & { readonly deleted_at: number | null }

/** Who changed the message last wrote what it says until now; no one did: its author. */
const KEEP = `INSERT INTO message_history (message_id, user_id, at, text, attachments, custom, written_by, written_at)
  SELECT m.id, ?, ?, ?, ?, ?, coalesce(last.user_id, m.user_id), coalesce(last.at, m.created_at)
  FROM messages m LEFT JOIN message_history last ON last.seq = (
    SELECT max(seq) FROM message_history WHERE message_id = m.id)
  WHERE m.id = ?`

export function keepHistory(db: Db, row: Omit<HistoryRow, 'seq' | 'written_by' | 'written_at'>): void {
  db.run(KEEP, row.user_id, row.at, row.text, row.attachments, row.custom, row.message_id)
}
