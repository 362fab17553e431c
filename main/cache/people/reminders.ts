import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { isSame } from '#shared/lib/same.ts'
import type { ReminderRow } from '../rows.ts'
import { checked, insertInto, summed } from '../files/sums.ts'
import { type Reader, type Tx, optional } from '../store.ts'

/** The viewer's reminders, one row per message. A few dozen rows. */
type Stored = {
  message_id: string
  cid: string
  remind_at: number | null
  created_at: number
  updated_at: number
  as_of: number
  gone: number
  sum: number
}

const ALL = 'SELECT * FROM reminders WHERE gone = 0'
const BY_ID = 'SELECT * FROM reminders WHERE message_id = ?'
const PUT = insertInto('reminders')
const FORGET_MARKS = 'DELETE FROM reminders WHERE gone = 1 AND as_of < ?'

export const all = ({ db }: Reader): readonly ReminderRow[] =>
  db.all<Stored>(ALL).map((stored) => toRow(checked(db, 'reminders', stored)))

export function byId(reader: Reader, messageId: string): ReminderRow | undefined {
  const stored = storedOf(reader, messageId)
  return stored && stored.gone === 0 ? toRow(stored) : undefined
}

/** An older copy, or one from before the removal, changes nothing. */
export function put(tx: Tx, row: ReminderRow): void {
  const stored = storedOf(tx, row.messageId)
  if (stored && stored.as_of > row.asOf) return
  if (stored && stored.gone === 0 && isSame(toRow(stored), row)) return
  write(tx, row, 0)
}

export function remove(tx: Tx, reminder: Pick<ReminderRow, 'messageId' | 'cid' | 'asOf'>): void {
  const stored = storedOf(tx, reminder.messageId)
  if (stored && stored.as_of > reminder.asOf) return
  const before = stored ? toRow(stored) : { ...reminder, remindAt: undefined, createdAt: 0, updatedAt: 0 }
  write(tx, { ...before, asOf: reminder.asOf }, 1)
}

/** Replaces all by the response to a request of `asOf`: reminders that are missing in it and not newer are removed. */
export function replaceAll(tx: Tx, rows: readonly ReminderRow[], asOf: number): void {
  const named = new Set<string>(rows.map((row) => row.messageId))
  for (const held of all(tx)) if (!named.has(held.messageId) && held.asOf <= asOf) remove(tx, { ...held, asOf })
  for (const row of rows) put(tx, row)
  tx.db.run(FORGET_MARKS, asOf)
}

function storedOf({ db }: Reader, messageId: string): Stored | undefined {
  const stored = db.get<Stored>(BY_ID, messageId)
  return stored && checked(db, 'reminders', stored)
}

function write(tx: Tx, row: ReminderRow, gone: 0 | 1): void {
  const { messageId, cid, remindAt, createdAt, updatedAt, asOf } = row
  const times = { remind_at: remindAt, created_at: createdAt, updated_at: updatedAt, as_of: asOf }
  tx.db.run(PUT, ...summed('reminders', { message_id: messageId, cid, ...times, gone }))
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
