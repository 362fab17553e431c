import Database from 'better-sqlite3'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aChannelRow, aMessageRow, anIntent, aUserRow } from '#kit/rows.ts'
import { aFolder, openTestStores, withSchema110 } from '#kit/stores.ts'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import { parseQuery } from '#shared/rules/search/search-query.ts'
import { crc32 } from 'node:zlib'
import { createTables, CACHE_FILE, OUTBOX_FILE } from './database-file.ts'
import * as docs from '../search/docs.ts'
import { searchableOf, searchHeld } from '../search/query.ts'
import * as channels from '../channels/channels.ts'
import * as drafts from '../outbox/drafts.ts'
import * as intents from '../outbox/intents.ts'
import * as messages from '../messages/messages.ts'
import * as uploads from '../outbox/uploads.ts'
import * as users from '../people/users.ts'

const DAY_MS = 24 * 3_600_000
const label = { query: parseQuery('words ', { year: 2026, month: 1, day: 1 }), limit: 100 }
type Stores = ReturnType<typeof openTestStores>
const found = ({ cache }: Stores): string[] =>
  cache.read((reader) => searchHeld(reader, label)).keys.map(({ id }) => id)

test('quarantined files are removed after 30 days, and not before', () => {
  const folder = aFolder()
  const at = 100 * DAY_MS
  mkdirSync(join(folder, 'quarantine'))
  const ages = [29, 30, 31].map((days) => at - days * DAY_MS)
  for (const time of ages)
    for (const side of ['', '-wal']) writeFileSync(join(folder, 'quarantine', `cache.db.${time}${side}`), 'words')
  writeFileSync(join(folder, 'quarantine', `outbox.db.${ages[2]}.2-journal`), 'words')
  openTestStores({ folder, clock: { now: () => at, monotonic: () => 0 } })
  expect(readdirSync(join(folder, 'quarantine')).toSorted()).toEqual([`cache.db.${ages[0]}`, `cache.db.${ages[0]}-wal`])
})

test('a cache of the first schema opens with all its content, and is searchable', () => {
  const folder = aFolder()
  openTestStores({ folder }).close()
  const raw = new Database(join(folder, 'cache.db'))
  // As the first version left it: its tables, its version number, and rows in them.
  const later = ['search_words', 'search_docs', 'search_gone', 'search_fresh', 'reminders', 'message_revisions']
  for (const table of [...later, 'thread_titles', 'emoji', 'tracks']) raw.exec(`DROP TABLE IF EXISTS ${table}`)
  withSchema110(raw)
  const caughtUp = ['messages_naming', 'messages_files', 'messages_popular', 'messages_agreed', 'messages_replies']
  for (const index of ['messages_beside', 'messages_poll', 'messages_reacted', ...caughtUp])
    raw.exec(`DROP INDEX ${index}`)
  raw.exec('ALTER TABLE reads DROP COLUMN delivered_at')
  for (const table of ['meta', 'users', 'mutes', 'channels', 'members', 'messages', 'ranges', 'reads', 'polls'])
    raw.exec(`ALTER TABLE ${table} DROP COLUMN sum`)
  raw.pragma('user_version = 10')
  const columns = raw
    .prepare<[], { name: string; type: string }>(`SELECT name, type FROM pragma_table_info('messages')`)
    .all()
  const put = raw.prepare(`INSERT INTO messages VALUES (${columns.map(() => '?').join(', ')})`)
  const row = aMessageRow({ text: 'old words' })
  const social = JSON.stringify({ reactionGroups: [], latestReactions: [], replyCount: 0, threadParticipantIds: [] })
  const json = JSON.stringify({ showInChannel: false, attachments: [], mentionedUserIds: [], custom: {} })
  for (let n = 0; n < 1_000; n += 1) {
    const id = `m${n}`
    put.run(
      id,
      row.cid,
      'ana',
      'regular',
      row.text,
      null,
      1,
      null,
      0,
      null,
      0,
      0,
      0,
      1_000 + n,
      1_000,
      null,
      1,
      social,
      json,
    )
  }
  raw.close()
  const stores = openTestStores({ folder, installId: 'install-1' })
  expect(stores.report.cache).toEqual({ state: 'ok' })
  expect(messages.byId(stores.cache.reader, 'm999')).toMatchObject({ text: 'old words' })
  expect(found(stores)).toHaveLength(100)
  const read = (id: string) => searchableOf(stores.cache.reader, id)
  while (stores.cache.transaction((tx) => docs.step(tx, { limit: 500, enough: () => false, read })));
  expect(found(stores).slice(0, 2)).toEqual(['m999', 'm998'])
  expect(stores.cache.reader.db.get('SELECT count(*) AS n FROM search_docs')).toEqual({ n: 1_000 })
  stores.close()
  expect(openTestStores({ folder, installId: 'install-1' }).report.cache).toEqual({ state: 'ok' })
})

test('a cache that listed its new messages finds them, and those that come, after the migration', () => {
  const folder = aFolder()
  const row = (id: string) => aMessageRow({ id: asMessageId(id), text: 'old words' })
  const index = ({ cache }: Stores): void => {
    const read = (id: string) => searchableOf(cache.reader, id)
    while (cache.transaction((tx) => docs.step(tx, { limit: 500, enough: () => false, read })));
  }
  const first = openTestStores({ folder })
  first.cache.transaction((tx) => messages.put(tx, row('indexed')))
  index(first)
  first.cache.transaction((tx) => messages.put(tx, row('listed')))
  first.close()
  const raw = new Database(join(folder, 'cache.db'))
  raw.exec(`INSERT INTO search_fresh SELECT created_at, id FROM messages WHERE id = 'listed'`)
  raw.exec('DROP TRIGGER messages_unseen; DROP TABLE search_seen')
  raw.pragma('user_version = 130')
  raw.close()
  const second = openTestStores({ folder, installId: 'install-1' })
  second.cache.transaction((tx) => messages.put(tx, row('new')))
  expect(docs.freshCount(second.cache.reader, 10)).toBe(2)
  expect(found(second).toSorted()).toEqual(['indexed', 'listed', 'new'])
  index(second)
  expect(docs.freshCount(second.cache.reader, 10)).toBe(0)
  expect(found(second).toSorted()).toEqual(['indexed', 'listed', 'new'])
})

test('every schema of the cache migrates to the newest version', () => {
  for (const from of CACHE_FILE.migrations) {
    const raw = new Database(':memory:')
    createTables(
      raw,
      CACHE_FILE.migrations.filter(({ version }) => version <= from.version),
    )
    createTables(raw, CACHE_FILE.migrations)
    expect(raw.pragma('user_version', { simple: true })).toBe(CACHE_FILE.migrations.at(-1)?.version)
    expect(raw.pragma('foreign_key_check')).toEqual([])
    raw.close()
  }
})

const EACH = 20

/**
 * An outbox as a version with this schema left it, in fixed SQL, which is independent of the code that writes rows.
 * Data of later schemas is not included.
 */
function leaveOutbox(path: string, version: number): void {
  const raw = new Database(path)
  raw.pragma('journal_mode = WAL')
  raw.pragma(`application_id = ${OUTBOX_FILE.applicationId}`)
  raw.exec('CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID')
  raw.exec("INSERT INTO meta VALUES ('install-id', 'install-1')")
  createTables(
    raw,
    OUTBOX_FILE.migrations.filter((step) => step.version <= version),
  )
  const put = (sql: string, ...values: (string | number | null)[]): void => void raw.prepare(sql).run(...values)
  for (let n = 0; n < EACH; n += 1) {
    const payload = JSON.stringify({ text: `zażółć ${n}`, mentionedUserIds: [], showInChannel: false, uploadIds: [] })
    const reason = n % 5 === 0 ? JSON.stringify({ code: 'server/invalid', retryable: false }) : null
    const crc = crc32([`i${n}`, 'team:a', 'send-message', `m${n}`, payload].join('\n'))
    put(
      `INSERT INTO intents (id, cid, thread_root, kind, entity_id, depends_on, payload, created_at, attempts, next_at, state,
         reason, crc) VALUES (?, 'team:a', ?, 'send-message', ?, NULL, ?, ?, ?, 0, ?, ?, ?)`,
      `i${n}`,
      n % 3 === 0 ? 'root' : null,
      `m${n}`,
      payload,
      100 + n,
      n % 4,
      reason ? 'parked' : 'ready',
      reason,
      crc,
    )
    const draft = { key: `team:${n}`, cid: `team:${n}`, text: `half ${n}`, uploadIds: [], caret: n, updatedAt: 200 + n }
    const json = JSON.stringify({ ...draft, showInChannel: false })
    put(
      'INSERT INTO drafts (key, cid, updated_at, json, crc) VALUES (?, ?, ?, ?, ?)',
      draft.key,
      draft.cid,
      draft.updatedAt,
      json,
      crc32(json),
    )
  }
  const file = JSON.stringify({ id: 'u1', cid: 'team:a', name: 'map.pdf', stagedName: 'u1', state: 'staged' })
  put(
    "INSERT INTO uploads (id, cid, message_id, staged_bytes, created_at, json, crc) VALUES ('u1', 'team:a', NULL, 3, 300, ?, ?)",
    file,
    crc32(file),
  )
  raw.close()
}

test.each(OUTBOX_FILE.migrations.map(({ version }) => version))(
  'an outbox of schema %d opens with every intent, draft and file, and is usable',
  (version) => {
    const folder = aFolder()
    const path = join(folder, 'outbox.db')
    leaveOutbox(path, version)
    const before = new Database(path, { readonly: true })
    const stored = (of: Database.Database): unknown[] =>
      ['intents', 'drafts', 'uploads'].map((table) => of.prepare(`SELECT * FROM ${table} ORDER BY 1`).all())
    const [was, isOld] = [stored(before), version < (OUTBOX_FILE.migrations.at(-1)?.version ?? 0)]
    before.close()
    const stores = openTestStores({ folder, installId: 'install-1' })
    const { reader } = stores.outbox
    expect(stores.report.outbox).toEqual({ state: 'ok', recovered: 0, missing: 0 })
    expect(stored(reader.db.raw)).toMatchObject(was)
    expect(reader.db.raw.pragma('foreign_key_check')).toEqual([])
    const held = intents.all(reader)
    expect(held).toHaveLength(EACH)
    expect(held[3]).toMatchObject({ id: 'i3', threadRoot: 'root', attempts: 3, payload: { text: 'zażółć 3' } })
    expect(held[5]).toMatchObject({ state: 'parked', reason: { code: 'server/invalid' } })
    expect(drafts.all(reader).map(({ text, caret }) => [text, caret])).toEqual(
      Array.from({ length: EACH }, (_, n) => [`half ${n}`, n]),
    )
    expect(uploads.byId(reader, 'u1')).toMatchObject({ name: 'map.pdf' })
    expect(existsSync(`${path}.backup-${version}`)).toBe(isOld)
    stores.outbox.transaction((tx) => intents.add(tx, anIntent({ id: 'later', entityId: 'later' })))
    expect(intents.all(reader).at(-1)).toMatchObject({ id: 'later', seq: EACH + 1 })
  },
)

test('ten accounts open at once share no file and see no row of each other', () => {
  const root = aFolder()
  const accounts = Array.from({ length: 10 }, (_, n) => {
    const stores = openTestStores({ folder: join(root, `account-${n}`), viewerId: asUserId(`me${n}`) })
    stores.cache.transaction((tx) => {
      channels.put(tx, aChannelRow({ name: `only ${n}` }))
      users.put(tx, aUserRow({ id: asUserId(`u${n}`), name: `Person ${n}` }))
      messages.put(tx, aMessageRow({ id: asMessageId(`m${n}`), text: `words of ${n}` }))
    })
    return stores
  })
  for (const [n, stores] of accounts.entries()) {
    const { reader } = stores.cache
    expect(found(stores)).toEqual([`m${n}`])
    expect(users.all(reader).map(({ id }) => id)).toEqual([`u${n}`])
    expect(channels.all(reader).map(({ name }) => name)).toEqual([`only ${n}`])
    expect(reader.db.all('SELECT id FROM messages')).toEqual([{ id: `m${n}` }])
  }
  expect(new Set(accounts.flatMap(({ cache, outbox }) => [cache.path, outbox.path])).size).toBe(20)
})

test('a checkpoint does not wait for readers: it returns false during a read, and succeeds afterwards', () => {
  const stores = openTestStores()
  stores.cache.transaction((tx) => messages.put(tx, aMessageRow()))
  expect(stores.checkpoint()).toBe(true)
  const other = new Database(stores.cache.path, { readonly: true })
  stores.cache.transaction((tx) => messages.put(tx, aMessageRow({ id: asMessageId('m2') })))
  const reading = other.prepare('SELECT id FROM messages').iterate()
  reading.next()
  stores.cache.transaction((tx) => messages.put(tx, aMessageRow({ id: asMessageId('m3') })))
  expect(stores.checkpoint()).toBe(false)
  reading.return?.()
  expect(stores.checkpoint()).toBe(true)
  other.close()
})

test('a file without a commit number is not trusted if the journal has commits: its rows are restored', () => {
  const folder = aFolder()
  const first = openTestStores({ folder, installId: 'install-1' })
  for (const id of ['i1', 'i2']) first.outbox.transaction((tx) => intents.add(tx, anIntent({ id, entityId: id })))
  first.close()
  const raw = new Database(join(folder, 'outbox.db'))
  // The state after damage of the meta page, with an unusable WAL.
  raw.exec("DELETE FROM meta WHERE key = 'ledger'; DELETE FROM intents WHERE id = 'i2'")
  raw.close()
  const again = openTestStores({ folder, installId: 'install-1' })
  expect(intents.all(again.outbox.reader).map(({ id }) => id)).toEqual(['i1', 'i2'])
  expect(again.report.outbox).toMatchObject({ state: 'salvaged', recovered: 2, missing: 0 })
  again.close()
  expect(openTestStores({ folder, installId: 'install-1' }).report.outbox.state).toBe('ok')
})
