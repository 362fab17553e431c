import type { Migration } from '../../migrate.ts'

/** The marks of the file itself carry checksums as its rows do; NULL where a version wrote one that knows of none. */
export const sumsOfMeta: Migration = {
  version: 80,
  name: 'sums of meta',
  statements: ['ALTER TABLE meta ADD COLUMN sum INTEGER'],
}
