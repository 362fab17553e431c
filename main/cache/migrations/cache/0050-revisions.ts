import type { Migration } from '#main/lib/sqlite/migrate.ts'

/**
 * Earlier texts of edited messages, as far as received on this device; deleted with their message. And delivery marks
 * of other people.
 */
export const revisions: Migration = {
  version: 50,
  statements: [
    `CREATE TABLE message_revisions (
       message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE, at REAL NOT NULL, text TEXT NOT NULL,
       PRIMARY KEY (message_id, at)
     ) STRICT, WITHOUT ROWID`,
    'ALTER TABLE reads ADD COLUMN delivered_at REAL',
  ],
}
