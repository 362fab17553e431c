/**
 * The search index again, so that what is found does not depend on how long the history is: beginnings of words have
 * lists of their own (of one to four letters; longer ones join the few words that begin so), and who wrote a message and
 * where are tokens beside its words (`messages/index-words.ts`). Places of words within a message are not kept: no one asks
 * for phrases, and the lists are half as long. Words come folded and taken apart, so the tokenizer only has to cut at
 * spaces.
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
