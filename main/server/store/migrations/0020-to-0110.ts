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

/** People and moderation: bans, blocks, flags, devices, and what an administrator sets. Times are whole microseconds. */
export const people = `
ALTER TABLE users ADD COLUMN shadow_banned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN ban_expires INTEGER;
ALTER TABLE users ADD COLUMN teams TEXT NOT NULL DEFAULT '[]';
ALTER TABLE members ADD COLUMN ban_expires INTEGER;
ALTER TABLE channels ADD COLUMN filter_tags TEXT NOT NULL DEFAULT '[]';
CREATE INDEX user_mutes_expiring ON user_mutes (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE bans (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- empty: everywhere
  cid TEXT NOT NULL DEFAULT '',
  shadow INTEGER NOT NULL DEFAULT 0,
  banned_by TEXT,
  reason TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (user_id, cid)
) STRICT, WITHOUT ROWID;
CREATE INDEX bans_by_time ON bans (created_at, user_id, cid);
CREATE INDEX bans_of_channel ON bans (cid, created_at, user_id);
CREATE INDEX bans_expiring ON bans (expires_at) WHERE expires_at IS NOT NULL;

-- bans that will hold in every channel banned_by makes from then on
CREATE TABLE future_bans (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  banned_by TEXT NOT NULL,
  shadow INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (user_id, banned_by)
) STRICT, WITHOUT ROWID;
CREATE INDEX future_bans_by_time ON future_bans (created_at, user_id, banned_by);

CREATE TABLE user_blocks (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  blocked_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, blocked_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_blocks_of_target ON user_blocks (blocked_id, user_id);

CREATE TABLE devices (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  push_provider TEXT NOT NULL,
  push_provider_name TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE push_preferences (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- empty: the person's own, everywhere
  cid TEXT NOT NULL DEFAULT '',
  json TEXT NOT NULL,
  PRIMARY KEY (user_id, cid)
) STRICT, WITHOUT ROWID;

CREATE TABLE flags (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  -- message or user
  kind TEXT NOT NULL,
  target_id TEXT NOT NULL,
  cid TEXT,
  reason TEXT,
  custom TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  reviewed_at INTEGER,
  reviewed_by TEXT,
  review_result TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX flags_once ON flags (kind, target_id, user_id);
CREATE INDEX flags_by_time ON flags (created_at DESC, id);

CREATE TABLE review_items (
  id TEXT PRIMARY KEY,
  entity_type TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  creator_id TEXT,
  status TEXT NOT NULL DEFAULT 'needs_review',
  recommended_action TEXT NOT NULL DEFAULT 'keep',
  severity INTEGER NOT NULL DEFAULT 0,
  config_key TEXT,
  payload TEXT NOT NULL DEFAULT '{}',
  flags TEXT NOT NULL DEFAULT '[]',
  actions TEXT NOT NULL DEFAULT '[]',
  reviewed_at INTEGER,
  reviewed_by TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX review_items_once ON review_items (entity_type, entity_id);
CREATE INDEX review_items_by_time ON review_items (created_at DESC, id);

-- named JSON of the administrator: one table, since nothing is asked of them but by name
CREATE TABLE settings (
  -- app, channel_type, command, role, permission, blocklist, moderation_config, moderation_rule, task
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_groups (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT,
  team_id TEXT,
  created_by TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX user_groups_by_time ON user_groups (created_at, id);
CREATE INDEX user_groups_by_name ON user_groups (name COLLATE NOCASE, id);
CREATE TABLE user_group_members (
  group_id TEXT NOT NULL REFERENCES user_groups (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  is_admin INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (group_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE segments (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  name TEXT NOT NULL DEFAULT '',
  description TEXT NOT NULL DEFAULT '',
  filter TEXT NOT NULL DEFAULT '{}',
  all_users INTEGER NOT NULL DEFAULT 0,
  all_sender_channels INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX segments_by_time ON segments (created_at DESC, id);
CREATE TABLE segment_targets (
  segment_id TEXT NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
  target_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (segment_id, target_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE campaigns (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL DEFAULT '',
  sender_id TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'draft',
  input TEXT NOT NULL,
  segment_ids TEXT NOT NULL DEFAULT '[]',
  scheduled_for INTEGER,
  stop_at INTEGER,
  started_at INTEGER,
  completed_at INTEGER,
  channels_created INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX campaigns_by_time ON campaigns (created_at DESC, id);
CREATE INDEX campaigns_due ON campaigns (scheduled_for) WHERE status = 'scheduled';
CREATE INDEX campaigns_running ON campaigns (status) WHERE status = 'in_progress';
CREATE TABLE campaign_targets (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
  -- user or channel
  kind TEXT NOT NULL,
  target_id TEXT NOT NULL,
  -- pending, sent, skipped or failed
  state TEXT NOT NULL DEFAULT 'pending',
  cid TEXT,
  message_id TEXT,
  reason TEXT,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (campaign_id, kind, target_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX campaign_targets_pending ON campaign_targets (campaign_id) WHERE state = 'pending';
`

/**
 * The participants of a thread and how far they have read it. Existing threads count as read: no one was notified of them.
 */
export const threads = `
CREATE TABLE thread_participants (
  parent_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  cid TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_read INTEGER NOT NULL,
  last_read_message_id TEXT,
  PRIMARY KEY (parent_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX thread_participants_of_user ON thread_participants (user_id, parent_id);
INSERT INTO thread_participants (parent_id, user_id, cid, created_at, last_read)
  SELECT r.parent_id, r.user_id, r.cid, min(r.created_at),
    (SELECT max(x.created_at) FROM messages x WHERE x.parent_id = r.parent_id)
  FROM messages r WHERE r.parent_id IS NOT NULL AND r.deleted_at IS NULL
    AND EXISTS (SELECT 1 FROM messages p WHERE p.id = r.parent_id)
  GROUP BY r.parent_id, r.user_id;
`

/**
 * What people set on a thread: its own title and custom keys. The rest of a thread follows from its replies. And an
 * index for searches without words.
 */
export const threadDetails = `
CREATE TABLE thread_details (
  parent_id TEXT PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
  title TEXT,
  custom TEXT NOT NULL DEFAULT '{}',
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- searches without words: pictures of one channel, messages of one author
CREATE INDEX messages_of_channel ON messages (cid, doc);
`

/** However a message is deleted, softly too, its words leave the search index with it. */
export const forgottenWords = `
CREATE TRIGGER message_words_deleted AFTER UPDATE OF deleted_at ON messages
  WHEN new.deleted_at IS NOT NULL AND old.deleted_at IS NULL AND new.doc IS NOT NULL BEGIN
  DELETE FROM message_words WHERE rowid = new.doc;
END;
`

/** For "pictures and files of this channel": few messages have any, and only they are looked at. */
export const attachments = `
CREATE INDEX messages_with_attachments ON messages (cid, doc) WHERE attachments <> '[]';
`

/**
 * When someone left a thread; and indexes in the order pages are walked, forwards and backwards: a page behind a cursor
 * compares whole rows, so all its columns stand in one direction.
 */
export const order = `
ALTER TABLE thread_participants ADD COLUMN left_at INTEGER;

CREATE INDEX messages_pending ON messages (cid, user_id) WHERE pending = 1;
CREATE INDEX message_history_newest ON message_history (at, seq);

DROP INDEX reactions_by_time;
CREATE INDEX reactions_by_time ON reactions (message_id, created_at, user_id, type);
DROP INDEX poll_votes_by_time;
CREATE INDEX poll_votes_by_time ON poll_votes (poll_id, created_at, id);
DROP INDEX review_items_by_time;
CREATE INDEX review_items_by_time ON review_items (created_at, id);
DROP INDEX segments_by_time;
CREATE INDEX segments_by_time ON segments (created_at, id);
DROP INDEX campaigns_by_time;
CREATE INDEX campaigns_by_time ON campaigns (created_at, id);

CREATE INDEX users_by_creation ON users (created_at, id);
CREATE INDEX users_by_activity ON users (last_active, id);
`

/** Smaller versions of an uploaded picture are deleted with it. */
export const pictureSizes = `
ALTER TABLE uploads ADD COLUMN original TEXT;
CREATE INDEX uploads_of_original ON uploads (original) WHERE original IS NOT NULL;
`

/** Looked for by every message sent, and almost never there: hidden memberships. */
export const rareRows = `
CREATE INDEX members_hidden ON members (cid) WHERE hidden = 1;
`

/**
 * Rebuilds the search index, so that the time of a search does not depend on the length of the history. Beginnings of
 * words of one to four letters have their own lists; longer ones merge the few words that begin with them. The author
 * and the channel of a message are tokens next to its words (`messages/words.ts`). Positions of words within a message
 * are not stored, because no query uses phrases, and the lists are half as long. Words arrive folded and split, so the
 * tokenizer only splits at spaces.
 *
 * Filled in one go, a large piece in memory at a time, and merged into one piece at the end: a million messages take
 * about a minute.
 */
export const foundQuickly = `
DROP TABLE message_words;
CREATE VIRTUAL TABLE message_words USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3 4', tokenize = "ascii tokenchars '@#'"
);
INSERT INTO message_words (message_words, rank) VALUES ('automerge', 0), ('hashsize', 33554432);
INSERT INTO message_words (rowid, words)
  SELECT doc, indexed_words(text, user_id, cid) FROM messages WHERE doc IS NOT NULL AND deleted_at IS NULL ORDER BY doc;
INSERT INTO message_words (message_words) VALUES ('optimize');
INSERT INTO message_words (message_words, rank) VALUES ('automerge', 4), ('hashsize', 1048576);
`
