import type { Migration } from '#main/lib/sqlite/migrate.ts'

/** Read marks that are not published. No server stores them. */
export const localReads: Migration = {
  version: 50,
  statements: [
    `CREATE TABLE kept_reads (
       key TEXT PRIMARY KEY, cid TEXT NOT NULL, thread_id TEXT NOT NULL, read_at REAL NOT NULL, up_to TEXT,
       first_unread_id TEXT, at REAL NOT NULL
     ) STRICT, WITHOUT ROWID`,
  ],
}
