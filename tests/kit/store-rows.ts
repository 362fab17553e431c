/**
 * Rows of a workspace as each schema of the local server could contain them, as fixed SQL: they do not change with the
 * code that writes rows. `since` is the schema that first had their table. Source of the tables: store/migrations.
 */
export const ROWS: readonly { readonly since: number; readonly sql: string }[] = [
  {
    since: 10,
    sql: `
INSERT INTO users (id, name, name_words, image, role, language, created_at, updated_at, last_active, privacy, custom) VALUES
  ('ann', 'Ann Żak', ' ann zak', 'http://127.0.0.1/a.png', 'admin', 'pl', 1, 2, 3, '{"typing_indicators":{"enabled":false}}', '{"title":"Cook"}'),
  ('bob', 'Bob', ' bob', NULL, 'user', NULL, 1, 1, NULL, NULL, '{}'),
  ('eve', NULL, '', NULL, 'user', NULL, 1, 1, NULL, NULL, '{}');
INSERT INTO channels (cid, type, id, name, name_words, created_by, created_at, updated_at, last_message_at, last_updated,
    last_stamp, member_count, message_count, custom) VALUES
  ('team:a', 'team', 'a', 'Kitchen', ' kitchen', 'ann', 1, 1, 3000, 3000, 3000, 2, 1005, '{"floor":3}'),
  ('team:gone', 'team', 'gone', NULL, '', 'bob', 1, 1, NULL, 1, 1, 0, 0, '{}');
UPDATE channels SET deleted_at = 9 WHERE cid = 'team:gone';
INSERT INTO members (cid, user_id, channel_role, created_at, updated_at, last_read, last_read_message_id, unread, custom) VALUES
  ('team:a', 'ann', 'channel_moderator', 1, 1, 30, 'm3', 0, '{}'),
  ('team:a', 'bob', 'channel_member', 1, 1, 10, 'm1', 2, '{"note":"x"}');
INSERT INTO messages (id, cid, user_id, type, text, parent_id, in_channel, created_at, updated_at, deleted_at, shadowed,
    reply_count, attachments, mentions, custom) VALUES
  ('m1', 'team:a', 'ann', 'regular', 'Zażółć gęślą jaźń', NULL, 1, 10, 10, NULL, 0, 2, '[{"type":"file","asset_url":"u"}]', '["bob"]', '{"mood":"calm"}'),
  ('m2', 'team:a', 'bob', 'reply', 'odpowiedź pierwsza', 'm1', 0, 20, 20, NULL, 0, 0, '[]', '[]', '{}'),
  ('m3', 'team:a', 'ann', 'reply', 'odpowiedź druga', 'm1', 0, 30, 30, NULL, 0, 0, '[]', '[]', '{}'),
  ('m4', 'team:a', 'bob', 'deleted', 'skreślone', NULL, 1, 40, 41, 41, 0, 0, '[]', '[]', '{}'),
  ('m5', 'team:a', 'eve', 'regular', 'in the shadow', NULL, 1, 50, 50, NULL, 1, 0, '[]', '[]', '{}');
UPDATE messages SET pinned_at = 60, pinned_by = 'ann', pin_expires = 9000000000000000 WHERE id = 'm1';
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
  INSERT INTO messages (id, cid, user_id, type, text, in_channel, created_at, updated_at, quoted_id)
  SELECT 'f' || i, 'team:a', 'bob', 'regular', 'filler ' || i, 1, 2000 + i, 2000 + i, iif(i % 10 = 0, 'm1', NULL) FROM n;
INSERT INTO reactions (message_id, user_id, type, score, created_at, updated_at, custom) VALUES
  ('m1', 'bob', 'like', 1, 15, 15, '{}'), ('m1', 'ann', 'clap', 5, 16, 17, '{"x":1}');
INSERT INTO polls (id, name, created_by, max_votes, created_at, updated_at) VALUES ('p1', 'Lunch?', 'ann', 2, 5, 5);
INSERT INTO poll_options (poll_id, id, text, position) VALUES ('p1', 'o1', 'Soup', 0), ('p1', 'o2', 'Pierogi', 1);
INSERT INTO poll_votes (id, poll_id, option_id, user_id, answer, created_at, updated_at) VALUES
  ('v1', 'p1', 'o2', 'bob', NULL, 6, 6), ('v2', 'p1', '', 'ann', 'Both', 7, 7);
INSERT INTO channel_mutes (user_id, cid, created_at, updated_at, expires_at) VALUES ('bob', 'team:a', 8, 8, 9000000000000000);
INSERT INTO user_mutes (user_id, target_id, created_at, updated_at) VALUES ('ann', 'eve', 8, 8);
INSERT INTO uploads (id, name, mime_type, size_bytes, user_id, cid, created_at) VALUES
  ('0123456789abcdef0123456789abcdef', 'map.pdf', 'application/pdf', 3, 'ann', 'team:a', 9);
INSERT INTO events (cid, user_id, at, type, json) VALUES ('team:a', NULL, 10, 'message.new', '{"type":"message.new"}');`,
  },
  {
    since: 20,
    sql: `
INSERT INTO hidden_messages (message_id, user_id) VALUES ('m2', 'ann');
INSERT INTO message_history (message_id, user_id, at, text, attachments) VALUES ('m1', 'ann', 11, 'Zazolc', '[]');
INSERT INTO drafts (user_id, cid, created_at, message) VALUES ('ann', 'team:a', 12, '{"id":"d1","text":"not yet"}');
INSERT INTO reminders (user_id, message_id, cid, remind_at, created_at, updated_at) VALUES
  ('ann', 'm1', 'team:a', 9000000000000000, 13, 13), ('bob', 'm1', 'team:a', NULL, 13, 13);
INSERT INTO locations (message_id, cid, user_id, latitude, longitude, device_id, created_at, updated_at) VALUES
  ('m3', 'team:a', 'ann', 52.2, 21.0, 'phone', 14, 14);
UPDATE messages SET extra = '{"command":"giphy"}' WHERE id = 'f1';`,
  },
  {
    since: 30,
    sql: `
UPDATE users SET shadow_banned = 1, teams = '["blue"]' WHERE id = 'eve';
INSERT INTO bans (user_id, cid, shadow, banned_by, reason, created_at, expires_at) VALUES
  ('eve', 'team:a', 1, 'ann', 'spam', 15, 9000000000000000);
INSERT INTO future_bans (user_id, banned_by, created_at) VALUES ('eve', 'ann', 15);
INSERT INTO user_blocks (user_id, blocked_id, created_at) VALUES ('bob', 'eve', 15);
INSERT INTO devices (user_id, id, push_provider, created_at) VALUES ('ann', 'dev1', 'firebase', 15);
INSERT INTO push_preferences (user_id, cid, json) VALUES ('ann', '', '{"chat_level":"all"}');
INSERT INTO flags (id, user_id, kind, target_id, cid, reason, created_at, updated_at) VALUES
  ('fl1', 'bob', 'message', 'm5', 'team:a', 'rude', 15, 15);
INSERT INTO review_items (id, entity_type, entity_id, creator_id, created_at, updated_at) VALUES
  ('r1', 'stream:chat:v1:message', 'm5', 'eve', 15, 15);
INSERT INTO settings (kind, name, json, created_at, updated_at) VALUES ('blocklist', 'swear', '{"words":["drat"]}', 15, 15);
INSERT INTO user_groups (id, name, created_by, created_at, updated_at) VALUES ('g1', 'Cooks', 'ann', 15, 15);
INSERT INTO user_group_members (group_id, user_id, is_admin, created_at) VALUES ('g1', 'ann', 1, 15);
INSERT INTO segments (id, type, name, created_at, updated_at) VALUES ('s1', 'user', 'All cooks', 15, 15);
INSERT INTO segment_targets (segment_id, target_id, created_at) VALUES ('s1', 'ann', 15);
INSERT INTO campaigns (id, name, sender_id, input, segment_ids, created_at, updated_at) VALUES
  ('c1', 'News', 'ann', '{"text":"hello"}', '["s1"]', 15, 15);
INSERT INTO campaign_targets (campaign_id, kind, target_id, state, updated_at) VALUES ('c1', 'user', 'ann', 'pending', 15);`,
  },
  {
    since: 40,
    sql: `
INSERT INTO thread_participants (parent_id, user_id, cid, created_at, last_read, last_read_message_id) VALUES
  ('f1', 'eve', 'team:a', 16, 17, 'f1');`,
  },
  {
    since: 50,
    sql: `INSERT INTO thread_details (parent_id, title, custom, updated_at) VALUES ('m1', 'On lunch', '{"a":1}', 18);`,
  },
  {
    since: 130,
    sql: `
INSERT INTO uploads (id, name, mime_type, size_bytes, user_id, width, height, created_at) VALUES
  ('fedcba9876543210fedcba9876543210', 'parrot.png', 'image/png', 3, 'ann', 64, 64, 19);
INSERT INTO custom_emoji (name, aliases, upload_id, created_by, created_at, updated_at) VALUES
  ('parrot', '["bird"]', 'fedcba9876543210fedcba9876543210', 'ann', 19, 19);`,
  },
  {
    since: 190,
    sql: `
INSERT INTO actions (at, user_id, action, target_id, cid, message_id, reason, details) VALUES
  (20, 'ann', 'user.ban', 'eve', 'team:a', NULL, 'Rude', '{"seconds":3600}');`,
  },
  {
    since: 210,
    sql: `
INSERT INTO ended_bans (user_id, cid, shadow, banned_by, reason, created_at, expires_at, ended_at, ended_by) VALUES
  ('eve', 'team:a', 0, 'ann', 'spam', 15, 20, 18, 'ann'), ('bob', '', 1, NULL, NULL, 15, 20, 20, NULL);`,
  },
  {
    since: 250,
    sql: `
INSERT INTO integrations (id, kind, name, url, events, secret, created_by, created_at) VALUES
  ('i1', 'outgoing', 'Ticket desk', 'http://127.0.0.1:9/', '["message.new"]', 'word', 'ann', 21);
INSERT INTO integration_calls (integration_id, at, took, outcome, what, source) VALUES
  ('i1', 22, 5, 'unreachable', 'message.new', 'parlor');
INSERT INTO integration_queue (id, integration_id, event, body) VALUES ('d1', 'i1', 'message.new', '{}');`,
  },
  {
    since: 260,
    sql: `
INSERT INTO imports (source, path, name, state, total, facts, created_at) VALUES
  ('slack', '/tmp/a.zip', 'a.zip', 'done', 1, '{}', 20);
INSERT INTO imported (key, kind, target, added, import_id) VALUES ('import-1', 'message', 'team:a', 1, 1);`,
  },
]
