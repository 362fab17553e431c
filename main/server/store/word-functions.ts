import type Database from 'better-sqlite3'
import { indexedWords } from '../messages/index-words.ts'

/** What the search index holds of a message, as an SQL function: for the migration that fills it. */
export function registerIndexedWords(db: Database.Database): void {
  db.function('indexed_words', { deterministic: true }, (text: unknown, userId: unknown, cid: unknown) =>
    indexedWords(String(text), String(userId), String(cid)),
  )
}
