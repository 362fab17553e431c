import type { Db } from '../store/db.ts'
import type { WireReminder } from '#shared/wire/messages.ts'
import { toText } from '../store/time.ts'

export type ReminderRow = {
  readonly user_id: string
  readonly message_id: string
  readonly cid: string
  /** Absent: saved for later, without a time. */
  readonly remind_at: number | null
  /** 0: not yet; 1: sent; 2: due while the user was disconnected. */
  readonly fired: number
  readonly created_at: number
  readonly updated_at: number
}

export function reminderOf(db: Db, userId: string, messageId: string): ReminderRow | undefined {
  return db.get<ReminderRow>('SELECT * FROM reminders WHERE user_id = ? AND message_id = ?', userId, messageId)
}

export function remindersOn(db: Db, userId: string, messageIds: readonly string[]): Map<string, ReminderRow> {
  const rows = db.all<ReminderRow>(
    'SELECT * FROM reminders WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))',
    userId,
    JSON.stringify(messageIds),
  )
  return new Map(rows.map((row) => [row.message_id, row]))
}

/** The reminders of all users on a message. */
export function remindersOfMessage(db: Db, messageId: string): ReminderRow[] {
  return db.all<ReminderRow>('SELECT * FROM reminders WHERE message_id = ?', messageId)
}

export function putReminder(db: Db, row: ReminderRow): void {
  db.run(
    `INSERT INTO reminders (user_id, message_id, cid, remind_at, fired, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (user_id, message_id) DO UPDATE SET remind_at = excluded.remind_at, fired = excluded.fired,
       updated_at = excluded.updated_at`,
    row.user_id,
    row.message_id,
    row.cid,
    row.remind_at,
    row.fired,
    row.created_at,
    row.updated_at,
  )
}

export function deleteReminder(db: Db, userId: string, messageId: string): boolean {
  return db.run('DELETE FROM reminders WHERE user_id = ? AND message_id = ?', userId, messageId) > 0
}

export const TAKE_DUE = `UPDATE reminders SET fired = 1 WHERE (user_id, message_id) IN (
  SELECT user_id, message_id FROM reminders WHERE fired = 0 AND remind_at IS NOT NULL AND remind_at <= ? LIMIT 500)
  RETURNING *`

/** Reminders that are due, each once. */
export function takeDueReminders(db: Db, now: number): ReminderRow[] {
  return db.all<ReminderRow>(TAKE_DUE, now)
}

/** Marks a due reminder as missed: its user is disconnected. */
export function markMissed(db: Db, { user_id, message_id }: ReminderRow): void {
  db.run('UPDATE reminders SET fired = 2 WHERE user_id = ? AND message_id = ?', user_id, message_id)
}

/** Reminders that fell due while the user was disconnected, oldest first, each once. */
export function takeMissed(db: Db, userId: string): ReminderRow[] {
  const sql = `UPDATE reminders SET fired = 1 WHERE user_id = ? AND message_id IN (
    SELECT message_id FROM reminders WHERE user_id = ? AND fired = 2 ORDER BY remind_at, message_id LIMIT 100)
    RETURNING *`
  const inOrder = (a: ReminderRow, b: ReminderRow): number =>
    (a.remind_at ?? 0) - (b.remind_at ?? 0) || (a.message_id < b.message_id ? -1 : 1)
  return db.all<ReminderRow>(sql, userId, userId).toSorted(inOrder)
}

/** The base form, as it is added to a message. See docs/wire.md 5.13. */
export function encodeReminder(row: ReminderRow): WireReminder {
  return {
    message_id: row.message_id,
    channel_cid: row.cid,
    user_id: row.user_id,
    remind_at: row.remind_at === null ? undefined : toText(row.remind_at),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}
