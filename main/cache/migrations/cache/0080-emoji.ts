import type { Migration } from '../../migrate.ts'

/** Custom emoji of the workspace, a copy of the server's list. */
export const emoji: Migration = {
  version: 80,
  name: 'custom emoji',
  statements: ['CREATE TABLE emoji (name TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID'],
}
