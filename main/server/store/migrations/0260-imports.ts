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
