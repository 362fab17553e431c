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
