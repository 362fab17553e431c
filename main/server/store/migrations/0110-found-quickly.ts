/**
 * Rebuilds the search index, so that the time of a search does not depend on the length of the history. Beginnings of
 * words of one to four letters have their own lists; longer ones merge the few words that begin with them. The author
 * and the channel of a message are tokens next to its words (`messages/words.ts`). Positions of words within a message
 * are not stored, because no query uses phrases, and the lists are half as long. Words arrive folded and split, so the
 * tokenizer only splits at spaces.
 *
 * Filled in one go, a large piece in memory at a time, and merged into one piece at the end: a million messages take
 * about a minute.
 */
export const foundQuickly = `
DROP TABLE message_words;
CREATE VIRTUAL TABLE message_words USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3 4', tokenize = "ascii tokenchars '@#'"
);
INSERT INTO message_words (message_words, rank) VALUES ('automerge', 0), ('hashsize', 33554432);
INSERT INTO message_words (rowid, words)
  SELECT doc, indexed_words(text, user_id, cid) FROM messages WHERE doc IS NOT NULL AND deleted_at IS NULL ORDER BY doc;
INSERT INTO message_words (message_words) VALUES ('optimize');
INSERT INTO message_words (message_words, rank) VALUES ('automerge', 4), ('hashsize', 1048576);
`
