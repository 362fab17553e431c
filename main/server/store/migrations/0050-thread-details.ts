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
