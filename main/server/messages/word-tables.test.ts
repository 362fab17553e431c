import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { aStoredMessage } from '#kit/rows.ts'
import { openDb, type Db } from '../store/db.ts'
import { initial } from '../store/migrations/0010-initial.ts'
import { migrateStore, openStore } from '../store/open.ts'
import { insertMessage } from './message-table.ts'
import { toWords, indexOldMessages, WORDS_TOGETHER } from './words.ts'

const MATCH = 'SELECT rowid FROM message_words WHERE message_words MATCH ? ORDER BY rowid DESC'
const ADD = `INSERT INTO messages (id, cid, user_id, type, text, in_channel, created_at, updated_at, deleted_at, shadowed)
  VALUES (?, 'team:a', 'ann', 'regular', ?, 1, ?, ?, ?, ?)`

const CHANNEL =
  "INSERT INTO channels (cid, type, id, created_at, updated_at, last_updated, last_stamp) VALUES ('team:a', 'team', 'a', 1, 1, 1, 1)"

const old = openDb(':memory:')
old.exec(initial)
old.pragma('user_version = 10')
old.run(CHANNEL)
old.run(ADD, 'm1', 'Zażółć gęślą', 5, 5, null, 0)
old.run(ADD, 'm2', 'gęślą jaźń', 5, 5, null, 0)
old.run(ADD, 'm3', 'gone gesla', 7, 7, 8, 0)
old.run(ADD, 'm4', 'shadow', 9, 9, null, 1)
const fresh = openStore(':memory:')
const folder = mkdtempSync(join(tmpdir(), 'parlor-words-'))
afterAll(() => {
  old.close()
  fresh.close()
  rmSync(folder, { recursive: true, force: true })
})

function aStore(path = ':memory:'): Db {
  const db = openStore(path)
  db.run(CHANNEL)
  return db
}

function say(db: Db, text: string, at: number, deleted?: number): void {
  const row = { id: `at ${at}`, cid: 'team:a', user_id: 'ann', text, created_at: at, deleted_at: deleted ?? null }
  insertMessage(db, aStoredMessage(row))
}

const found = (db: Db, word: string): number[] =>
  db.all<{ rowid: number }>(MATCH, `"${word}"`).map(({ rowid }) => rowid)

/** The files of a store as a process leaves them that ends without closing it. */
function left(from: string, name: string): string {
  const path = join(mkdtempSync(join(folder, 'left-')), name)
  for (const part of ['', '-wal']) copyFileSync(from + part, path + part)
  return path
}

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

test('a new message is found at once, alone or with many, and not after it is deleted', () => {
  const db = aStore()
  say(db, 'one pear', 10)
  expect(found(db, 'pear')).toEqual([10])
  for (let at = 11; at < 11 + 2 * WORDS_TOGETHER; at += 1) say(db, 'an apple', at)
  db.run("UPDATE messages SET deleted_at = 99 WHERE id = 'at 12'")
  expect(found(db, 'apple')).toEqual(
    Array.from({ length: 2 * WORDS_TOGETHER }, (_, i) => 10 + 2 * WORDS_TOGETHER - i).filter((at) => at !== 12),
  )
  db.close()
})

test('messages that waited for the index when the server was killed are found after it starts', () => {
  const path = join(folder, 'server.db')
  const db = aStore(path)
  say(db, 'a plum, found before', 10)
  expect(found(db, 'plum')).toEqual([10])
  say(db, 'another plum', 30)
  say(db, 'a plum of another time', 20)
  for (let at = 40; at < 38 + WORDS_TOGETHER; at += 1)
    say(db, at % 2 === 0 ? '!' : 'gone plum', at, at % 2 === 0 ? undefined : 99)
  const reopened = openStore(left(path, 'server.db'))
  expect(found(reopened, 'plum')).toEqual([30, 20, 10])
  reopened.close()
  db.close()
})

test('what a store still had to index is indexed when it is closed', () => {
  const path = join(mkdtempSync(join(folder, 'closed-')), 'server.db')
  const db = aStore(path)
  say(db, 'a fig', 10)
  db.close()
  const reopened = openDb(path)
  expect(found(reopened, 'fig')).toEqual([10])
  reopened.close()
})

test('a transaction that fails takes back its own messages from the index, and none of those before it', () => {
  const db = aStore()
  say(db, 'a kiwi', 10)
  const inside: number[][] = []
  const fails = (): void => {
    say(db, 'a lost kiwi', 20)
    inside.push(found(db, 'kiwi'))
    throw new Error('refused')
  }
  expect(() => db.transaction(fails)).toThrow('refused')
  expect(found(db, 'kiwi')).toEqual([10])
  db.transaction(() => {
    say(db, 'a third kiwi', 30)
    expect(() => db.transaction(fails)).toThrow('refused')
  })
  expect(found(db, 'kiwi')).toEqual([30, 10])
  expect(inside).toEqual([
    [20, 10],
    [30, 20, 10],
  ])
  db.close()
})

test.each([
  ['in a transaction', (db: Db, word: string) => db.transaction(() => found(db, word))],
  ['outside of one', found],
])('a search %s that cannot write what waits is refused, and finds it once there is room', (_name, search) => {
  const db = aStore()
  for (let at = 10; at < 60; at += 1) say(db, `a melon ${at} ${'seed '.repeat(40)} ${at ** 5} ${at ** 6}`, at)
  db.pragma(`max_page_count = ${String(db.pragma('page_count'))}`)
  expect(() => search(db, 'melon')).toThrow('full')
  db.pragma('max_page_count = 100000')
  expect(search(db, 'melon')).toHaveLength(50)
  db.close()
})
