import type { Migration } from '#main/lib/sqlite/migrate.ts'

/** Titles of threads. A thread without a row is named by the first words of its message. */
export const threadTitles: Migration = {
  version: 45,
  statements: [
    `CREATE TABLE thread_titles (
       parent_id TEXT PRIMARY KEY, cid TEXT NOT NULL, title TEXT NOT NULL, as_of REAL NOT NULL
     ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX thread_titles_cid ON thread_titles (cid)',
  ],
}
