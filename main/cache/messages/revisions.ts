import type { MessageRevision } from '#shared/domain/message.ts'
import type { MessageRow } from '../rows.ts'
import { checked, insertInto, summed } from '../files/sums.ts'
import type { Reader, Tx } from '../store.ts'

/**
 * Earlier texts of edited messages. The contract does not provide them to members, so only those received on this
 * device are known. They are deleted with their message: by the foreign key when the row is deleted, by {@link forget}
 * when it becomes a tombstone.
 */
type Stored = MessageRevision & { readonly message_id: string; readonly sum: number }

const PUT = insertInto('message_revisions', 'IGNORE')
const OF = 'SELECT * FROM message_revisions WHERE message_id = ? ORDER BY at'
const FORGET = 'DELETE FROM message_revisions WHERE message_id = ?'
/** The newest remain. */
const TRIM = `DELETE FROM message_revisions WHERE message_id = ? AND at NOT IN (
  SELECT at FROM message_revisions WHERE message_id = ? ORDER BY at DESC LIMIT ?)`
const MOST = 50

/** Stores the text that an edit replaces. Streaming text that changes without being edited is not stored. */
export function note(tx: Tx, before: MessageRow, after: MessageRow): void {
  if (after.type === 'deleted') return
  if (before.text === after.text || before.editedAt === after.editedAt || before.type === 'deleted') return
  const row = { message_id: before.id, at: before.editedAt ?? before.createdAt, text: before.text }
  tx.db.run(PUT, ...summed('message_revisions', row))
  tx.db.run(TRIM, before.id, before.id, MOST)
}

/** They must not be readable anymore. */
export function forget(tx: Tx, messageId: string): void {
  tx.db.run(FORGET, messageId)
}

/** Oldest first, without the current text. */
export const of = (reader: Reader, messageId: string): readonly MessageRevision[] =>
  reader.db.all<Stored>(OF, messageId).map((stored) => {
    const { at, text } = checked(reader.db, 'message_revisions', stored)
    return { at, text }
  })
