import type { Migration } from '../../migrate.ts'

/** Marked unread by hand where the server takes no such mark: it stands against the server's own. */
export const refusedMarks: Migration = {
  version: 60,
  name: 'refused-marks',
  statements: ['ALTER TABLE kept_reads ADD COLUMN refused INTEGER NOT NULL DEFAULT 0'],
}
