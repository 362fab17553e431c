import type { Migration } from '#main/lib/sqlite/migrate.ts'

/** Manual "mark unread" that the server refused: it overrides the server's own mark. */
export const refusedMarks: Migration = {
  version: 60,
  statements: ['ALTER TABLE kept_reads ADD COLUMN refused INTEGER NOT NULL DEFAULT 0'],
}
