/**
 * What a conversation has beyond its messages: who may see one, drafts, reminders, places, older texts, and the words to
 * search in. `extra` of a message holds what no query uses: a command, its arguments, wider mentions, metadata of a
 * pending message.
 */
export const conversations = `
-- absent: everybody; otherwise the only people who see the message, as ",ann,bob,"
ALTER TABLE messages ADD COLUMN audience TEXT;
ALTER TABLE messages ADD COLUMN pending INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN extra TEXT NOT NULL DEFAULT '{}';
UPDATE messages SET audience = ',' || user_id || ',' WHERE shadowed = 1;

-- deleted for one person only
CREATE TABLE hidden_messages (
  message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  PRIMARY KEY (message_id, user_id)
) STRICT, WITHOUT ROWID;

-- the text a message had before each edit
CREATE TABLE message_history (
  seq INTEGER PRIMARY KEY,
  message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  text TEXT NOT NULL,
  attachments TEXT NOT NULL,
  custom TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX message_history_by_time ON message_history (message_id, at DESC, seq DESC);

CREATE TABLE drafts (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  cid TEXT NOT NULL REFERENCES channels (cid) ON DELETE CASCADE,
  -- empty: the draft of the channel itself
  parent_id TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (user_id, cid, parent_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX drafts_by_time ON drafts (user_id, created_at, cid, parent_id);

CREATE TABLE reminders (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  cid TEXT NOT NULL,
  -- absent: saved for later, without a time
  remind_at INTEGER,
  -- 1 once the person was reminded
  fired INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX reminders_by_time ON reminders (user_id, coalesce(remind_at, 9007199254740991), message_id);
CREATE INDEX reminders_due ON reminders (remind_at) WHERE fired = 0 AND remind_at IS NOT NULL;
CREATE INDEX reminders_of_message ON reminders (message_id);

CREATE TABLE locations (
  message_id TEXT PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
  cid TEXT NOT NULL,
  user_id TEXT NOT NULL,
  latitude REAL NOT NULL,
  longitude REAL NOT NULL,
  device_id TEXT NOT NULL,
  -- absent: a place; otherwise a live share until then
  end_at INTEGER,
  -- 1 once everybody heard that the share ended
  ended INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX locations_live ON locations (end_at) WHERE ended = 0 AND end_at IS NOT NULL;
CREATE INDEX locations_of_user ON locations (user_id, end_at) WHERE end_at IS NOT NULL;
CREATE INDEX locations_of_channel ON locations (cid, end_at) WHERE end_at IS NOT NULL;

ALTER TABLE poll_options ADD COLUMN created_by TEXT;
CREATE INDEX polls_by_time ON polls (created_at, id);
CREATE INDEX polls_of_creator ON polls (created_by, created_at, id);

-- the folded words of messages; \`doc\` is the message's creation time made unique, so newest first is the index's own order
ALTER TABLE messages ADD COLUMN doc INTEGER;
CREATE UNIQUE INDEX messages_by_doc ON messages (doc) WHERE doc IS NOT NULL;
CREATE INDEX messages_without_doc ON messages (created_at) WHERE doc IS NULL;
CREATE VIRTUAL TABLE message_words USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'unicode61');
CREATE TRIGGER message_words_gone AFTER DELETE ON messages WHEN old.doc IS NOT NULL BEGIN
  DELETE FROM message_words WHERE rowid = old.doc;
END;
`
