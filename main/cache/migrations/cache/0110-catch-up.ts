import type { Migration } from '#main/lib/sqlite/migrate.ts'

/**
 * What matters since a moment is found by time, across all channels. Each index holds the few messages of one kind, so
 * neither the page nor the disk pays for the others.
 */
export const catchUp: Migration = {
  version: 110,
  statements: [
    'CREATE INDEX messages_naming ON messages (created_at) WHERE mentions_viewer = 1',
    `CREATE INDEX messages_files ON messages (created_at) WHERE json_type(json, '$.attachments[0]') IS NOT NULL`,
    `CREATE INDEX messages_popular ON messages (created_at) WHERE json_type(social, '$.latestReactions[2]') IS NOT NULL`,
    `CREATE INDEX messages_agreed ON messages (created_at) 
       WHERE instr(social, '"white_check_mark"') > 0 OR instr(social, '"✅"') > 0`,
    `CREATE INDEX messages_replies ON messages (created_at, parent_id, user_id, id)
       WHERE parent_id IS NOT NULL AND type NOT IN ('deleted', 'ephemeral', 'error')`,
  ],
}
