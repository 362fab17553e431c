import type { Migration } from '../../migrate.ts'

/**
 * Words a message had before it was edited, as far as this computer saw them; they go with their message. And how far
 * messages reached the computers of others.
 */
export const revisions: Migration = {
  version: 50,
  name: 'revisions and deliveries',
  statements: [
    `CREATE TABLE message_revisions (
       message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE, at REAL NOT NULL, text TEXT NOT NULL,
       PRIMARY KEY (message_id, at)
     ) STRICT, WITHOUT ROWID`,
    'ALTER TABLE reads ADD COLUMN delivered_at REAL',
  ],
}
