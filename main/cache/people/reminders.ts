import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import type { ReminderRow } from '../rows.ts'
import type { Reader, Tx } from '../tx.ts'
import { optional } from '../json.ts'

/** The viewer's reminders, one row a message. Few: people keep dozens, not thousands. */
type Stored = {
  message_id: string
  cid: string
  remind_at: number | null
  created_at: number
  updated_at: number
  as_of: number
  gone: number
}

const ALL = 'SELECT * FROM reminders WHERE gone = 0'
const BY_ID = 'SELECT * FROM reminders WHERE message_id = ?'
const PUT = `INSERT OR REPLACE INTO reminders (message_id, cid, remind_at, created_at, updated_at, as_of, gone)
  VALUES (?, ?, ?, ?, ?, ?, 0)`
const MARK_GONE = `INSERT INTO reminders (message_id, cid, remind_at, created_at, updated_at, as_of, gone)
  VALUES (?, ?, NULL, 0, 0, ?, 1)
  ON CONFLICT (message_id) DO UPDATE SET gone = 1, as_of = excluded.as_of WHERE as_of <= excluded.as_of`
const FORGET_MARKS = 'DELETE FROM reminders WHERE gone = 1 AND as_of < ?'

export const all = (reader: Reader): readonly ReminderRow[] => reader.db.all<Stored>(ALL).map(toRow)

export function byId(reader: Reader, messageId: string): ReminderRow | undefined {
  const stored = reader.db.get<Stored>(BY_ID, messageId)
  return stored && stored.gone === 0 ? toRow(stored) : undefined
}

/** An older copy, or one from before the removal, changes nothing. */
export function put(tx: Tx, row: ReminderRow): void {
  const stored = tx.db.get<Stored>(BY_ID, row.messageId)
  if (stored && stored.as_of > row.asOf) return
  if (stored && stored.gone === 0 && isSame(toRow(stored), row)) return
  const { messageId, cid, remindAt, createdAt, updatedAt, asOf } = row
  tx.db.run(PUT, messageId, cid, remindAt ?? null, createdAt, updatedAt, asOf)
  touch(tx, messageId)
}

export function remove(tx: Tx, reminder: Pick<ReminderRow, 'messageId' | 'cid' | 'asOf'>): void {
  if (tx.db.run(MARK_GONE, reminder.messageId, reminder.cid, reminder.asOf) > 0) touch(tx, reminder.messageId)
}

/** All there are by an answer to a request of `asOf`: those that it does not name and that are not newer are gone. */
export function replaceAll(tx: Tx, rows: readonly ReminderRow[], asOf: number): void {
  const named = new Set<string>(rows.map((row) => row.messageId))
  for (const held of all(tx)) if (!named.has(held.messageId) && held.asOf <= asOf) remove(tx, { ...held, asOf })
  for (const row of rows) put(tx, row)
  tx.db.run(FORGET_MARKS, asOf)
}

function touch(tx: Tx, messageId: string): void {
  tx.touch('reminders', messageId)
  tx.touchWindow('later')
}

const toRow = (stored: Stored): ReminderRow => ({
  messageId: asMessageId(stored.message_id),
  cid: asCid(stored.cid),
  remindAt: optional(stored.remind_at),
  createdAt: stored.created_at,
  updatedAt: stored.updated_at,
  asOf: stored.as_of,
})
