/**
 * Whether a channel is its members' alone, as a column that cannot stray from the field it is read from: lists and
 * searches leave such channels out for everyone else.
 */
export const privateChannels = `
ALTER TABLE channels ADD COLUMN private INTEGER NOT NULL
  GENERATED ALWAYS AS (coalesce(json_type(custom, '$.private') = 'true', 0)) VIRTUAL;
`

/** Pictures with a name that people of the workspace made. `aliases` is a list as JSON; names and aliases are unique together. */
export const customEmoji = `
CREATE TABLE custom_emoji (
  name TEXT PRIMARY KEY,
  aliases TEXT NOT NULL DEFAULT '[]',
  upload_id TEXT NOT NULL REFERENCES uploads (id),
  created_by TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX custom_emoji_by_upload ON custom_emoji (upload_id);
`

/** When a poll closes by itself, if someone chose so (`closes_at` of the poll, microseconds). */
export const pollsThatClose = `
ALTER TABLE polls ADD COLUMN closes_at INTEGER;
CREATE INDEX polls_that_close ON polls (closes_at) WHERE closed = 0 AND closes_at IS NOT NULL;
`

/** The author and the time of each earlier version of a message: previously only who replaced it was stored. */
export const whoWrote = `
ALTER TABLE message_history ADD COLUMN written_by TEXT;
ALTER TABLE message_history ADD COLUMN written_at INTEGER;
UPDATE message_history SET
  written_by = coalesce(
    (SELECT p.user_id FROM message_history p WHERE p.message_id = message_history.message_id AND p.seq < message_history.seq
      ORDER BY p.seq DESC LIMIT 1),
    (SELECT m.user_id FROM messages m WHERE m.id = message_history.message_id), user_id),
  written_at = coalesce(
    (SELECT p.at FROM message_history p WHERE p.message_id = message_history.message_id AND p.seq < message_history.seq
      ORDER BY p.seq DESC LIMIT 1),
    (SELECT m.created_at FROM messages m WHERE m.id = message_history.message_id), at);
DROP INDEX message_history_by_time;
DROP INDEX message_history_newest;
CREATE INDEX message_history_by_time ON message_history (message_id, written_at DESC, seq DESC);
CREATE INDEX message_history_newest ON message_history (written_at, seq);
`

/** The channel of an item in the review queue, and the orders in which moderators and reporters read. */
export const review = `
ALTER TABLE review_items ADD COLUMN cid TEXT;
UPDATE review_items SET cid = (SELECT m.cid FROM messages m WHERE m.id = entity_id)
  WHERE entity_type = 'stream:chat:v1:message';
CREATE INDEX review_items_by_status ON review_items (status, created_at, id);
CREATE INDEX review_items_by_change ON review_items (status, updated_at, id);
CREATE INDEX review_items_of_channel ON review_items (cid, created_at, id);
CREATE INDEX review_items_of_creator ON review_items (creator_id, created_at, id);
CREATE INDEX flags_of_user ON flags (user_id, created_at DESC, id);
`

/** Finds administrators and moderators among many people: they see what is hidden from others. */
export const staff = `
CREATE INDEX users_staff ON users (id) WHERE role IN ('admin', 'moderator');
`

/** What moderators and administrators did: who, what, to whom, where. */
export const actions = `
CREATE TABLE actions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  user_id TEXT,
  action TEXT NOT NULL,
  target_id TEXT,
  cid TEXT,
  message_id TEXT,
  subject TEXT,
  reason TEXT,
  details TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX actions_by_time ON actions (at DESC, seq DESC);
CREATE INDEX actions_of_person ON actions (user_id, at DESC, seq DESC);
CREATE INDEX actions_about_person ON actions (target_id, at DESC, seq DESC);
`

/** The review queue stores what rules found: of a message that is deleted permanently nothing stays there either. */
export const reviewedTexts = `
CREATE TRIGGER reviewed_text_gone AFTER DELETE ON messages BEGIN
  UPDATE review_items SET payload = '{}' WHERE entity_type = 'stream:chat:v1:message' AND entity_id = old.id;
END;
`

/** Bans that are over: which, and who ended them when. */
export const endedBans = `
CREATE TABLE ended_bans (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  cid TEXT NOT NULL DEFAULT '',
  shadow INTEGER NOT NULL DEFAULT 0,
  banned_by TEXT,
  reason TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  ended_at INTEGER NOT NULL,
  -- absent: its time was over, or a program with the server token ended it
  ended_by TEXT
) STRICT;
CREATE INDEX ended_bans_by_time ON ended_bans (ended_at, seq);
CREATE INDEX ended_bans_of_person ON ended_bans (user_id, ended_at, seq);
CREATE INDEX ended_bans_of_channel ON ended_bans (cid, ended_at, seq);
`

/** Whether a campaign has sent into a channel, asked before each of its messages. */
export const campaignChannels = `
CREATE INDEX campaign_targets_sent ON campaign_targets (campaign_id, cid) WHERE state = 'sent';
`

/**
 * What became of a campaign is counted as it happens: a list shows many, and each may have 100,000 people. Whoever has
 * read its message once counts as a reader, also when they mark it as unread or leave the channel later. In a channel
 * that many read, a member who had read it before their turn came counts, and one who joined after it was sent does not.
 */
export const campaignCounts = `
ALTER TABLE campaigns ADD COLUMN targets INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN targets_done INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN targets_sent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN people_sent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN people_delivered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN people_read INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN messages_sent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaign_targets ADD COLUMN delivered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaign_targets ADD COLUMN read INTEGER NOT NULL DEFAULT 0;

UPDATE campaign_targets SET read = 1 WHERE kind = 'user' AND state = 'sent' AND EXISTS (
  SELECT 1 FROM members b JOIN messages m ON m.id = campaign_targets.message_id
  WHERE b.cid = campaign_targets.cid AND b.user_id = campaign_targets.target_id AND b.last_read >= m.created_at
    AND b.last_read > b.created_at);
UPDATE campaign_targets SET delivered = 1 WHERE kind = 'user' AND state = 'sent' AND (read = 1 OR EXISTS (
  SELECT 1 FROM members b JOIN messages m ON m.id = campaign_targets.message_id
  WHERE b.cid = campaign_targets.cid AND b.user_id = campaign_targets.target_id
    AND b.last_delivered_at >= m.created_at));
UPDATE campaigns SET (targets, targets_done, targets_sent, people_sent, people_delivered, people_read, messages_sent) = (
  SELECT count(*), coalesce(sum(t.state <> 'pending'), 0), coalesce(sum(t.state = 'sent'), 0),
    coalesce(sum(t.kind = 'user' AND t.state = 'sent'), 0), coalesce(sum(t.delivered), 0), coalesce(sum(t.read), 0),
    count(DISTINCT t.message_id)
  FROM campaign_targets t WHERE t.campaign_id = campaigns.id);

CREATE INDEX campaign_targets_unread ON campaign_targets (target_id, cid)
  WHERE kind = 'user' AND state = 'sent' AND read = 0;

CREATE TRIGGER campaign_target_added AFTER INSERT ON campaign_targets BEGIN
  UPDATE campaigns SET targets = targets + 1 WHERE id = new.campaign_id;
END;

CREATE TRIGGER campaign_target_done AFTER UPDATE OF state ON campaign_targets
WHEN old.state = 'pending' AND new.state <> 'pending' BEGIN
  UPDATE campaigns SET targets_done = targets_done + 1, targets_sent = targets_sent + (new.state = 'sent'),
    people_sent = people_sent + (new.kind = 'user' AND new.state = 'sent'),
    messages_sent = messages_sent + (new.state = 'sent' AND NOT EXISTS (
      SELECT 1 FROM campaign_targets t INDEXED BY campaign_targets_sent
      WHERE t.campaign_id = new.campaign_id AND t.cid = new.cid AND t.state = 'sent'
        AND (t.kind <> new.kind OR t.target_id <> new.target_id)))
  WHERE id = new.campaign_id;
  UPDATE campaign_targets SET delivered = 1, read = 1
  WHERE campaign_id = new.campaign_id AND kind = new.kind AND target_id = new.target_id
    AND new.kind = 'user' AND new.state = 'sent' AND EXISTS (
      SELECT 1 FROM members b JOIN messages m ON m.id = new.message_id
      WHERE b.cid = new.cid AND b.user_id = new.target_id AND b.last_read >= m.created_at
        AND b.created_at < m.created_at);
  UPDATE campaign_targets SET delivered = 1
  WHERE campaign_id = new.campaign_id AND kind = new.kind AND target_id = new.target_id
    AND new.kind = 'user' AND new.state = 'sent' AND EXISTS (
      SELECT 1 FROM members b JOIN messages m ON m.id = new.message_id
      WHERE b.cid = new.cid AND b.user_id = new.target_id AND b.last_delivered_at >= m.created_at);
END;

CREATE TRIGGER campaign_message_delivered AFTER UPDATE OF last_delivered_at ON members
WHEN new.last_delivered_at IS NOT NULL BEGIN
  UPDATE campaign_targets SET delivered = 1
  WHERE target_id = new.user_id AND cid = new.cid AND kind = 'user' AND state = 'sent' AND read = 0 AND delivered = 0
    AND new.last_delivered_at >= (SELECT created_at FROM messages WHERE id = message_id);
END;

CREATE TRIGGER campaign_message_read AFTER UPDATE OF last_read ON members WHEN new.last_read > old.last_read BEGIN
  UPDATE campaign_targets SET delivered = 1, read = 1
  WHERE target_id = new.user_id AND cid = new.cid AND kind = 'user' AND state = 'sent' AND read = 0
    AND new.last_read >= (SELECT created_at FROM messages WHERE id = message_id);
END;

CREATE TRIGGER campaign_target_seen AFTER UPDATE OF delivered, read ON campaign_targets
WHEN old.delivered <> new.delivered OR old.read <> new.read BEGIN
  UPDATE campaigns SET people_delivered = people_delivered + new.delivered - old.delivered,
    people_read = people_read + new.read - old.read
  WHERE id = new.campaign_id;
END;
`

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

/** Imports of history, and everything that they have added: so that a second run adds nothing, and one can be undone. */
export const imports = `
CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL,
  -- of this device; it is read again after a restart
  path TEXT NOT NULL,
  name TEXT NOT NULL,
  -- running, paused, done, stopped, undoing, undone
  state TEXT NOT NULL,
  problem TEXT,
  -- messages added, and to be added
  done INTEGER NOT NULL DEFAULT 0,
  total INTEGER NOT NULL,
  files INTEGER NOT NULL DEFAULT 0,
  -- JSON: what is known before it begins
  facts TEXT NOT NULL,
  -- the report was read
  closed INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;

CREATE TABLE imported (
  -- of a message its id, of everything else the key of the thing in the export
  key TEXT PRIMARY KEY,
  -- person, channel, member, message, file, pin
  kind TEXT NOT NULL,
  -- a user, a cid, or the message of a file
  target TEXT NOT NULL,
  -- 0: it was here already
  added INTEGER NOT NULL,
  import_id INTEGER NOT NULL REFERENCES imports (id)
) STRICT, WITHOUT ROWID;
CREATE INDEX imported_by ON imported (import_id, kind, key);
CREATE INDEX imported_files ON imported (target) WHERE kind = 'file';
`

/** The people of a campaign are gathered in slices, which a restart continues: see `campaigns/campaigns.ts`. */
export const gathering = `
ALTER TABLE campaigns ADD COLUMN gathering TEXT;
CREATE INDEX campaigns_gathering ON campaigns (gathering) WHERE gathering > '';
`

/** Campaigns and segments are removed in slices, which a restart continues: see `campaigns/campaigns.ts`. */
export const removals = `
ALTER TABLE campaigns ADD COLUMN removed_at INTEGER;
ALTER TABLE segments ADD COLUMN removed_at INTEGER;
CREATE INDEX campaigns_removed ON campaigns (removed_at) WHERE removed_at IS NOT NULL;
CREATE INDEX segments_removed ON segments (removed_at) WHERE removed_at IS NOT NULL;
`

/** Events are numbered in the order of their time, so an index by time is not needed to find the oldest. */
export const eventAges = `
DROP INDEX events_by_age;
`
