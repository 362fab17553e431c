import type { Migration } from '#main/lib/sqlite/migrate.ts'

/** Facts. Times are REAL milliseconds: the server's microseconds determine the order of messages. */
export const initial: Migration = {
  version: 10,
  statements: [
    `CREATE TABLE users (
       id TEXT PRIMARY KEY, name TEXT NOT NULL, updated_at REAL NOT NULL, as_of REAL NOT NULL, json TEXT NOT NULL
     ) STRICT`,
    `CREATE TABLE mutes (
       kind TEXT NOT NULL, target TEXT NOT NULL, expires_at REAL, PRIMARY KEY (kind, target)
     ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE channels (
       cid TEXT PRIMARY KEY, type TEXT NOT NULL, hidden INTEGER NOT NULL, hide_before REAL, last_message_at REAL,
       reads INTEGER NOT NULL, updated_at REAL NOT NULL, as_of REAL NOT NULL, json TEXT NOT NULL
     ) STRICT`,
    `CREATE TABLE members (
       cid TEXT NOT NULL, user_id TEXT NOT NULL, pinned_at REAL, archived_at REAL, created_at REAL NOT NULL,
       updated_at REAL NOT NULL, as_of REAL NOT NULL, json TEXT NOT NULL, PRIMARY KEY (cid, user_id)
     ) STRICT`,
    'CREATE INDEX members_user ON members (user_id, cid)',
    'CREATE INDEX members_order ON members (cid, created_at, user_id)',
    `CREATE TABLE messages (
       id TEXT PRIMARY KEY, cid TEXT NOT NULL, user_id TEXT NOT NULL, type TEXT NOT NULL, text TEXT NOT NULL,
       parent_id TEXT, in_channel INTEGER NOT NULL, quoted_id TEXT, pinned INTEGER NOT NULL, pinned_at REAL,
       silent INTEGER NOT NULL, shadowed INTEGER NOT NULL, mentions_viewer INTEGER NOT NULL,
       created_at REAL NOT NULL, updated_at REAL NOT NULL, deleted_at REAL, as_of REAL NOT NULL,
       social TEXT NOT NULL, json TEXT NOT NULL
     ) STRICT`,
    'CREATE INDEX messages_timeline ON messages (cid, created_at, id) WHERE in_channel = 1',
    `CREATE INDEX messages_unread ON messages (cid, created_at, id, user_id, mentions_viewer)
       WHERE in_channel = 1 AND type NOT IN ('deleted', 'ephemeral', 'error') AND deleted_at IS NULL AND silent = 0
       AND shadowed = 0`,
    'CREATE INDEX messages_thread ON messages (parent_id, created_at, id) WHERE parent_id IS NOT NULL',
    'CREATE INDEX messages_pinned ON messages (cid, pinned_at) WHERE pinned = 1',
    'CREATE INDEX messages_quoted ON messages (quoted_id) WHERE quoted_id IS NOT NULL',
    'CREATE INDEX messages_author ON messages (user_id, cid)',
    `CREATE TABLE tombstones (
       id TEXT PRIMARY KEY, cid TEXT NOT NULL, created_at REAL NOT NULL, removed_at REAL NOT NULL,
       counted INTEGER NOT NULL
     ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX tombstones_cid ON tombstones (cid, created_at)',
    `CREATE TABLE ranges (
       scope TEXT NOT NULL, first_at REAL NOT NULL, first_id TEXT NOT NULL, last_at REAL NOT NULL, last_id TEXT NOT NULL,
       has_prev INTEGER NOT NULL, has_next INTEGER NOT NULL, PRIMARY KEY (scope, first_at, first_id)
     ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE reads (
       cid TEXT NOT NULL, thread_id TEXT NOT NULL, user_id TEXT NOT NULL, last_read_at REAL NOT NULL,
       last_read_message_id TEXT, unread INTEGER NOT NULL, counted_at REAL NOT NULL, first_unread_id TEXT,
       as_of REAL NOT NULL, PRIMARY KEY (cid, thread_id, user_id)
     ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE polls (
       id TEXT PRIMARY KEY, updated_at REAL NOT NULL, as_of REAL NOT NULL, own TEXT NOT NULL, json TEXT NOT NULL
     ) STRICT`,
  ],
}
