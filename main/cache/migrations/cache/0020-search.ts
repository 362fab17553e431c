import type { Migration } from '#main/lib/sqlite/migrate.ts'

/**
 * Full-text search. `search_fresh` lists messages that are not indexed yet, `search_docs` the indexed ones (numbered by
 * time, see `cache/search/docs.ts`), `search_gone` those to be removed from the index. The index itself stores no text:
 * it reads `search_docs`. All existing messages are fresh.
 */
export const search: Migration = {
  version: 20,
  statements: [
    `CREATE TABLE search_docs (
       doc INTEGER PRIMARY KEY, id TEXT NOT NULL, poll_id TEXT, body TEXT NOT NULL, marks TEXT NOT NULL
     ) STRICT`,
    'CREATE INDEX search_docs_poll ON search_docs (poll_id) WHERE poll_id IS NOT NULL',
    'CREATE TABLE search_gone (doc INTEGER PRIMARY KEY) STRICT',
    `CREATE TABLE search_fresh (
       created_at REAL NOT NULL, id TEXT NOT NULL, PRIMARY KEY (created_at, id)
     ) STRICT, WITHOUT ROWID`,
    // Text is stored folded and separated by spaces: nothing is left to do for the tokenizer.
    `CREATE VIRTUAL TABLE search_words USING fts5 (
       body, marks, content = 'search_docs', content_rowid = 'doc', tokenize = 'ascii', prefix = '2'
     )`,
    // Removed content is erased from disk.
    `INSERT INTO search_words (search_words, rank) VALUES ('secure-delete', 1)`,
    'INSERT INTO search_fresh (created_at, id) SELECT created_at, id FROM messages',
  ],
}
