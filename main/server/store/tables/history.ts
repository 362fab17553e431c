import type { Db } from '../db.ts'

/** What a message said before one of its edits. */
export type HistoryRow = {
  readonly seq: number
  readonly message_id: string
  /** Who changed it. */
  readonly user_id: string
  readonly at: number
  readonly text: string
  readonly attachments: string
  readonly custom: string
}

/** With what became of the message. */
export type KeptRow = HistoryRow & { readonly deleted_at: number | null }

export function keepHistory(db: Db, row: Omit<HistoryRow, 'seq'>): void {
  db.run(
    'INSERT INTO message_history (message_id, user_id, at, text, attachments, custom) VALUES (?, ?, ?, ?, ?, ?)',
    row.message_id,
    row.user_id,
    row.at,
    row.text,
    row.attachments,
    row.custom,
  )
}
