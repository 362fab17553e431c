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
