import type { Migration } from '../../migrate.ts'

const TABLES = ['intents', 'drafts', 'uploads', 'reminder_notes', 'thread_follows', 'kept_reads', 'draft_history']

/**
 * Every row carries a checksum of all its columns; NULL where a version wrote it that knows of none. Former words of
 * drafts are changed in place by such a version too: the sum stands for the time it was made at.
 */
export const sums: Migration = {
  version: 70,
  name: 'sums',
  statements: [
    ...TABLES.map((table) => `ALTER TABLE ${table} ADD COLUMN sum INTEGER`),
    'ALTER TABLE draft_history ADD COLUMN summed_at REAL',
  ],
}
