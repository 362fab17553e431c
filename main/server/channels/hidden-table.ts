import type { Db } from '../store/db.ts'

/** Hides a message that a user deleted only for themselves. */
export function hideMessage(db: Db, messageId: string, userId: string): void {
  db.run('INSERT OR IGNORE INTO hidden_messages (message_id, user_id) VALUES (?, ?)', messageId, userId)
}

export function hiddenFrom(db: Db, userId: string, messageIds: readonly string[]): Set<string> {
  const rows = db.all<{ message_id: string }>(
    'SELECT message_id FROM hidden_messages WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))',
    userId,
    JSON.stringify(messageIds),
  )
  return new Set(rows.map((row) => row.message_id))
}
