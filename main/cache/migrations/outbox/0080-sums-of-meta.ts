import type { Migration } from '../../migrate.ts'

/** The meta rows have checksums too; NULL if written by a version without them. */
export const sumsOfMeta: Migration = {
  version: 80,
  name: 'sums of meta',
  statements: ['ALTER TABLE meta ADD COLUMN sum INTEGER'],
}
