import type { Migration } from '#main/lib/sqlite/migrate.ts'

/**
 * The viewer's reminders. A removed one leaves a tombstone, so that a response to an earlier request cannot restore it.
 */
export const reminders: Migration = {
  version: 30,
  statements: [
    `CREATE TABLE reminders (
       message_id TEXT PRIMARY KEY, cid TEXT NOT NULL, remind_at REAL, created_at REAL NOT NULL,
       updated_at REAL NOT NULL, as_of REAL NOT NULL, gone INTEGER NOT NULL
     ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX reminders_due ON reminders (remind_at) WHERE gone = 0 AND remind_at IS NOT NULL',
  ],
}
