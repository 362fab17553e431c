import type { Migration } from '#main/lib/sqlite/migrate.ts'

/** Threads the viewer followed or unfollowed by hand. The server only knows the participants. */
export const threadFollows: Migration = {
  version: 30,
  statements: [
    `CREATE TABLE thread_follows (
       parent_id TEXT PRIMARY KEY, cid TEXT NOT NULL, follows INTEGER NOT NULL, at REAL NOT NULL
     ) STRICT, WITHOUT ROWID`,
  ],
}
