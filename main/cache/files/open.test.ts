import Database from 'better-sqlite3'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { aDraftRow, aMessageRow, anIntent } from '#kit/rows.ts'
import { aFolder, openTestStores } from '#kit/stores.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { putMeta, OUTBOX_FILE } from './database-file.ts'
import { nodeDisk, type Disk } from '#main/lib/sqlite/disk.ts'
import { readJournal } from './journal.ts'
import * as drafts from '../outbox/drafts.ts'
import * as intents from '../outbox/intents.ts'
import * as messages from '../messages/messages.ts'
import * as meta from '../meta.ts'
import * as notes from '../outbox/reminder-notes.ts'
import * as localReads from '../outbox/local-reads.ts'
import * as follows from '../outbox/thread-follows.ts'

const INTENTS = 60
const NOTE = { messageId: asMessageId('m1'), cid: asCid('team:general'), rangFor: 5, rangAt: 6, doneAt: 7, remindAt: 8 }
const FOLLOW = { parentId: asMessageId('m2'), cid: asCid('team:general'), follows: false, at: 9 }
const READ: localReads.LocalRead = {
  cid: asCid('team:general'),
  threadId: asMessageId('m2'),
  readAt: 8.5,
  upTo: asMessageId('m3'),
  firstUnreadId: undefined,
  at: 9,
}
/** Rows of a used account with a journal copy: its intents, a draft, a note and a choice. */
const KEPT = INTENTS + 4

let master: string | undefined
afterAll(() => rmSync(master ?? '', { recursive: true, force: true }))

/**
 * An account with a message in the cache, and intents and a draft in the outbox; closed cleanly. Created once, copied
 * per test.
 */
function aUsedFolder(): string {
  master ??= fillFolder(mkdtempSync(join(tmpdir(), 'parlor-master-')))
  const folder = aFolder()
  cpSync(master, folder, { recursive: true })
  return folder
}

function fillFolder(folder: string): string {
  const stores = openTestStores({ folder })
  stores.cache.transaction((tx) => messages.put(tx, aMessageRow()))
  for (let n = 0; n < INTENTS; n += 1) {
    const payload = { text: `words ${n} `.repeat(40) }
    stores.outbox.transaction((tx) => intents.add(tx, anIntent({ id: `i${n}`, entityId: `m${n}`, payload })))
  }
  stores.outbox.transaction((tx) => {
    drafts.put(tx, aDraftRow())
    drafts.noteVersion(tx, aDraftRow({ text: 'former words' }), 1_000_000)
  })
  stores.outbox.transaction((tx) => notes.put(tx, NOTE))
  stores.outbox.transaction((tx) => follows.put(tx, FOLLOW))
  stores.outbox.transaction((tx) => localReads.put(tx, READ))
  stores.close()
  return folder
}

const damage = (path: string, at: number, length: number): void => {
  const bytes = readFileSync(path)
  bytes.fill(0xa5, at, Math.min(bytes.length, at + length))
  writeFileSync(path, bytes)
}
const reopened = (folder: string, options: object = {}) =>
  openTestStores({ folder, installId: 'install-1', ...options })
const intentIds = (stores: ReturnType<typeof reopened>) => intents.all(stores.outbox.reader).map((row) => row.id)
const ALL_IDS = Array.from({ length: INTENTS }, (_, n) => `i${n}`)

describe('opening', () => {
  test('a first start creates both stores and reports it', () => {
    expect(openTestStores().report).toEqual({
      installId: 'install-1',
      rebuildNeeded: true,
      uncleanExit: false,
      cache: { state: 'created' },
      outbox: { state: 'created', recovered: 0, missing: 0 },
    })
  })

  test('a second start finds everything unchanged', () => {
    const stores = reopened(aUsedFolder())
    expect(stores.report).toMatchObject({ rebuildNeeded: false, uncleanExit: false })
    expect(stores.report.cache.state).toBe('ok')
    expect(stores.report.outbox.state).toBe('ok')
    expect(messages.byId(stores.cache.reader, 'm1')).toEqual(aMessageRow())
    expect(intentIds(stores)).toEqual(ALL_IDS)
  })

  test('sets the promised durability and strictness, and access for the owner only', () => {
    const folder = aFolder()
    const { cache, outbox } = openTestStores({ folder })
    const read = (store: typeof cache) =>
      ['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema', 'cell_size_check', 'secure_delete'].map(
        (name) => store.reader.db.raw.pragma(name, { simple: true }),
      )
    expect(read(cache)).toEqual(['wal', 1, 1, 0, 1, 1])
    expect(read(outbox)).toEqual(['wal', 2, 1, 0, 1, 0])
    for (const name of ['cache.db', 'cache.db-wal', 'outbox.db', 'outbox.db-wal', 'outbox.journal']) {
      expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0)
    }
  })

  test('an exit without closing is detected, and nothing committed is lost', () => {
    const folder = aFolder()
    const first = openTestStores({ folder })
    first.outbox.transaction((tx) => intents.add(tx, anIntent()))
    first.cache.reader.db.raw.close()
    first.outbox.reader.db.raw.close()
    const second = reopened(folder)
    expect(second.report).toMatchObject({ uncleanExit: true, outbox: { state: 'ok' }, cache: { state: 'ok' } })
    expect(intentIds(second)).toEqual(['i1'])
  })

  test('deleted text is erased from disk', () => {
    const folder = aFolder()
    const stores = openTestStores({ folder })
    stores.cache.transaction((tx) => messages.put(tx, aMessageRow({ text: 'canary-9271' })))
    stores.checkpoint()
    const holds = (name: string) =>
      existsSync(join(folder, name)) && readFileSync(join(folder, name)).includes('canary-9271')
    expect(holds('cache.db')).toBe(true)
    stores.cache.transaction((tx) => tx.db.run('DELETE FROM messages'))
    stores.checkpoint()
    expect(['cache.db', 'cache.db-wal'].filter(holds)).toEqual([])
  })
})

describe('an invalid cache', () => {
  const cases: readonly [string, (path: string) => void, string][] = [
    ['missing', (path) => rmSync(path), 'missing'],
    ['emptied', (path) => truncateSync(path, 0), 'empty'],
    ['replaced by text', (path) => writeFileSync(path, 'not a database at all '.repeat(500)), 'damaged'],
    ['a folder', (path) => (rmSync(path), mkdirSync(path)), 'damaged'],
    ['cut in half', (path) => truncateSync(path, Math.floor(statSync(path).size / 2)), 'damaged'],
    ['with a broken header', (path) => damage(path, 0, 64), 'damaged'],
    ['with a page overwritten', (path) => damage(path, 8_192, 4_096), 'damaged'],
    ['another program’s database', anotherDatabase, 'foreign'],
    ['of another install', (path) => withMeta(path, 'install-id', 'install-2'), 'other-install'],
  ]

  test.each(cases)('%s: it is set aside and created again, and unsent messages remain', (_name, spoil, problem) => {
    const folder = aUsedFolder()
    spoil(join(folder, 'cache.db'))
    writeFileSync(join(folder, 'open.marker'), '')
    const stores = reopened(folder)
    expect(stores.report).toMatchObject({
      rebuildNeeded: true,
      cache: { state: 'rebuilt', problem },
      outbox: { state: 'ok' },
    })
    expect(messages.byId(stores.cache.reader, 'm1')).toBeUndefined()
    expect(intentIds(stores)).toEqual(ALL_IDS)
    const aside = existsSync(join(folder, 'quarantine')) ? readdirSync(join(folder, 'quarantine')) : []
    expect(aside.length > 0).toBe(problem !== 'missing')
  })

  test('at most two are preserved', () => {
    const folder = aUsedFolder()
    for (let n = 1; n <= 4; n += 1) {
      damage(join(folder, 'cache.db'), 0, 64)
      reopened(folder, { clock: { now: () => 1_000_000 + n, monotonic: () => 0 } }).close()
    }
    expect(readdirSync(join(folder, 'quarantine'))).toEqual(['cache.db.1000003', 'cache.db.1000004'])
  })
})

describe('an invalid outbox', () => {
  test.each(Array.from({ length: 24 }, (_, n) => n))('every row survives a damaged page (%i)', (n) => {
    const folder = aUsedFolder()
    const path = join(folder, 'outbox.db')
    const pageCount = Math.floor(statSync(path).size / 4_096)
    damage(path, (n % pageCount) * 4_096, 4_096)
    const stores = reopened(folder)
    expect(stores.report.outbox).toMatchObject({ missing: 0 })
    expect(intentIds(stores)).toEqual(ALL_IDS)
    const { reader } = stores.outbox
    expect(drafts.byKey(reader, aDraftRow().key)).toEqual(aDraftRow())
    expect(notes.all(reader)).toEqual([NOTE])
    expect([...follows.all(reader).values()]).toEqual([FOLLOW])
    expect([...localReads.all(reader).values()]).toEqual([READ])
    expect(existsSync(join(folder, 'quarantine'))).toBe(stores.report.outbox.state === 'salvaged')
  })

  const MARKS: readonly [string, string, string][] = [
    ['the install it belongs to', 'install-id', 'value'],
    ['the name of that', 'install-id', 'key'],
    ['how far it got', 'ledger', 'value'],
    ['the name of that', 'ledger', 'key'],
    ['something else that it keeps', 'kept-by-test', 'value'],
  ]

  test.each(MARKS)('a changed character in %s (%s, its %s) is damage: nothing is lost', (_what, key, column) => {
    const folder = aUsedFolder()
    const used = reopened(folder)
    used.outbox.transaction((tx) => {
      meta.set(tx, 'kept-by-test', 'one')
      meta.set(tx, 'kept-too', 'two')
      tx.touch('outbox', 'i1')
    })
    used.close()
    const raw = new Database(join(folder, 'outbox.db'))
    // The last character is replaced by one of its kind: still a number, still a name.
    const cut = `substr(${column}, 1, length(${column}) - 1)`
    raw.exec(`UPDATE meta SET ${column} = ${cut} || CASE substr(${column}, -1) WHEN '7' THEN '8' ELSE '7' END
      WHERE key = '${key}'`)
    raw.close()
    const stores = reopened(folder)
    expect(stores.report.outbox).toMatchObject({ state: 'salvaged', problem: 'damaged', recovered: KEPT, missing: 0 })
    expect(intentIds(stores)).toEqual(ALL_IDS)
    expect(meta.get(stores.outbox.reader, 'kept-too')).toBe('two')
    expect(readdirSync(join(folder, 'quarantine'))).not.toEqual([])
    stores.close()
    expect(reopened(folder).report.outbox).toMatchObject({ state: 'ok' })
  })

  test('the database alone restores the rows of its good pages, and the rest is counted as missing', () => {
    const folder = aUsedFolder()
    const path = join(folder, 'outbox.db')
    damage(path, statSync(path).size - 4_096, 4_096)
    const lines = readFileSync(join(folder, 'outbox.journal'), 'utf8').split('\n')
    const damaged = lines.map((line, n) => (n % 2 === 0 && n < lines.length - 2 ? `x${line}` : line))
    writeFileSync(join(folder, 'outbox.journal'), damaged.join('\n'))
    const stores = reopened(folder)
    const { outbox } = stores.report
    expect(outbox.state).toBe('salvaged')
    expect(outbox.recovered + outbox.missing).toBe(KEPT)
    expect(outbox.recovered).toBeGreaterThan(INTENTS / 2)
    expect(drafts.versions(stores.outbox.reader, 1_000_000).map(({ text }) => text)).toEqual(['former words'])
  })

  test.each<[string, (path: string) => void, string]>([
    ['missing', (path) => rmSync(path), 'missing'],
    ['emptied', (path) => truncateSync(path, 0), 'empty'],
    ['replaced by another database', anotherDatabase, 'foreign'],
  ])('%s: the journal restores everything, and it is reported', (_name, spoil, problem) => {
    const folder = aUsedFolder()
    spoil(join(folder, 'outbox.db'))
    const stores = reopened(folder)
    expect(stores.report.outbox).toEqual({ state: 'salvaged', problem, recovered: KEPT, missing: 0 })
    expect(intentIds(stores)).toEqual(ALL_IDS)
  })

  test('without any copy a new one is created, but never silently', () => {
    const folder = aUsedFolder()
    rmSync(join(folder, 'outbox.db'))
    rmSync(join(folder, 'outbox.journal'))
    expect(reopened(folder).report.outbox).toMatchObject({ state: 'salvaged', problem: 'missing', recovered: 0 })
  })

  test('a damaged file of the first schema is restored', () => {
    const folder = aUsedFolder()
    const path = join(folder, 'outbox.db')
    const raw = new Database(path)
    for (const table of ['reminder_notes', 'thread_follows', 'draft_history', 'kept_reads'])
      raw.exec(`DROP TABLE ${table}`)
    raw.pragma('user_version = 10')
    raw.close()
    damage(path, statSync(path).size - 4_096, 4_096)
    rmSync(join(folder, 'outbox.journal'))
    const stores = reopened(folder)
    expect(stores.report.outbox).toMatchObject({ state: 'salvaged', problem: 'damaged' })
    expect(stores.report.outbox.recovered).toBeGreaterThan(INTENTS / 2)
    expect(notes.all(stores.outbox.reader)).toEqual([])
  })

  test('a removed row is not restored', () => {
    const folder = aUsedFolder()
    const stores = reopened(folder)
    stores.outbox.transaction((tx) => {
      intents.remove(tx, 'i7')
      notes.remove(tx, NOTE.messageId)
      follows.put(tx, { ...FOLLOW, follows: true })
    })
    stores.close()
    damage(join(folder, 'outbox.db'), 0, 64)
    const again = reopened(folder)
    expect(intentIds(again)).toEqual(ALL_IDS.filter((id) => id !== 'i7'))
    expect(notes.all(again.outbox.reader)).toEqual([])
    expect(follows.all(again.outbox.reader).get(FOLLOW.parentId)?.follows).toBe(true)
  })
})

describe('a file of a newer version', () => {
  test.each(['cache.db', 'outbox.db'])('%s is refused and not modified', (name) => {
    const folder = aUsedFolder()
    const raw = new Database(join(folder, name))
    raw.pragma('user_version = 9990')
    raw.close()
    const before = ['cache.db', 'outbox.db', 'outbox.journal'].map((file) => readFileSync(join(folder, file)))
    expect(() => reopened(folder)).toThrow(expect.objectContaining({ code: 'store/from-the-future' }))
    expect(['cache.db', 'outbox.db', 'outbox.journal'].map((file) => readFileSync(join(folder, file)))).toEqual(before)
  })
})

describe('after a downgrade', () => {
  /** Leaves a file as a later version of the same thousand would. */
  function fromLater(folder: string, name: string, ...statements: readonly string[]): void {
    const raw = new Database(join(folder, name))
    for (const statement of statements) raw.exec(statement)
    raw.pragma('user_version = 990')
    raw.close()
  }

  test('the outbox opens with all unsent data, is writable, and preserves what only the newer version uses', () => {
    const folder = aUsedFolder()
    fromLater(
      folder,
      'outbox.db',
      'ALTER TABLE intents ADD COLUMN mood TEXT',
      "UPDATE intents SET mood = 'fine'",
      'CREATE TABLE moods (id TEXT PRIMARY KEY) STRICT',
    )
    const stores = reopened(folder)
    expect(stores.report.outbox).toMatchObject({ state: 'ok', missing: 0 })
    expect(intentIds(stores)).toEqual(ALL_IDS)
    stores.outbox.transaction((tx) => intents.add(tx, anIntent({ id: 'later', entityId: 'later' })))
    stores.close()
    const raw = new Database(join(folder, 'outbox.db'), { readonly: true })
    expect(raw.pragma('user_version', { simple: true })).toBe(990)
    expect(raw.prepare("SELECT count(*) AS n FROM intents WHERE mood = 'fine'").get()).toEqual({ n: INTENTS })
    raw.close()
  })

  test('the cache is set aside and loaded again from the server', () => {
    const folder = aUsedFolder()
    fromLater(folder, 'cache.db', 'CREATE TABLE moods (id TEXT PRIMARY KEY) STRICT')
    const stores = reopened(folder)
    expect(stores.report).toMatchObject({ rebuildNeeded: true, cache: { state: 'rebuilt', problem: 'newer' } })
    expect(intentIds(stores)).toEqual(ALL_IDS)
    expect(readdirSync(join(folder, 'quarantine')).some((name) => name.startsWith('cache.db'))).toBe(true)
  })

  test('a downgrade works because migrations within one thousand only add to the outbox', () => {
    const statements = OUTBOX_FILE.migrations.flatMap((step) => step.statements)
    expect(statements.length).toBeGreaterThan(5)
    expect(statements.filter((sql) => /\b(?:DROP|RENAME|DELETE|UPDATE)\b/i.test(sql))).toEqual([])
    const added = statements.filter((sql) => /\bADD COLUMN\b/i.test(sql))
    expect(added.filter((sql) => /NOT NULL/i.test(sql) && !/DEFAULT/i.test(sql))).toEqual([])
  })
})

describe('disk failures', () => {
  test('a full disk refuses the write, preserves the data and works again with free space', () => {
    const stores = openTestStores()
    const { raw } = stores.outbox.reader.db
    const add = (id: string) =>
      stores.outbox.transaction((tx) => intents.add(tx, anIntent({ id, entityId: id, payload: 'x'.repeat(60_000) })))
    add('i1')
    const pages = Number(raw.pragma('page_count', { simple: true }))
    raw.pragma(`max_page_count = ${pages}`)
    expect(() => add('i2')).toThrow(expect.objectContaining({ code: 'disk/full' }))
    expect(intents.all(stores.outbox.reader).map((row) => row.id)).toEqual(['i1'])
    raw.pragma('max_page_count = 1000000')
    add('i3')
    expect(intents.all(stores.outbox.reader).map((row) => row.id)).toEqual(['i1', 'i3'])
  })

  test('a journal that cannot be written does not undo the commit, and is complete again after the next one', () => {
    const folder = aFolder()
    let broken = false
    const disk: Disk = {
      ...nodeDisk,
      append(path, text) {
        if (broken) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
        nodeDisk.append(path, text)
      },
    }
    const stores = openTestStores({ folder, disk })
    const add = (id: string) => stores.outbox.transaction((tx) => intents.add(tx, anIntent({ id, entityId: id })))
    broken = true
    add('i1')
    expect(intents.all(stores.outbox.reader).map((row) => row.id)).toEqual(['i1'])
    broken = false
    add('i2')
    const journal = readJournal(nodeDisk, join(folder, 'outbox.journal'))
    expect([...journal.noted.keys()]).toEqual(['intents/i1', 'intents/i2'])
  })
})

describe('intents', () => {
  test('preserve the order of acceptance, and in-flight ones are ready again', () => {
    const { outbox } = openTestStores()
    const ids = ['c', 'a', 'b']
    outbox.transaction((tx) => {
      for (const id of ids) intents.add(tx, anIntent({ id, entityId: id }))
      const first = intents.byId(tx, 'c')
      if (first) intents.update(tx, { ...first, state: 'inflight', attempts: 2 })
      expect(intents.recoverInflight(tx)).toBe(1)
    })
    expect(intents.all(outbox.reader).map(({ id, state, attempts }) => [id, state, attempts])).toEqual([
      ['c', 'ready', 2],
      ['a', 'ready', 0],
      ['b', 'ready', 0],
    ])
  })

  test('a payload over 64 KB is refused and nothing is stored', () => {
    const { outbox } = openTestStores()
    const add = () => outbox.transaction((tx) => intents.add(tx, anIntent({ payload: 'x'.repeat(65_536) })))
    expect(add).toThrow(expect.objectContaining({ code: 'outbox/too-big' }))
    expect(intents.count(outbox.reader)).toBe(0)
  })
})

function anotherDatabase(path: string): void {
  for (const side of ['', '-wal', '-shm']) rmSync(path + side, { force: true })
  const raw = new Database(path)
  raw.exec('CREATE TABLE recipes (name TEXT)')
  raw.pragma('application_id = 77')
  raw.close()
}

function withMeta(path: string, key: string, value: string): void {
  const raw = new Database(path)
  putMeta(raw, key, value)
  raw.close()
}
