import type { MessageRevision } from '#shared/domain/message.ts'
import type { MessageRow } from '../rows.ts'
import { checked, insertInto, summed } from '../files/sums.ts'
import type { Reader, Tx } from '../tx.ts'

/**
 * Former words of edited messages. The contract hands none out to members, so only what this computer saw is known. They
 * leave with their message: by the foreign key when the row goes, by {@link forget} when it becomes a tombstone.
 */
type Stored = MessageRevision & { readonly message_id: string; readonly sum: number }

const PUT = insertInto('message_revisions', 'IGNORE')
const OF = 'SELECT * FROM message_revisions WHERE message_id = ? ORDER BY at'
const FORGET = 'DELETE FROM message_revisions WHERE message_id = ?'
/** The newest stay. */
const TRIM = `DELETE FROM message_revisions WHERE message_id = ? AND at NOT IN (
  SELECT at FROM message_revisions WHERE message_id = ? ORDER BY at DESC LIMIT ?)`
const MOST = 50

/** Keeps the words that an edit replaces. A live text that grows without being edited leaves no trace. */
export function note(tx: Tx, before: MessageRow, after: MessageRow): void {
  if (after.type === 'deleted') return
  if (before.text === after.text || before.editedAt === after.editedAt || before.type === 'deleted') return
  const row = { message_id: before.id, at: before.editedAt ?? before.createdAt, text: before.text }
  tx.db.run(PUT, ...summed('message_revisions', row))
  tx.db.run(TRIM, before.id, before.id, MOST)
}

/** No one is to read them again. */
export function forget(tx: Tx, messageId: string): void {
  tx.db.run(FORGET, messageId)
}

/** Oldest first, without what the message says now. */
export const of = (reader: Reader, messageId: string): readonly MessageRevision[] =>
  reader.db.all<Stored>(OF, messageId).map((stored) => {
    const { at, text } = checked(reader.db, 'message_revisions', stored)
    return { at, text }
  })
