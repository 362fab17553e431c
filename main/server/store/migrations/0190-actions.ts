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
