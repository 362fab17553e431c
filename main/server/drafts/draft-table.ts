import type { Db } from '../store/db.ts'

export type DraftRow = {
  readonly user_id: string
  readonly cid: string
  /** Empty: the draft of the channel itself. */
  readonly parent_id: string
  readonly created_at: number
  /** The validated message as JSON. */
  readonly message: string
}

export function draftOf(db: Db, userId: string, cid: string, parentId: string): DraftRow | undefined {
  return db.get<DraftRow>('SELECT * FROM drafts WHERE user_id = ? AND cid = ? AND parent_id = ?', userId, cid, parentId)
}

export const THREAD_DRAFTS = `SELECT * FROM drafts
  WHERE user_id = ? AND parent_id <> '' AND parent_id IN (SELECT value FROM json_each(?))`

/** The user's drafts in the threads of these messages, by message. */
export function threadDrafts(db: Db, userId: string, parentIds: readonly string[]): Map<string, DraftRow> {
  const rows = db.all<DraftRow>(THREAD_DRAFTS, userId, JSON.stringify(parentIds))
  return new Map(rows.map((row) => [row.parent_id, row]))
}

/** One draft per user, channel and parent: a second one replaces the first. */
export function putDraft(db: Db, row: DraftRow): void {
  db.run(
    `INSERT INTO drafts (user_id, cid, parent_id, created_at, message) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (user_id, cid, parent_id) DO UPDATE SET created_at = excluded.created_at, message = excluded.message`,
    row.user_id,
    row.cid,
    row.parent_id,
    row.created_at,
    row.message,
  )
}

export function deleteDraftRow(db: Db, row: Pick<DraftRow, 'user_id' | 'cid' | 'parent_id'>): void {
  db.run('DELETE FROM drafts WHERE user_id = ? AND cid = ? AND parent_id = ?', row.user_id, row.cid, row.parent_id)
}
