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
  return { db, kept: cache.set('one', 1) }
}

test('what is kept stays when another table is written, and when its keeper writes quietly', () => {
  const { db, kept: cache } = withCache()
  db.run('INSERT INTO b VALUES (1)')
  db.get('SELECT n FROM a')
  db.withoutInvalidation.run('INSERT INTO a VALUES (1)')
  db.withoutInvalidation.all('UPDATE a SET n = 2 RETURNING n')
  expect([...cache]).toEqual([['one', 1]])
})

test.each<[string, (db: ReturnType<typeof openDb>) => void]>([
  ['a row is written', (db) => db.run('INSERT INTO a VALUES (1)')],
  ['rows are changed by a statement that answers them', (db) => db.all('UPDATE a SET n = 2 RETURNING n')],
  ['rows that others hang on go away', (db) => db.run('DELETE FROM b')],
  ['a script runs', (db) => db.exec('DELETE FROM a')],
  [
    'a transaction that wrote is undone',
    (db) => {
      expect(() =>
        db.transaction(() => {
          db.withoutInvalidation.run('INSERT INTO a VALUES (1)')
          throw new Error('no')
        }),
      ).toThrow('no')
    },
  ],
])('nothing is kept once %s', (_name, write) => {
  const { db, kept: cache } = withCache()
  write(db)
  expect([...cache]).toEqual([])
})

test('a transaction that wrote nothing and is undone leaves what is kept', () => {
  const { db, kept: cache } = withCache()
  expect(() =>
    db.transaction(() => {
      throw new Error('refused')
    }),
  ).toThrow('refused')
  expect([...cache]).toEqual([['one', 1]])
})
