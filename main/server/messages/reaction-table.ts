import type { Db } from '../store/db.ts'

export type ReactionRow = {
  readonly message_id: string
  readonly user_id: string
  readonly type: string
  readonly score: number
  readonly created_at: number
  readonly updated_at: number
  readonly custom: string
}

/** Reactions of several messages, newest first. */
export function reactionsOf(db: Db, messageIds: readonly string[]): ReactionRow[] {
  if (messageIds.length === 0) return []
  return db.all<ReactionRow>(
    `SELECT * FROM reactions WHERE message_id IN (SELECT value FROM json_each(?))
     ORDER BY created_at DESC, user_id, type`,
    JSON.stringify(messageIds),
  )
}

export const REACTION_PAGE = `SELECT * FROM reactions WHERE message_id = ?
  ORDER BY created_at DESC, user_id DESC, type DESC LIMIT ? OFFSET ?`

export function reactionPage(db: Db, messageId: string, limit: number, offset: number): ReactionRow[] {
  return db.all<ReactionRow>(REACTION_PAGE, messageId, limit, offset)
}

export function ownReactions(db: Db, messageId: string, userId: string): ReactionRow[] {
  return db.all<ReactionRow>('SELECT * FROM reactions WHERE message_id = ? AND user_id = ?', messageId, userId)
}

export function putReaction(db: Db, row: ReactionRow): void {
  db.run(
    `INSERT INTO reactions (message_id, user_id, type, score, created_at, updated_at, custom)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (message_id, user_id, type)
       DO UPDATE SET score = excluded.score, updated_at = excluded.updated_at, custom = excluded.custom`,
    row.message_id,
    row.user_id,
    row.type,
    row.score,
    row.created_at,
    row.updated_at,
    row.custom,
  )
}

export function deleteReactionRow(db: Db, messageId: string, userId: string, type: string): void {
  db.run('DELETE FROM reactions WHERE message_id = ? AND user_id = ? AND type = ?', messageId, userId, type)
}
