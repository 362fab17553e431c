/**
 * The first schema. Every time is whole microseconds since 1970: exact in SQLite and in a JavaScript number. `custom`
 * holds the keys the contract allows flat on an object.
 */
export const initial = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  name TEXT,
  -- words of the name in lower case without accents, each with a space before it: for $autocomplete
  name_words TEXT NOT NULL DEFAULT '',
  image TEXT,
  role TEXT NOT NULL DEFAULT 'user',
  language TEXT,
  invisible INTEGER NOT NULL DEFAULT 0,
  banned INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_active INTEGER,
  deactivated_at INTEGER,
  deleted_at INTEGER,
  tokens_revoked_before INTEGER,
  privacy TEXT,
  custom TEXT NOT NULL DEFAULT '{}'
) STRICT, WITHOUT ROWID;
CREATE INDEX users_by_name ON users (name, id);

CREATE TABLE channels (
  cid TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT,
  name_words TEXT NOT NULL DEFAULT '',
  created_by TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_message_at INTEGER,
  -- the later of the last message and creation
  last_updated INTEGER NOT NULL,
  -- the newest time given out in this channel: times only grow
  last_stamp INTEGER NOT NULL,
  member_count INTEGER NOT NULL DEFAULT 0,
  message_count INTEGER NOT NULL DEFAULT 0,
  frozen INTEGER NOT NULL DEFAULT 0,
  disabled INTEGER NOT NULL DEFAULT 0,
  cooldown INTEGER NOT NULL DEFAULT 0,
  team TEXT,
  truncated_at INTEGER,
  truncated_by TEXT,
  deleted_at INTEGER,
  config_overrides TEXT NOT NULL DEFAULT '{}',
  custom TEXT NOT NULL DEFAULT '{}'
) STRICT, WITHOUT ROWID;
CREATE INDEX channels_by_activity ON channels (last_updated DESC, cid) WHERE deleted_at IS NULL;

CREATE TABLE members (
  cid TEXT NOT NULL REFERENCES channels (cid) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  channel_role TEXT NOT NULL DEFAULT 'channel_member',
  role TEXT NOT NULL DEFAULT 'member',
  invited INTEGER NOT NULL DEFAULT 0,
  status TEXT,
  invite_accepted_at INTEGER,
  invite_rejected_at INTEGER,
  banned INTEGER NOT NULL DEFAULT 0,
  shadow_banned INTEGER NOT NULL DEFAULT 0,
  pinned_at INTEGER,
  archived_at INTEGER,
  hidden INTEGER NOT NULL DEFAULT 0,
  hide_before INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_read INTEGER NOT NULL,
  last_read_message_id TEXT,
  unread INTEGER NOT NULL DEFAULT 0,
  last_delivered_at INTEGER,
  last_delivered_message_id TEXT,
  custom TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (cid, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_of_user ON members (user_id, cid);
CREATE INDEX members_unread ON members (user_id) WHERE unread > 0;
CREATE INDEX members_by_time ON members (cid, created_at, user_id);

CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  cid TEXT NOT NULL REFERENCES channels (cid) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  type TEXT NOT NULL,
  text TEXT NOT NULL,
  parent_id TEXT,
  show_in_channel INTEGER NOT NULL DEFAULT 0,
  -- 1 when the message stands in the channel itself: it is no reply, or a reply shown there
  in_channel INTEGER NOT NULL,
  quoted_id TEXT,
  poll_id TEXT,
  silent INTEGER NOT NULL DEFAULT 0,
  shadowed INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  text_updated_at INTEGER,
  deleted_at INTEGER,
  pinned_at INTEGER,
  pinned_by TEXT,
  pin_expires INTEGER,
  reply_count INTEGER NOT NULL DEFAULT 0,
  deleted_reply_count INTEGER NOT NULL DEFAULT 0,
  attachments TEXT NOT NULL DEFAULT '[]',
  mentions TEXT NOT NULL DEFAULT '[]',
  custom TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX messages_page ON messages (cid, created_at, id) WHERE in_channel = 1;
CREATE INDEX messages_replies ON messages (parent_id, created_at, id) WHERE parent_id IS NOT NULL;
CREATE INDEX messages_pinned ON messages (cid, pinned_at, id) WHERE pinned_at IS NOT NULL;
CREATE INDEX messages_pin_ends ON messages (pin_expires) WHERE pin_expires IS NOT NULL;
CREATE INDEX messages_of_author ON messages (cid, user_id, created_at);
CREATE INDEX messages_quoting ON messages (quoted_id) WHERE quoted_id IS NOT NULL;
CREATE INDEX messages_with_poll ON messages (poll_id) WHERE poll_id IS NOT NULL;

CREATE TABLE reactions (
  message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  type TEXT NOT NULL,
  score INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  custom TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (message_id, user_id, type)
) STRICT, WITHOUT ROWID;
CREATE INDEX reactions_by_time ON reactions (message_id, created_at DESC, user_id, type);

CREATE TABLE polls (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  created_by TEXT NOT NULL,
  enforce_unique INTEGER NOT NULL DEFAULT 0,
  max_votes INTEGER,
  allow_answers INTEGER NOT NULL DEFAULT 0,
  allow_suggestions INTEGER NOT NULL DEFAULT 0,
  visibility TEXT NOT NULL DEFAULT 'public',
  closed INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  custom TEXT NOT NULL DEFAULT '{}'
) STRICT, WITHOUT ROWID;

CREATE TABLE poll_options (
  poll_id TEXT NOT NULL REFERENCES polls (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  text TEXT NOT NULL,
  position INTEGER NOT NULL,
  custom TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (poll_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE poll_votes (
  id TEXT PRIMARY KEY,
  poll_id TEXT NOT NULL REFERENCES polls (id) ON DELETE CASCADE,
  -- empty for an answer in words
  option_id TEXT NOT NULL DEFAULT '',
  user_id TEXT NOT NULL,
  answer TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX poll_votes_once ON poll_votes (poll_id, user_id, option_id);
CREATE INDEX poll_votes_by_time ON poll_votes (poll_id, created_at DESC, id);

CREATE TABLE channel_mutes (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  cid TEXT NOT NULL REFERENCES channels (cid) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (user_id, cid)
) STRICT, WITHOUT ROWID;
CREATE INDEX channel_mutes_expiring ON channel_mutes (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE user_mutes (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  target_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (user_id, target_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_mutes_of_target ON user_mutes (target_id, user_id);

CREATE TABLE uploads (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  cid TEXT,
  width INTEGER,
  height INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX uploads_of_user ON uploads (user_id, size_bytes);

-- what /sync answers: kept for 30 days
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  cid TEXT NOT NULL,
  -- only this person may see the event; absent: everyone who may read the channel
  user_id TEXT,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  json TEXT NOT NULL
) STRICT;
CREATE INDEX events_of_channel ON events (cid, at);
CREATE INDEX events_by_age ON events (at);
`
