/** However a message is deleted, softly too, its words leave the search index with it. */
export const forgottenWords = `
CREATE TRIGGER message_words_deleted AFTER UPDATE OF deleted_at ON messages
  WHEN new.deleted_at IS NOT NULL AND old.deleted_at IS NULL AND new.doc IS NOT NULL BEGIN
  DELETE FROM message_words WHERE rowid = new.doc;
END;
`
