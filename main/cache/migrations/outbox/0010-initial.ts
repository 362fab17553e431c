import type { Migration } from '#main/lib/sqlite/migrate.ts'

/** Intents, drafts and staged files. Additive within a major version, so that a rollback still opens it. */
export const initial: Migration = {
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
