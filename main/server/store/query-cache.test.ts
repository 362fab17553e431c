import { afterAll, expect, test } from 'vitest'
import { readSqlSource, type SourceWrite } from '#kit/sql-source.ts'
import { cacheOf, type Db } from './db.ts'
import { openStore } from './open.ts'

const testCache = cacheOf<number>(['members', 'channels'])
const opened: Db[] = []
afterAll(() => opened.forEach((db) => db.close()))

function withCache() {
  const db = openStore(':memory:')
  opened.push(db)
  const cache = testCache(db)
  return { db, cache: cache.set('one', 1) }
}

const SETTING = `INSERT INTO settings (kind, name, json, created_at, updated_at) VALUES ('a', 'b', '{}', 1, 1)`

test('a cache stays when other tables change, and where the writer updates it', () => {
  const { db, cache } = withCache()
  db.changing('settings').run(SETTING)
  db.get('SELECT 1 FROM members')
  db.keepingCaches.run('UPDATE members SET unread = 0')
  db.keepingCaches.all('UPDATE members SET unread = 0 RETURNING user_id')
  expect([...cache]).toEqual([['one', 1]])
})

test.each<[string, (db: Db) => void]>([
  ['its table changes', (db) => db.changing('members').run('UPDATE members SET unread = 0')],
  [
    'rows of its table are changed and returned',
    (db) => db.changing('settings', 'channels').all('UPDATE channels SET frozen = 0 RETURNING cid'),
  ],
  ['a script runs', (db) => db.exec('DELETE FROM members')],
  [
    'a transaction that wrote is rolled back',
    (db) => {
      expect(() =>
        db.transaction(() => {
          db.keepingCaches.run('UPDATE members SET unread = 0')
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
      db.get('SELECT 1 FROM members')
      throw new Error('refused')
    }),
  ).toThrow('refused')
  expect([...cache]).toEqual([['one', 1]])
})

/** The tables whose rows are deleted with those of a table. */
function cascades(db: Db): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { name } of db.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")) {
    const parents = db.raw.pragma(`foreign_key_list("${name}")`) as { table: string; on_delete: string }[]
    for (const { table, on_delete: how } of parents)
      if (how !== 'NO ACTION') found.set(table, [...(found.get(table) ?? []), name])
  }
  return found
}

const TABLE = /^(?:INSERT|REPLACE|UPDATE|DELETE)(?: OR [A-Z]+)? (?:INTO |FROM )?"?(\w+)/

/** The cached tables that a statement changes, also by deleting what depends on its rows. */
function changedBy(sql: string, cached: ReadonlySet<string>, children: ReadonlyMap<string, readonly string[]>) {
  const [whole = '', table = ''] = TABLE.exec(sql) ?? []
  const changed = new Set([table])
  if (/DELETE|REPLACE/.test(whole))
    for (const parent of changed) for (const child of children.get(parent) ?? []) changed.add(child)
  return [...changed].filter((each) => cached.has(each)).toSorted()
}

const { statements, writes, cached } = readSqlSource('main/server/')
const { db } = withCache()
const children = cascades(db)
/** They write a separate file, or before a cache exists. */
const OWN_FILES = /^store\/(?:archive|salvage)\.ts /
const named = ({ changing }: SourceWrite): readonly string[] => [...new Set(changing)].toSorted()

test('each statement that writes a table from which a cache is computed names it, or keeps the caches by hand', () => {
  expect(cached).toEqual(
    new Set(['members', 'channels', 'channel_mutes', 'settings', 'users', 'segment_targets', 'integrations']),
  )
  expect(writes.length).toBeGreaterThan(100)
  const ours = writes.filter(({ name }) => !OWN_FILES.test(name))
  const wrong = ours.flatMap((write) => {
    const changed = changedBy(write.sql, cached, children)
    const isRight = write.keeps || named(write).join() === changed.join()
    return isRight ? [] : [{ ...write, changed }]
  })
  expect(wrong).toEqual([])
  const kept = ours.filter(({ keeps }) => keeps)
  expect(kept.length).toBeGreaterThan(10)
  // `keepingCaches` says that caches are affected: it is not a faster `run`.
  expect(kept.filter(({ sql }) => changedBy(sql, cached, children).length === 0)).toEqual([])
})

test('the guard sees every statement that writes such a table', () => {
  const seen = new Set(writes.map(({ sql }) => sql))
  const escaped = statements.filter(({ sql }) => changedBy(sql, cached, children).length > 0 && !seen.has(sql))
  expect(escaped.map(({ name }) => name)).toEqual([
    // Run by their kind; those that change what is cached name it, the others keep the caches.
    'campaigns/campaigns.ts REMOVALS',
    'campaigns/campaigns.ts REMOVALS',
    'campaigns/campaigns.ts REMOVALS',
    'channels/member-table.ts STEP',
    // The copy of a backup, which no cache knows.
    'store/backup.ts withoutSecrets',
  ])
  expect(changedBy('DELETE FROM users WHERE id = ?', cached, children)).toEqual(['channel_mutes', 'members', 'users'])
  expect(changedBy('SELECT * FROM members', cached, children)).toEqual([])
})
