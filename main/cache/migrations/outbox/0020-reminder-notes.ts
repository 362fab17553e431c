import type { Migration } from '#main/lib/sqlite/migrate.ts'

/** Local state of reminders: the time of the last alarm, and when it was completed. */
export const reminderNotes: Migration = {
  version: 20,
  statements: [
    `CREATE TABLE reminder_notes (
       message_id TEXT PRIMARY KEY, cid TEXT NOT NULL, rang_for REAL, rang_at REAL, done_at REAL, remind_at REAL
     ) STRICT, WITHOUT ROWID`,
  ],
}
