import Database from 'better-sqlite3'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { aMemoryFolder, CHANGES, openTestStores, readOnlyDisk } from '#kit/stores.ts'
import { aMessageRow, anIntent } from '#kit/rows.ts'
import { nodeDisk, type Disk } from '#main/cache/files/disk.ts'
import * as intents from '#main/cache/outbox/intents.ts'
import * as messages from '#main/cache/messages/messages.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asMessageId } from '#shared/lib/brand.ts'

/** A start on a disk that refuses says what is wrong, in a text that exists in every language. */
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
])('a start that meets %s at any of its writes says %s or goes on, and nothing stays locked', (code, wanted) => {
  const folder = aMemoryFolder()
  const said = new Set<string>()
  for (let nth = 1; ; nth += 1) {
    const { disk, count } = refusing(nth, code)
    try {
      const stores = openTestStores({ folder, disk, installId: 'install-1' })
      for (const { reader } of [stores.cache, stores.outbox]) reader.db.raw.close()
    } catch (error) {
      said.add(error instanceof AppError ? error.code : String(error))
    }
    if (count() < nth) break
  }
  expect([...said]).toEqual([wanted])
  for (const text of texts) expect(text[wanted]).toBeTypeOf('string')
  expect(openTestStores({ folder, installId: 'install-1' }).report.outbox.missing).toBe(0)
})

test('a file that another program holds is waited for five seconds, then it is said; afterwards all goes on', () => {
  const stores = openTestStores({ folder: aMemoryFolder() })
  for (const store of [stores.cache, stores.outbox])
    expect(store.reader.db.raw.pragma('busy_timeout', { simple: true })).toBe(5_000)
  const other = new Database(stores.cache.path)
  other.exec('BEGIN IMMEDIATE')
  // The five seconds themselves are SQLite's.
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

test('a start on a full disk opens what is there: it is read, and noted as open once there is room', () => {
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
  expect([stores.report.cache.state, stores.report.outbox.state]).toEqual(['ok', 'ok'])
  expect(messages.byId(stores.cache.reader, 'm1')).toBeDefined()
  stores.checkpoint()
  expect(existsSync(join(folder, 'open.marker'))).toBe(false)
  isFull = false
  stores.checkpoint()
  expect(existsSync(join(folder, 'open.marker'))).toBe(true)
  stores.outbox.transaction((tx) => intents.add(tx, anIntent()))
  expect(existsSync(join(folder, 'outbox.journal'))).toBe(true)
})

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
  expect([stores.canMoveBack?.(), readdirSync(folder)]).toEqual([false, before])
  isReadOnly = false
  expect(stores.canMoveBack?.()).toBe(true)
  const copies = dirname(stores.cache.path)
  stores.close()
  expect(existsSync(copies)).toBe(false)
  const again = openTestStores({ folder, disk, installId: 'install-1' })
  expect([again.canMoveBack, intents.all(again.outbox.reader).length]).toEqual([undefined, 1])
})
