import { expect, test } from 'vitest'
import { openDb } from './db.ts'
import { writtenBy } from './query-cache.ts'

test.each([
  ['SELECT * FROM members', undefined],
  ['  insert or ignore into members (a) VALUES (1)', ['members']],
  ['UPDATE members SET a = 1 RETURNING b', ['members']],
  ['UPDATE OR REPLACE members SET a = 1', ['members', 'DELETE members']],
  ['REPLACE INTO members VALUES (1)', ['members', 'DELETE members']],
  ['DELETE FROM users WHERE id = ?', ['users', 'DELETE users']],
  ['WITH x AS (SELECT 1) UPDATE members SET a = 1', 'anything'],
  ['PRAGMA user_version', undefined],
])('%s writes %j', (sql, written) => {
  expect(writtenBy(sql)).toEqual(written)
})

function withCache() {
  const db = openDb(':memory:')
  db.exec('CREATE TABLE a (n INTEGER); CREATE TABLE b (n INTEGER)')
  const cache = db.cacheOf<number>(['a', 'DELETE b'])
  return { db, cache: cache.set('one', 1) }
}

test('a cache stays when another table is written, and on writes without invalidation', () => {
  const { db, cache } = withCache()
  db.run('INSERT INTO b VALUES (1)')
  db.get('SELECT n FROM a')
  db.withoutInvalidation.run('INSERT INTO a VALUES (1)')
  db.withoutInvalidation.all('UPDATE a SET n = 2 RETURNING n')
  expect([...cache]).toEqual([['one', 1]])
})

test.each<[string, (db: ReturnType<typeof openDb>) => void]>([
  ['a row is written', (db) => db.run('INSERT INTO a VALUES (1)')],
  ['rows are changed by a statement that returns them', (db) => db.all('UPDATE a SET n = 2 RETURNING n')],
  ['rows that others depend on are deleted', (db) => db.run('DELETE FROM b')],
  ['a script runs', (db) => db.exec('DELETE FROM a')],
  [
    'a transaction that wrote is rolled back',
    (db) => {
      expect(() =>
        db.transaction(() => {
          db.withoutInvalidation.run('INSERT INTO a VALUES (1)')
          throw new Error('no')
        }),
      ).toThrow('no')
    },
  ],
])('a cache is cleared once %s', (_name, write) => {
  const { db, cache } = withCache()
  write(db)
  expect([...cache]).toEqual([])
})

test('rolling back a transaction without writes keeps the cache', () => {
  const { db, cache } = withCache()
  expect(() =>
    db.transaction(() => {
      throw new Error('refused')
    }),
  ).toThrow('refused')
  expect([...cache]).toEqual([['one', 1]])
})
