import type { Migration } from '#main/lib/sqlite/migrate.ts'

/** Intents, drafts and staged files. Additive within a major version, so that a rollback still opens it. */
const initial: Migration = {
  version: 10,
  statements: [
    `CREATE TABLE intents (
       seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, cid TEXT NOT NULL, thread_root TEXT,
       kind TEXT NOT NULL, entity_id TEXT NOT NULL, depends_on TEXT, payload TEXT NOT NULL CHECK (length(payload) <= 65536),
       created_at REAL NOT NULL, attempts INTEGER NOT NULL, next_at REAL NOT NULL, state TEXT NOT NULL, reason TEXT,
       crc INTEGER NOT NULL
     ) STRICT`,
    'CREATE INDEX intents_cid ON intents (cid, seq)',
    'CREATE INDEX intents_entity ON intents (entity_id)',
    `CREATE TABLE drafts (key TEXT PRIMARY KEY, cid TEXT NOT NULL, updated_at REAL NOT NULL, json TEXT NOT NULL, crc INTEGER NOT NULL) STRICT`,
    'CREATE INDEX drafts_cid ON drafts (cid)',
    `CREATE TABLE uploads (
       id TEXT PRIMARY KEY, cid TEXT NOT NULL, message_id TEXT, staged_bytes INTEGER NOT NULL, created_at REAL NOT NULL,
       json TEXT NOT NULL, crc INTEGER NOT NULL
     ) STRICT`,
    'CREATE INDEX uploads_message ON uploads (message_id) WHERE message_id IS NOT NULL',
  ],
}

/** Local state of reminders: the time of the last alarm, and when it was completed. */
const reminderNotes: Migration = {
  version: 20,
  statements: [
    `CREATE TABLE reminder_notes (
       message_id TEXT PRIMARY KEY, cid TEXT NOT NULL, rang_for REAL, rang_at REAL, done_at REAL, remind_at REAL
     ) STRICT, WITHOUT ROWID`,
  ],
}

/** Threads the viewer followed or unfollowed by hand. The server only knows the participants. */
const threadFollows: Migration = {
  version: 30,
  statements: [
    `CREATE TABLE thread_follows (
       parent_id TEXT PRIMARY KEY, cid TEXT NOT NULL, follows INTEGER NOT NULL, at REAL NOT NULL
     ) STRICT, WITHOUT ROWID`,
  ],
}

/** Earlier contents of composers, for some days. */
const draftHistory: Migration = {
  version: 40,
  statements: [
    `CREATE TABLE draft_history (
       id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, cid TEXT NOT NULL, parent_id TEXT,
       began_at REAL NOT NULL, at REAL NOT NULL, text TEXT NOT NULL
     ) STRICT`,
    'CREATE INDEX draft_history_key ON draft_history (key, id)',
    'CREATE INDEX draft_history_at ON draft_history (at)',
  ],
}

/** Read marks that are not published. No server stores them. */
const localReads: Migration = {
  version: 50,
  statements: [
    `CREATE TABLE kept_reads (
       key TEXT PRIMARY KEY, cid TEXT NOT NULL, thread_id TEXT NOT NULL, read_at REAL NOT NULL, up_to TEXT,
       first_unread_id TEXT, at REAL NOT NULL
     ) STRICT, WITHOUT ROWID`,
  ],
}

/** Manual "mark unread" that the server refused: it overrides the server's own mark. */
const refusedMarks: Migration = {
  version: 60,
  statements: ['ALTER TABLE kept_reads ADD COLUMN refused INTEGER NOT NULL DEFAULT 0'],
}

const TABLES = ['intents', 'drafts', 'uploads', 'reminder_notes', 'thread_follows', 'kept_reads', 'draft_history']

/**
 * Every row has a checksum of all its columns; NULL if it was written by a version without checksums. Such a version
 * also updates draft versions in place: `summed_at` records the time that the checksum belongs to.
 */
const sums: Migration = {
  version: 70,
  statements: [
    ...TABLES.map((table) => `ALTER TABLE ${table} ADD COLUMN sum INTEGER`),
    'ALTER TABLE draft_history ADD COLUMN summed_at REAL',
  ],
}

/** The meta rows have checksums too; NULL if written by a version without them. */
const sumsOfMeta: Migration = {
  version: 80,
  statements: ['ALTER TABLE meta ADD COLUMN sum INTEGER'],
}

/** All of them, in the order of their versions. */
export const OUTBOX_MIGRATIONS: readonly Migration[] = [
  initial,
  reminderNotes,
  threadFollows,
  draftHistory,
  localReads,
  refusedMarks,
  sums,
  sumsOfMeta,
]
