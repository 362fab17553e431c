import type { Migration } from '#main/lib/sqlite/migrate.ts'

/** The meta rows have checksums too; NULL if written by a version without them. */
export const sumsOfMeta: Migration = {
  version: 80,
  statements: ['ALTER TABLE meta ADD COLUMN sum INTEGER'],
}
