import type { Migration } from '#main/lib/sqlite/migrate.ts'

/** Earlier contents of composers, for some days. */
export const draftHistory: Migration = {
  version: 40,
  statements: [
    `CREATE TABLE draft_history (
       id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, cid TEXT NOT NULL, parent_id TEXT,
       began_at REAL NOT NULL, at REAL NOT NULL, text TEXT NOT NULL
     ) STRICT`,
    'CREATE INDEX draft_history_key ON draft_history (key, id)',
    'CREATE INDEX draft_history_at ON draft_history (at)',
  ],
}
