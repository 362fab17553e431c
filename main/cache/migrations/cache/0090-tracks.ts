import type { Migration } from '#main/lib/sqlite/migrate.ts'

/** Paths of live locations, as far as received on this device; deleted with their message. */
export const tracks: Migration = {
  version: 90,
  statements: [
    `CREATE TABLE tracks (
       message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE, at REAL NOT NULL, latitude REAL NOT NULL,
       longitude REAL NOT NULL, PRIMARY KEY (message_id, at)
     ) STRICT, WITHOUT ROWID`,
  ],
}
