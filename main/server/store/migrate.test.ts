import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { openDb } from './db.ts'
import { migrateStore, MIGRATIONS, NEWEST, openStore } from './open.ts'
import type { Migration } from '#main/lib/sqlite/migrate.ts'
import { ROWS } from '#kit/store-rows.ts'

const folders: string[] = []
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-migrate-'))
  folders.push(folder)
  return folder
}
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

const upTo = (version: number): readonly Migration[] => MIGRATIONS.filter((step) => step.version <= version)
const EARLIER = MIGRATIONS.map((step) => step.version).slice(0, -1)

/** A workspace as a Parlor of this schema left it, with rows of every kind it could write. */
function workspaceOf(version: number): { folder: string; path: string } {
  const folder = newFolder()
  const path = join(folder, 'server.db')
  const db = openDb(path)
  migrateStore(db, upTo(version))
  for (const { since, sql } of ROWS) if (since <= version) db.exec(sql)
  db.close()
  return { folder, path }
}

type Cells = Record<string, unknown>

/** All rows by table, without the search index and the `meta` table. */
function rowsOf(path: string): Map<string, Cells[]> {
  const db = new Database(path, { readonly: true })
  const names = db
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map((row) => row.name)
    .filter((name) => !name.startsWith('message_words') && name !== 'meta')
  const rows = new Map(names.map((name) => [name, db.prepare<[], Cells>(`SELECT * FROM ${name} ORDER BY 1, 2`).all()]))
  db.close()
  return rows
}

/** Columns that a migration itself fills. */
const FILLED = new Set(['doc', 'audience'])

const found = (path: string, words: string): string[] => {
  const db = new Database(path, { readonly: true })
  const ids = db
    .prepare<[string], { id: string }>(
      'SELECT id FROM messages WHERE doc IN (SELECT rowid FROM message_words WHERE message_words MATCH ?) ORDER BY doc',
    )
    .all(words)
    .map((row) => row.id)
  db.close()
  return ids
}

describe.each(EARLIER)('a workspace of schema %i', (version) => {
  const { folder, path } = workspaceOf(version)
  const before = rowsOf(path)
  const bytesBefore = readFileSync(path)
  openStore(path).close()

  test('is migrated to the newest schema with every row unchanged', () => {
    const after = rowsOf(path)
    for (const [table, rows] of before) {
      expect(rows.length, table).toBeGreaterThan(0)
      const columns = Object.keys(rows[0] ?? {}).filter((column) => !FILLED.has(column))
      const migrated = (after.get(table) ?? []).map((row) =>
        Object.fromEntries(columns.map((column) => [column, row[column]])),
      )
      const expected = rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))
      expect(migrated, table).toEqual(expected)
    }
    const db = new Database(path, { readonly: true })
    expect(db.pragma('user_version', { simple: true })).toEqual(NEWEST)
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(db.pragma('foreign_key_check')).toEqual([])
    db.close()
  })

  test('is searchable, without deleted messages', () => {
    expect(found(path, '"zazolc"')).toEqual(['m1'])
    expect(found(path, '"odpowiedz"')).toEqual(['m2', 'm3'])
    expect(found(path, '"skreslone"')).toEqual([])
  })

  test('has an unchanged backup beside it', () => {
    const copy = new Database(`${path}.backup-${version}`, { readonly: true })
    expect(copy.pragma('user_version', { simple: true })).toEqual(version)
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
    copy.close()
    expect(rowsOf(`${path}.backup-${version}`)).toEqual(before)
    expect(readFileSync(`${path}.backup-${version}`).equals(bytesBefore)).toBe(true)
    expect(readdirSync(folder).filter((name) => name.includes('.new'))).toEqual([])
  })
})

test('every earlier schema has its own rows in these tests, and every table has some', () => {
  const { path } = workspaceOf(NEWEST)
  expect([...rowsOf(path)].filter(([, rows]) => rows.length === 0).map(([table]) => table)).toEqual([])
})

test('old threads get participants, and count as read by them', () => {
  const { path } = workspaceOf(10)
  openStore(path).close()
  expect(rowsOf(path).get('thread_participants')).toEqual([
    {
      parent_id: 'm1',
      user_id: 'ann',
      cid: 'team:a',
      created_at: 30,
      last_read: 30,
      last_read_message_id: null,
      left_at: null,
    },
    {
      parent_id: 'm1',
      user_id: 'bob',
      cid: 'team:a',
      created_at: 20,
      last_read: 30,
      last_read_message_id: null,
      left_at: null,
    },
  ])
})

test('what became of campaigns that are over is counted from what is stored', () => {
  const { path } = workspaceOf(230)
  const before = new Database(path)
  before.exec(`
INSERT INTO campaigns (id, name, sender_id, status, input, created_at, updated_at) VALUES ('old', 'Old', 'ann', 'completed', '{}', 15, 15);
INSERT INTO campaign_targets (campaign_id, kind, target_id, state, cid, message_id, updated_at) VALUES
  ('old', 'user', 'bob', 'sent', 'team:a', 'm1', 15), ('old', 'channel', 'team:a', 'sent', 'team:a', 'm1', 15),
  ('old', 'user', 'nobody', 'skipped', NULL, NULL, 15), ('old', 'user', 'later', 'pending', NULL, NULL, 15);
UPDATE members SET last_read = (SELECT created_at FROM messages WHERE id = 'm1') WHERE cid = 'team:a' AND user_id = 'bob';`)
  before.close()
  openStore(path).close()
  expect(
    rowsOf(path)
      .get('campaigns')
      ?.find(({ id }) => id === 'old'),
  ).toMatchObject({
    targets: 4,
    targets_done: 3,
    targets_sent: 2,
    people_sent: 1,
    people_delivered: 1,
    people_read: 1,
    messages_sent: 1,
  })
})

test('who joined after the message did not read it, and what had arrived before their turn counts as delivered', () => {
  const { path } = workspaceOf(230)
  const before = new Database(path)
  before.exec(`
INSERT INTO campaigns (id, name, sender_id, status, input, created_at, updated_at) VALUES
  ('old', 'Old', 'ann', 'completed', '{}', 15, 15), ('now', 'Now', 'ann', 'in_progress', '{}', 15, 15);
INSERT INTO campaign_targets (campaign_id, kind, target_id, state, cid, message_id, updated_at) VALUES
  ('old', 'user', 'bob', 'sent', 'team:a', 'm1', 15), ('now', 'user', 'bob', 'pending', NULL, NULL, 15);
UPDATE members SET (created_at, last_read) = (SELECT created_at, created_at FROM messages WHERE id = 'm1')
  WHERE cid = 'team:a' AND user_id = 'bob';`)
  before.close()
  openStore(path).close()
  const after = new Database(path)
  after.exec(`
UPDATE members SET last_delivered_at = last_read WHERE cid = 'team:a' AND user_id = 'bob';
UPDATE campaign_targets SET state = 'sent', cid = 'team:a', message_id = 'm1' WHERE campaign_id = 'now';`)
  after.close()
  const campaign = (wanted: string) =>
    rowsOf(path)
      .get('campaigns')
      ?.find(({ id }) => id === wanted)
  expect(campaign('old')).toMatchObject({ people_sent: 1, people_read: 0 })
  expect(campaign('now')).toMatchObject({ people_sent: 1, people_delivered: 1, people_read: 0 })
})

const BROKEN: Migration = {
  version: NEWEST + 10,
  statements: ['CREATE TABLE half (a TEXT) STRICT; DELETE FROM messages; INSERT INTO nowhere VALUES (1);'],
}

test.each([10, NEWEST])('a failing step leaves a workspace of schema %i unchanged', (version) => {
  const { path } = workspaceOf(version)
  const before = rowsOf(path)
  expect(() => openStore(path, { migrations: [...MIGRATIONS, BROKEN] })).toThrow(/Nothing was changed/)
  expect(rowsOf(path)).toEqual(before)
  const db = new Database(path, { readonly: true })
  expect(db.pragma('user_version', { simple: true })).toBe(version)
  db.close()
  openStore(path).close()
  expect(rowsOf(path).get('messages')?.length).toBe(before.get('messages')?.length)
})

test('a workspace of a newer Parlor is refused and not changed', () => {
  const { path, folder } = workspaceOf(NEWEST)
  const newer = openDb(path)
  newer.pragma(`user_version = ${NEWEST + 10}`)
  newer.close()
  const bytes = readFileSync(path)
  expect(() => openStore(path)).toThrow(/newer Parlor/)
  expect(readFileSync(path).equals(bytes)).toBe(true)
  expect(readdirSync(folder).filter((name) => name.includes('backup'))).toEqual([])
})

test('only the newest two backups from before migrations remain', () => {
  const { path, folder } = workspaceOf(NEWEST)
  for (const version of [10, 20, 30]) copyFileSync(path, `${path}.backup-${version}`)
  openStore(path, {
    migrations: [...MIGRATIONS, { version: NEWEST + 10, statements: ['CREATE TABLE more (a TEXT) STRICT;'] }],
  }).close()
  expect(
    readdirSync(folder)
      .filter((name) => name.includes('backup'))
      .toSorted(),
  ).toEqual(['server.db.backup-30', `server.db.backup-${NEWEST}`].toSorted())
  expect(existsSync(path)).toBe(true)
})
