import type { Migration } from '#main/lib/sqlite/migrate.ts'

/** Facts. Times are REAL milliseconds: the server's microseconds determine the order of messages. */
const initial: Migration = {
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

/**
 * Full-text search. `search_fresh` lists messages that are not indexed yet, `search_docs` the indexed ones (numbered by
 * time, see `cache/search/docs.ts`), `search_gone` those to be removed from the index. The index itself stores no text:
 * it reads `search_docs`. All existing messages are fresh.
 */
const search: Migration = {
  version: 20,
  statements: [
    `CREATE TABLE search_docs (
       doc INTEGER PRIMARY KEY, id TEXT NOT NULL, poll_id TEXT, body TEXT NOT NULL, marks TEXT NOT NULL
     ) STRICT`,
    'CREATE INDEX search_docs_poll ON search_docs (poll_id) WHERE poll_id IS NOT NULL',
    'CREATE TABLE search_gone (doc INTEGER PRIMARY KEY) STRICT',
    `CREATE TABLE search_fresh (
       created_at REAL NOT NULL, id TEXT NOT NULL, PRIMARY KEY (created_at, id)
     ) STRICT, WITHOUT ROWID`,
    // Text is stored folded and separated by spaces: nothing is left to do for the tokenizer.
    `CREATE VIRTUAL TABLE search_words USING fts5 (
       body, marks, content = 'search_docs', content_rowid = 'doc', tokenize = 'ascii', prefix = '2'
     )`,
    // Removed content is erased from disk.
    `INSERT INTO search_words (search_words, rank) VALUES ('secure-delete', 1)`,
    'INSERT INTO search_fresh (created_at, id) SELECT created_at, id FROM messages',
  ],
}

/**
 * The viewer's reminders. A removed one leaves a tombstone, so that a response to an earlier request cannot restore it.
 */
const reminders: Migration = {
  version: 30,
  statements: [
    `CREATE TABLE reminders (
       message_id TEXT PRIMARY KEY, cid TEXT NOT NULL, remind_at REAL, created_at REAL NOT NULL,
       updated_at REAL NOT NULL, as_of REAL NOT NULL, gone INTEGER NOT NULL
     ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX reminders_due ON reminders (remind_at) WHERE gone = 0 AND remind_at IS NOT NULL',
  ],
}

/** Replies not shown in their channel: all messages of a truncated or left channel are found without a full scan. */
const repliesByChannel: Migration = {
  version: 40,
  statements: ['CREATE INDEX messages_beside ON messages (cid, created_at, id) WHERE in_channel = 0'],
}

/** Titles of threads. A thread without a row is named by the first words of its message. */
const threadTitles: Migration = {
  version: 45,
  statements: [
    `CREATE TABLE thread_titles (
       parent_id TEXT PRIMARY KEY, cid TEXT NOT NULL, title TEXT NOT NULL, as_of REAL NOT NULL
     ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX thread_titles_cid ON thread_titles (cid)',
  ],
}

/**
 * Earlier texts of edited messages, as far as received on this device; deleted with their message. And delivery marks
 * of other people.
 */
const revisions: Migration = {
  version: 50,
  statements: [
    `CREATE TABLE message_revisions (
       message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE, at REAL NOT NULL, text TEXT NOT NULL,
       PRIMARY KEY (message_id, at)
     ) STRICT, WITHOUT ROWID`,
    'ALTER TABLE reads ADD COLUMN delivered_at REAL',
  ],
}

/**
 * Messages with a poll, newest first: for the list of polls to vote in. Few messages have one, so the index is small.
 */
const pollsFound: Migration = {
  version: 60,
  statements: [`CREATE INDEX messages_poll ON messages (created_at) WHERE json_extract(json, '$.pollId') IS NOT NULL`],
}

/**
 * Messages by the time of their newest reaction: lists the viewer's messages with reactions without reading all of
 * them.
 */
const reactionsByAuthor: Migration = {
  version: 70,
  statements: [
    `CREATE INDEX messages_reacted ON messages (user_id, json_extract(social, '$.latestReactions[0].createdAt'))
       WHERE json_extract(social, '$.latestReactions[0].createdAt') IS NOT NULL`,
  ],
}

/** Custom emoji of the workspace, a copy of the server's list. */
const emoji: Migration = {
  version: 80,
  statements: ['CREATE TABLE emoji (name TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID'],
}

/** Paths of live locations, as far as received on this device; deleted with their message. */
const tracks: Migration = {
  version: 90,
  statements: [
    `CREATE TABLE tracks (
       message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE, at REAL NOT NULL, latitude REAL NOT NULL,
       longitude REAL NOT NULL, PRIMARY KEY (message_id, at)
     ) STRICT, WITHOUT ROWID`,
  ],
}

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
const cacheSums: Migration = {
  version: 100,
  statements: Object.entries(COLUMNS).flatMap(([table, columns]) => [
    `ALTER TABLE ${table} ADD COLUMN sum INTEGER`,
    `UPDATE ${table} SET sum = sum_of(${columns})`,
  ]),
}

/**
 * What matters since a moment is found by time, across all channels. Each index holds the few messages of one kind, so
 * neither the page nor the disk pays for the others.
 */
const catchUp: Migration = {
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

/**
 * One index for the pages of a channel and its unread messages: of two with the same keys, each message wrote the second
 * for a third of its cost.
 */
const oneTimeline: Migration = {
  version: 120,
  statements: [
    'DROP INDEX messages_unread',
    'DROP INDEX messages_timeline',
    `CREATE INDEX messages_timeline ON messages
       (cid, created_at, id, user_id, mentions_viewer, type, deleted_at, silent, shadowed) WHERE in_channel = 1`,
  ],
}

/** Nothing to change: an older Parlor, which would not find what a message is without, no longer opens the file. */
const lighterMessages: Migration = { version: 130, statements: [] }

/**
 * A new message is found to be new by its row, which is the last: nothing is written about it. `search_seen` is the last
 * row that `search_fresh` or `search_docs` knows of. SQLite gives the number of a removed last row to the next message.
 */
const newByRow: Migration = {
  version: 140,
  statements: [
    'CREATE TABLE search_seen (id INTEGER PRIMARY KEY CHECK (id = 1), row INTEGER NOT NULL) STRICT',
    'INSERT INTO search_seen (id, row) SELECT 1, coalesce(max(rowid), 0) FROM messages',
    `CREATE TRIGGER messages_unseen AFTER DELETE ON messages WHEN old.rowid >= (SELECT row FROM search_seen WHERE id = 1)
       BEGIN UPDATE search_seen SET row = min(row, (SELECT coalesce(max(rowid), 0) FROM messages)) WHERE id = 1; END`,
  ],
}

/** All of them, in the order of their versions. */
export const CACHE_MIGRATIONS: readonly Migration[] = [
  initial,
  search,
  reminders,
  repliesByChannel,
  threadTitles,
  revisions,
  pollsFound,
  reactionsByAuthor,
  emoji,
  tracks,
  cacheSums,
  catchUp,
  oneTimeline,
  lighterMessages,
  newByRow,
]
