import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { ReminderNote } from '../rows.ts'
import { checked, sumOf } from '../files/sums.ts'
import { type Reader, type Tx, optional } from '../store.ts'

/**
 * Local state of reminders: alarms and completion. In `outbox.db`, so that a rebuilt cache does not repeat an alarm.
 */
type Stored = {
  message_id: string
  cid: string
  rang_for: number | null
  rang_at: number | null
  done_at: number | null
  remind_at: number | null
  sum?: number | null
}

const ALL = 'SELECT * FROM reminder_notes'
const BY_ID = 'SELECT * FROM reminder_notes WHERE message_id = ?'
const PUT = `INSERT OR REPLACE INTO reminder_notes (message_id, cid, rang_for, rang_at, done_at, remind_at, sum)
  VALUES (?, ?, ?, ?, ?, ?, ?)`
const REMOVE = 'DELETE FROM reminder_notes WHERE message_id = ?'
const FORGET_OLD = `DELETE FROM reminder_notes WHERE done_at < ?`

export const all = (reader: Reader): readonly ReminderNote[] =>
  reader.db.all<Stored>(ALL).map((stored) => toNote(checked(reader.db, 'reminder_notes', stored)))

export function byId(reader: Reader, messageId: string): ReminderNote | undefined {
  const stored = reader.db.get<Stored>(BY_ID, messageId)
  return stored && toNote(checked(reader.db, 'reminder_notes', stored))
}

export function put(tx: Tx, note: ReminderNote): void {
  const { messageId, cid, rangFor, rangAt, doneAt, remindAt } = note
  const times = { rang_for: rangFor ?? null, rang_at: rangAt ?? null, done_at: doneAt ?? null }
  const stored: Stored = { message_id: messageId, cid, ...times, remind_at: remindAt ?? null }
  const { rang_for, rang_at, done_at, remind_at } = stored
  tx.db.run(PUT, messageId, cid, rang_for, rang_at, done_at, remind_at, sumOf('reminder_notes', stored))
  touch(tx, messageId)
}

export function remove(tx: Tx, messageId: string): void {
  if (tx.db.run(REMOVE, messageId) > 0) touch(tx, messageId)
}

/** Completed ones are listed for a limited time. */
export function forgetDoneBefore(tx: Tx, time: number): void {
  if (tx.db.run(FORGET_OLD, time) > 0) tx.touchWindow('later')
}

function touch(tx: Tx, messageId: string): void {
  tx.touch('reminders', messageId)
  tx.touchWindow('later')
}

const toNote = (stored: Stored): ReminderNote => ({
  messageId: asMessageId(stored.message_id),
  cid: asCid(stored.cid),
  rangFor: optional(stored.rang_for),
  rangAt: optional(stored.rang_at),
  doneAt: optional(stored.done_at),
  remindAt: optional(stored.remind_at),
})
