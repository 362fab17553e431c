import type { Migration } from '#main/lib/sqlite/migrate.ts'

const TABLES = ['intents', 'drafts', 'uploads', 'reminder_notes', 'thread_follows', 'kept_reads', 'draft_history']

/**
 * Every row has a checksum of all its columns; NULL if it was written by a version without checksums. Such a version
 * also updates draft versions in place: `summed_at` records the time that the checksum belongs to.
 */
export const sums: Migration = {
  version: 70,
  statements: [
    ...TABLES.map((table) => `ALTER TABLE ${table} ADD COLUMN sum INTEGER`),
    'ALTER TABLE draft_history ADD COLUMN summed_at REAL',
  ],
}
