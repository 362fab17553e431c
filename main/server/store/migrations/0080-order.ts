/**
 * When someone left a thread; and indexes in the order pages are walked, forwards and backwards: a page behind a cursor
 * compares whole rows, so all its columns stand in one direction.
 */
export const order = `
ALTER TABLE thread_participants ADD COLUMN left_at INTEGER;

CREATE INDEX messages_pending ON messages (cid, user_id) WHERE pending = 1;
CREATE INDEX message_history_newest ON message_history (at, seq);

DROP INDEX reactions_by_time;
CREATE INDEX reactions_by_time ON reactions (message_id, created_at, user_id, type);
DROP INDEX poll_votes_by_time;
CREATE INDEX poll_votes_by_time ON poll_votes (poll_id, created_at, id);
DROP INDEX review_items_by_time;
CREATE INDEX review_items_by_time ON review_items (created_at, id);
DROP INDEX segments_by_time;
CREATE INDEX segments_by_time ON segments (created_at, id);
DROP INDEX campaigns_by_time;
CREATE INDEX campaigns_by_time ON campaigns (created_at, id);

CREATE INDEX users_by_creation ON users (created_at, id);
CREATE INDEX users_by_activity ON users (last_active, id);
`
