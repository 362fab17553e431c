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
