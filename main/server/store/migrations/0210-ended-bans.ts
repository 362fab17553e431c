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
