import type { Migration } from '#main/lib/sqlite/migrate.ts'

const COLUMNS = {
  meta: 'key, value',
  users: 'id, name, updated_at, as_of, json',
  mutes: 'kind, target, expires_at',
  channels: 'cid, type, hidden, hide_before, last_message_at, reads, updated_at, as_of, json',
  members: 'cid, user_id, pinned_at, archived_at, created_at, updated_at, as_of, json',
  messages: `id, cid, user_id, type, text, parent_id, in_channel, quoted_id, pinned, pinned_at, silent, shadowed,
    mentions_viewer, created_at, updated_at, deleted_at, as_of, social, json`,
  ranges: 'scope, first_at, first_id, last_at, last_id, has_prev, has_next',
  reads: `cid, thread_id, user_id, last_read_at, last_read_message_id, unread, counted_at, first_unread_id, as_of,
    delivered_at`,
  polls: 'id, updated_at, as_of, own, json',
  reminders: 'message_id, cid, remind_at, created_at, updated_at, as_of, gone',
  thread_titles: 'parent_id, cid, title, as_of',
  message_revisions: 'message_id, at, text',
  emoji: 'name, json',
  tracks: 'message_id, at, latitude, longitude',
}

/** Every row that is read as a whole has a checksum of its columns; existing rows get theirs. */
export const cacheSums: Migration = {
  version: 100,
  statements: Object.entries(COLUMNS).flatMap(([table, columns]) => [
    `ALTER TABLE ${table} ADD COLUMN sum INTEGER`,
    `UPDATE ${table} SET sum = sum_of(${columns})`,
  ]),
}
