import type { Migration } from '../../migrate.ts'

/** Messages that carry a poll, newest first: the list of polls still to vote in. A few of many, so the index is small. */
export const pollsFound: Migration = {
  version: 60,
  name: 'messages by their poll',
  statements: [`CREATE INDEX messages_poll ON messages (created_at) WHERE json_extract(json, '$.pollId') IS NOT NULL`],
}
