/**
 * Programs that take part in the workspace, their last calls, and the events that wait for them. `secret` is what must be
 * read again: the end of an address, or what calls are signed with. `hash` finds an address or a key without storing it.
 * `events` is a list as JSON, `next_at` when the first of its waiting events is sent: absent while none waits.
 */
export const integrations = `
CREATE TABLE integrations (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  cid TEXT,
  url TEXT,
  command TEXT,
  hint TEXT,
  events TEXT NOT NULL DEFAULT '[]',
  secret TEXT,
  hash TEXT,
  key_start TEXT,
  bot_id TEXT,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  paused INTEGER NOT NULL DEFAULT 0,
  revoked_at INTEGER,
  fails INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX integrations_by_hash ON integrations (hash) WHERE hash IS NOT NULL;

CREATE TABLE integration_calls (
  seq INTEGER PRIMARY KEY,
  integration_id TEXT NOT NULL REFERENCES integrations (id),
  at INTEGER NOT NULL,
  took INTEGER NOT NULL,
  status INTEGER,
  outcome TEXT NOT NULL,
  what TEXT NOT NULL,
  source TEXT NOT NULL,
  request TEXT
) STRICT;
CREATE INDEX integration_calls_newest ON integration_calls (integration_id, seq);
CREATE INDEX integration_calls_old ON integration_calls (at);

CREATE TABLE integration_queue (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  integration_id TEXT NOT NULL REFERENCES integrations (id),
  event TEXT NOT NULL,
  body TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX integration_queue_first ON integration_queue (integration_id, seq);
`
