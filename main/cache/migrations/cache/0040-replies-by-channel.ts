import type { Migration } from '../../migrate.ts'

/** Replies that their channel does not show: with it a truncated or left channel is found whole without reading all. */
export const repliesByChannel: Migration = {
  version: 40,
  name: 'replies by channel',
  statements: ['CREATE INDEX messages_beside ON messages (cid, created_at, id) WHERE in_channel = 0'],
}
