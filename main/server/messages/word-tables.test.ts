import { afterAll, expect, test } from 'vitest'
import { openDb } from '../store/db.ts'
import { initial } from '../store/migrations/0010-initial.ts'
import { migrateStore, openStore } from '../store/open.ts'
import { toWords, indexOldMessages } from './words.ts'

const MATCH = 'SELECT rowid FROM message_words WHERE message_words MATCH ? ORDER BY rowid DESC'
const ADD = `INSERT INTO messages (id, cid, user_id, type, text, in_channel, created_at, updated_at, deleted_at, shadowed)
  VALUES (?, 'team:a', 'ann', 'regular', ?, 1, ?, ?, ?, ?)`

const old = openDb(':memory:')
old.exec(initial)
old.pragma('user_version = 10')
old.run(
  "INSERT INTO channels (cid, type, id, created_at, updated_at, last_updated, last_stamp) VALUES ('team:a', 'team', 'a', 1, 1, 1, 1)",
)
old.run(ADD, 'm1', 'Zażółć gęślą', 5, 5, null, 0)
old.run(ADD, 'm2', 'gęślą jaźń', 5, 5, null, 0)
old.run(ADD, 'm3', 'gone gesla', 7, 7, 8, 0)
old.run(ADD, 'm4', 'shadow', 9, 9, null, 1)
const fresh = openStore(':memory:')
afterAll(() => {
  old.close()
  fresh.close()
})

test('a store of the first schema keeps its messages and can be searched, newest first, without deleted ones', () => {
  migrateStore(old)
  expect(indexOldMessages(old)).toBe(4)
  expect(old.all<{ rowid: number }>(MATCH, '"gesla"').map((row) => row.rowid)).toEqual([6, 5])
  expect(indexOldMessages(old)).toBe(0)
  expect(old.get("SELECT audience FROM messages WHERE id = 'm4'")).toEqual({ audience: ',ann,' })
})

test('a message leaves the index when it is deleted, softly or for good', () => {
  old.run("UPDATE messages SET deleted_at = 10 WHERE id = 'm1'")
  expect(old.all(MATCH, '"zazolc"')).toEqual([])
  old.run("DELETE FROM channels WHERE cid = 'team:a'")
  expect(old.all(MATCH, '"gesla"')).toEqual([])
})

test('a new store has the same tables as a migrated one', () => {
  const schema = (db: typeof old) =>
    db
      .all<{ name: string; sql: string | null }>('SELECT name, sql FROM sqlite_schema ORDER BY type, name')
      .map((row) => row.sql)
  expect(schema(old)).toEqual(schema(fresh))
})

test('words are found without accents', () => {
  expect(toWords('Łukasz-Żak')).toBe(' lukasz zak')
  expect(toWords('Ёлка Æon')).toBe(' елка aeon')
  expect(toWords('  ')).toBe('')
})
