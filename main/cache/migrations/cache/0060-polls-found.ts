import type { Migration } from '#main/lib/sqlite/migrate.ts'

/**
 * Messages with a poll, newest first: for the list of polls to vote in. Few messages have one, so the index is small.
 */
export const pollsFound: Migration = {
  version: 60,
  statements: [`CREATE INDEX messages_poll ON messages (created_at) WHERE json_extract(json, '$.pollId') IS NOT NULL`],
}
