/** The review queue stores what rules found: of a message that is deleted permanently nothing stays there either. */
export const reviewedTexts = `
CREATE TRIGGER reviewed_text_gone AFTER DELETE ON messages BEGIN
  UPDATE review_items SET payload = '{}' WHERE entity_type = 'stream:chat:v1:message' AND entity_id = old.id;
END;
`
