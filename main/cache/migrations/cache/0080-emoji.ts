import type { Migration } from '#main/lib/sqlite/migrate.ts'

/** Custom emoji of the workspace, a copy of the server's list. */
export const emoji: Migration = {
  version: 80,
  statements: ['CREATE TABLE emoji (name TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID'],
}
