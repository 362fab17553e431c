import type { Migration } from '#main/lib/sqlite/migrate.ts'

/** Replies not shown in their channel: all messages of a truncated or left channel are found without a full scan. */
export const repliesByChannel: Migration = {
  version: 40,
  statements: ['CREATE INDEX messages_beside ON messages (cid, created_at, id) WHERE in_channel = 0'],
}
