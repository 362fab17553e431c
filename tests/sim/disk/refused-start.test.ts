import Database from 'better-sqlite3'
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { aMemoryFolder, CHANGES, openTestStores, readOnlyDisk, withSchema110 } from '#kit/stores.ts'
import { aMessageRow, anIntent, aUserRow } from '#kit/rows.ts'
import { nodeDisk, type Disk } from '#main/lib/sqlite/disk.ts'
import * as intents from '#main/cache/outbox/intents.ts'
import * as users from '#main/cache/people/users.ts'
import * as messages from '#main/cache/messages/messages.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'

/** A start on a disk that refuses reports the failure with a text that exists in every language. */
const LANGUAGES = ['en', 'pl', 'ru']
const texts = LANGUAGES.map(
  (language) =>
    JSON.parse(
      readFileSync(join(import.meta.dirname, '../../../resources/locales', language, 'errors.json'), 'utf8'),
    ) as Record<string, string>,
)

/** Every change from the nth on is refused. */
function refusing(nth: number, code: string): { disk: Disk; count: () => number } {
  let count = 0
  const changes = Object.fromEntries(
    CHANGES.map((name) => [
      name,
      (path: string, more: string) => {
        count += 1
        if (count >= nth) throw Object.assign(new Error(code), { code })
        return nodeDisk[name](path, more)
      },
    ]),
  )
  return { disk: { ...nodeDisk, ...changes }, count: () => count }
}

test.each([
  ['ENOSPC', 'disk/full'],
  ['EIO', 'disk/failing'],
  ['EACCES', 'store/unwritable'],
  ['EPERM', 'store/unwritable'],
  ['EROFS', 'disk/read-only'],
])(
  'a start that fails with %s at any of its writes reports %s or continues, and nothing stays locked',
  (code, wanted) => {
    const folder = aMemoryFolder()
    const codes = new Set<string>()
    for (let nth = 1; ; nth += 1) {
      const { disk, count } = refusing(nth, code)
      try {
        const stores = openTestStores({ folder, disk, installId: 'install-1' })
        for (const { reader } of [stores.cache, stores.outbox]) reader.db.raw.close()
      } catch (error) {
        codes.add(error instanceof AppError ? error.code : String(error))
      }
      if (count() < nth) break
    }
    expect([...codes]).toEqual([wanted])
    for (const text of texts) expect(text[wanted]).toBeTypeOf('string')
    expect(openTestStores({ folder, installId: 'install-1' }).report.outbox.missing).toBe(0)
  },
)

test('a file that another program has locked is waited for five seconds, then reported; afterwards all works', () => {
  const stores = openTestStores({ folder: aMemoryFolder() })
  for (const store of [stores.cache, stores.outbox])
    expect(store.reader.db.raw.pragma('busy_timeout', { simple: true })).toBe(5_000)
  const other = new Database(stores.cache.path)
  other.exec('BEGIN IMMEDIATE')
  // The five seconds are SQLite's own timeout.
  stores.cache.reader.db.raw.pragma('busy_timeout = 0')
  const put = (id: string) => stores.cache.transaction((tx) => messages.put(tx, aMessageRow({ id: asMessageId(id) })))
  expect(() => put('m1')).toThrow(expect.objectContaining({ code: 'store/locked' }))
  expect(messages.byId(stores.cache.reader, 'm1')).toBeUndefined()
  other.exec('COMMIT')
  other.close()
  put('m2')
  expect(messages.byId(stores.cache.reader, 'm2')).toBeDefined()
  for (const text of texts) expect(text['store/locked']).toBeTypeOf('string')
})

test('a start on a full disk opens the existing files: they are readable, and marked as open once there is room', () => {
  const folder = aMemoryFolder()
  const first = openTestStores({ folder, installId: 'install-1' })
  first.cache.transaction((tx) => messages.put(tx, aMessageRow({ id: asMessageId('m1') })))
  first.close()
  let isFull = true
  const full = (): void => {
    if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
  }
  const disk: Disk = {
    ...nodeDisk,
    write: (path, content) => (full(), nodeDisk.write(path, content)),
    append: (path, text) => (full(), nodeDisk.append(path, text)),
    copy: (from, to) => (full(), nodeDisk.copy(from, to)),
  }
  const stores = openTestStores({ folder, disk, installId: 'install-1' })
  expect(stores.report.cache.state).toBe('ok')
  expect(stores.report.outbox.state).toBe('ok')
  expect(messages.byId(stores.cache.reader, 'm1')).toBeDefined()
  stores.checkpoint()
  expect(existsSync(join(folder, 'open.marker'))).toBe(false)
  isFull = false
  stores.checkpoint()
  expect(existsSync(join(folder, 'open.marker'))).toBe(true)
  stores.outbox.transaction((tx) => intents.add(tx, anIntent()))
  expect(existsSync(join(folder, 'outbox.journal'))).toBe(true)
})

/** The files of an account as a version with the previous schemas left them. */
function leaveOldSchemas(folder: string): void {
  const cache = new Database(join(folder, 'cache.db'))
  const tables = cache
    .prepare<[], { name: string }>(
      "SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE c.name = 'sum'",
    )
    .all()
  withSchema110(cache)
  for (const index of ['naming', 'files', 'popular', 'agreed', 'replies']) cache.exec(`DROP INDEX messages_${index}`)
  for (const { name } of tables) cache.exec(`ALTER TABLE ${name} DROP COLUMN sum`)
  cache.pragma('user_version = 90')
  cache.exec('VACUUM')
  cache.close()
  const outbox = new Database(join(folder, 'outbox.db'))
  outbox.exec('ALTER TABLE meta DROP COLUMN sum')
  outbox.pragma('user_version = 70')
  outbox.exec('VACUUM')
  outbox.close()
}

/** Read from the headers: opening a database creates files beside it. */
const versions = (folder: string): unknown =>
  ['cache.db', 'outbox.db'].map((name) => readFileSync(join(folder, name)).readUInt32BE(60))

/** What the disk refuses: files, or only what SQLite itself writes beyond the size its file has already. */
const FULL = {
  'takes no file': (isFull) => {
    const full = (): void => {
      if (isFull()) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    }
    return {
      ...nodeDisk,
      room: (path) => (isFull() ? 0 : nodeDisk.room(path)),
      write: (path, content) => (full(), nodeDisk.write(path, content)),
      append: (path, text) => (full(), nodeDisk.append(path, text)),
      copy: (from, to) => (full(), nodeDisk.copy(from, to)),
    }
  },
  'takes copies, and no page more': (isFull) => ({
    ...nodeDisk,
    room: (path) => (isFull() ? 0 : nodeDisk.room(path)),
    open(path, options) {
      const raw = nodeDisk.open(path, options)
      if (isFull()) raw.pragma(`max_page_count = ${Number(raw.pragma('page_count', { simple: true }))}`)
      return raw
    },
  }),
} satisfies Readonly<Record<string, (isFull: () => boolean) => Disk>> as Readonly<
  Record<string, (isFull: () => boolean) => Disk>
>

test.each(
  Object.keys(FULL).flatMap((how) => (['an orderly end', 'a kill'] as const).map((end) => [how, end] as const)),
)(
  'a schema that has to change on a full disk that %s, after %s: all is readable, nothing is lost, it changes later',
  (how, end) => {
    const folder = aMemoryFolder()
    const first = openTestStores({ folder, installId: 'install-1' })
    for (let n = 0; n < 300; n += 1) {
      first.cache.transaction((tx) => {
        messages.put(tx, aMessageRow({ id: asMessageId(`m${n}`) }))
        // Small rows: their pages have no room for a checksum each.
        users.put(tx, aUserRow({ id: asUserId(`u${n}`) }))
      })
      first.outbox.transaction((tx) => intents.add(tx, anIntent({ id: `i${n}`, entityId: `m${n}` })))
    }
    first.close()
    leaveOldSchemas(folder)
    if (end === 'a kill') leaveLog(folder)
    let isFull = true
    const disk = FULL[how]?.(() => isFull)
    if (disk === undefined) throw new Error('no such disk')
    const stores = openTestStores({ folder, disk, installId: 'install-1' })
    expect(stores.report.cache.state).toBe('ok')
    expect(stores.report.outbox).toEqual({ state: 'ok', recovered: 0, missing: 0 })
    expect(stores.copied?.reason).toBe('disk/full')
    expect(messages.byId(stores.cache.reader, 'm299')).toEqual(aMessageRow({ id: asMessageId('m299') }))
    const attempts = end === 'a kill' ? 7 : 0
    expect(intents.all(stores.outbox.reader).length).toBe(300)
    expect(intents.byId(stores.outbox.reader, 'i1')?.attempts).toBe(attempts)
    const refused = (): unknown => stores.outbox.transaction((tx) => intents.remove(tx, 'i1'))
    expect(refused).toThrow(expect.objectContaining({ code: 'disk/full' }))
    stores.cache.transaction((tx) => messages.put(tx, aMessageRow({ id: asMessageId('later') })))
    expect(stores.copied?.canMoveBack()).toBe(false)
    expect(readdirSync(folder).filter((name) => name.startsWith('cache.db'))).toEqual(['cache.db'])
    // The outbox may have had enough room.
    expect(versions(folder)).toEqual([90, how === 'takes no file' ? 70 : 80])
    isFull = false
    expect(stores.copied?.canMoveBack()).toBe(true)
    stores.close()
    const again = openTestStores({ folder, disk, installId: 'install-1' })
    expect(again.copied).toBeUndefined()
    expect(again.report.cache.state).toBe('ok')
    expect(again.report.outbox.state).toBe('ok')
    expect(intents.all(again.outbox.reader).length).toBe(300)
    expect(intents.byId(again.outbox.reader, 'i1')?.attempts).toBe(attempts)
    expect(messages.byId(again.cache.reader, 'm299')).toBeDefined()
    again.close()
    expect(versions(folder)).toEqual([140, 80])
  },
)

/** A commit of the older version that only the write-ahead log of the outbox holds. */
function leaveLog(folder: string): void {
  const path = join(folder, 'outbox.db')
  const raw = new Database(path)
  raw.pragma('journal_mode = WAL')
  raw.pragma('wal_autocheckpoint = 0')
  raw.exec("UPDATE intents SET attempts = 7, sum = NULL WHERE id = 'i1'")
  const originals = ['', '-wal'].map((side) => [path + side, readFileSync(path + side)] as const)
  raw.close()
  for (const [side, bytes] of originals) writeFileSync(side, bytes)
}

test.each([
  ['missing', (path: string) => rmSync(path)],
  // Sparse: it takes no room.
  ['larger than memory may take', (path: string) => truncateSync(path, 300 * 1024 * 1024)],
])(
  'a schema that has to change on a full disk, and a cache that is %s: the outbox is readable all the same',
  (_how, spoil) => {
    const folder = aMemoryFolder()
    const first = openTestStores({ folder, installId: 'install-1' })
    first.outbox.transaction((tx) => intents.add(tx, anIntent()))
    first.close()
    leaveOldSchemas(folder)
    spoil(join(folder, 'cache.db'))
    const left = readdirSync(folder)
    const disk = FULL['takes no file']?.(() => true)
    if (disk === undefined) throw new Error('no such disk')
    const stores = openTestStores({ folder, disk, installId: 'install-1' })
    expect(stores.copied?.reason).toBe('disk/full')
    expect(stores.report.rebuildNeeded).toBe(true)
    expect(stores.report.outbox.state).toBe('ok')
    expect(intents.all(stores.outbox.reader).length).toBe(1)
    stores.cache.transaction((tx) => messages.put(tx, aMessageRow({ id: asMessageId('m1') })))
    expect(messages.byId(stores.cache.reader, 'm1')).toBeDefined()
    expect(readdirSync(folder)).toEqual(left)
  },
)

test('where nothing can be written, copies are read, the outbox refuses, and the account moves back once it can', () => {
  const folder = aMemoryFolder()
  const first = openTestStores({ folder, installId: 'install-1' })
  first.cache.transaction((tx) => messages.put(tx, aMessageRow({ id: asMessageId('m1') })))
  first.outbox.transaction((tx) => intents.add(tx, anIntent()))
  first.close()
  let isReadOnly = true
  const disk = readOnlyDisk(folder, () => isReadOnly)
  const before = readdirSync(folder)
  const stores = openTestStores({ folder, disk, installId: 'install-1' })
  expect(messages.byId(stores.cache.reader, 'm1')).toBeDefined()
  expect(intents.all(stores.outbox.reader).length).toBe(1)
  const refused = (): unknown => stores.outbox.transaction((tx) => intents.remove(tx, anIntent().id))
  expect(refused).toThrow(expect.objectContaining({ code: 'disk/read-only' }))
  stores.cache.transaction((tx) => messages.put(tx, aMessageRow({ id: asMessageId('m2') })))
  expect(stores.copied?.canMoveBack()).toBe(false)
  expect(readdirSync(folder)).toEqual(before)
  isReadOnly = false
  expect(stores.copied?.canMoveBack()).toBe(true)
  const copies = dirname(stores.cache.path)
  stores.close()
  expect(existsSync(copies)).toBe(false)
  const again = openTestStores({ folder, disk, installId: 'install-1' })
  expect(again.copied).toBeUndefined()
  expect(intents.all(again.outbox.reader).length).toBe(1)
})
