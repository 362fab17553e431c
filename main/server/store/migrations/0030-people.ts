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
