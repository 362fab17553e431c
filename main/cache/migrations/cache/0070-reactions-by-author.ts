import type { Migration } from '#main/lib/sqlite/migrate.ts'

/**
 * Messages by the time of their newest reaction: lists the viewer's messages with reactions without reading all of
 * them.
 */
export const reactionsByAuthor: Migration = {
  version: 70,
  statements: [
    `CREATE INDEX messages_reacted ON messages (user_id, json_extract(social, '$.latestReactions[0].createdAt'))
       WHERE json_extract(social, '$.latestReactions[0].createdAt') IS NOT NULL`,
  ],
}
