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
