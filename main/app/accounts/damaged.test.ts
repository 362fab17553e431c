import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AccountOnDisk, aText, aTurn, CID } from '#kit/account-on-disk.ts'
import { readOnlyDisk } from '#kit/stores.ts'
import type { ChangeSet } from '#shared/domain/changes.ts'

/** Damage found while Parlor runs, or by the first start after a clean exit, is repaired immediately. */
let account: AccountOnDisk
beforeEach(() => {
  account = new AccountOnDisk()
})
afterEach(() => account.end())

/** The last page of a file on disk, or all but the first: an open database reads a page only when needed. */
function spoil(name: string, pages: 'last' | 'all' = 'last'): void {
  const path = join(account.folder, name)
  const file = openSync(path, 'r+')
  const { size } = statSync(path)
  const from = pages === 'last' ? size - 4_096 : 4_096
  writeSync(file, Buffer.alloc(size - from, 0xff), 0, size - from, from)
  closeSync(file)
}

/** The cache has nothing in memory: the next row is read from the file. */
function emptyMemory(): void {
  const { db } = account.engine.stores.cache.reader
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.pragma('shrink_memory')
}

const noticesIn = (there: ChangeSet): readonly unknown[] =>
  Object.values(there.put.notices ?? {}).map((notice) => notice?.code)

test('the notice of a repair before any window was open is shown in the first window, and in no other', async () => {
  await account.start()
  account.forget({ logsToo: true })
  await account.kill()
  spoil('cache.db')
  const first = await account.start()
  expect(noticesIn(account.attached)).toEqual(['store/cache-rebuilt'])
  const second = account.host.window()
  expect(noticesIn(await account.call(second, 'app.attach'))).toEqual([])
  expect(noticesIn(await account.call(first, 'app.attach'))).toEqual([])
})

test('a cache damaged while in use is rebuilt at once, reported once, and queued messages are sent', async () => {
  const window = await account.start()
  const before = account.engine
  account.forget({ logsToo: true })
  emptyMemory()
  spoil('cache.db', 'all')
  const send = () => account.call(window, 'messages.send', { cid: CID, text: 'said in between' })
  const id = await send().catch((error: unknown) => error)
  await account.reopened(before)
  await account.call(window, 'app.attach')
  if (typeof id !== 'string') await send()
  await account.host.clock.advance(10_000)
  expect(account.notices()).toEqual(['store/cache-rebuilt'])
  expect(account.sent).toEqual(['said in between'])
  expect(account.quarantined().filter((name) => name.startsWith('cache.db'))).not.toEqual([])
  const there = await account.call<ChangeSet>(window, 'app.attach', { lastChannel: CID })
  expect(Object.values(there.put.messages ?? {}).map((message) => message?.text)).toContain(aText(7))
})

test('an outbox damaged while in use is salvaged, and all of it is sent unchanged', async () => {
  const window = await account.start()
  await account.offline()
  const texts = Array.from({ length: 30 }, (_, n) => `unsent ${n}`)
  for (const text of texts) await account.call(window, 'messages.send', { cid: CID, text })
  const before = account.engine
  account.forget({ logsToo: true })
  spoil('outbox.db')
  await account.call(window, 'messages.send', { cid: CID, text: 'one more' }).catch(() => undefined)
  await account.reopened(before)
  await account.host.clock.advance(60_000)
  expect(account.notices()).toContain('store/outbox-salvaged')
  expect(account.sent.slice(0, 30)).toEqual(texts)
})

test.each(Array.from({ length: 12 }, (_, n) => n))(
  'a page damaged after a clean exit is repaired by the first start (%i)',
  async (n) => {
    await account.start()
    await account.stop()
    const path = join(account.folder, 'cache.db')
    const bytes = readFileSync(path)
    const pages = Math.floor(bytes.length / 4_096)
    const page = (n * 7) % pages
    bytes.fill(0xff, page * 4_096, (page + 1) * 4_096)
    writeFileSync(path, bytes)
    const window = await account.start()
    await account.host.clock.advance(40_000)
    await account.passing(aTurn())
    await account.online()
    await account.call(window, 'app.attach')
    await account.call(window, 'messages.send', { cid: CID, text: 'goes on' })
    await account.host.clock.advance(60_000)
    await account.online()
    expect(account.sent).toEqual(['goes on'])
    expect(account.notices().filter((code) => code.startsWith('store/')).length).toBeLessThanOrEqual(1)
  },
)

test('a missing cache is reported; one cleared by the user is not', async () => {
  const window = await account.start()
  await account.stop()
  rmSync(join(account.folder, 'cache.db'))
  const again = await account.start()
  expect(account.notices()).toEqual(['store/cache-gone'])
  const before = account.engine
  await account.call(again, 'data.clearCache', undefined)
  expect(account.engine).not.toBe(before)
  expect(account.notices()).toEqual([])
  window.close()
})

test.each([0, 1, 2, 5, 20])(
  'an account that is opened again as the app stops stays closed, whatever requests it (%i)',
  async (turns) => {
    const window = await account.start()
    account.engine.stores.cache.reader.db.damaged()
    await account.host.clock.advance(0)
    for (let turn = 0; turn < turns; turn += 1) await aTurn()
    const stopping = account.stop()
    const attached = [window.call('app.attach', {})]
    await stopping
    attached.push(window.call('app.attach', {}))
    await account.host.clock.advance(60_000)
    await account.passing(Promise.allSettled(attached))
    const { cache, outbox } = account.engine.stores
    expect(cache.reader.db.raw.open).toBe(false)
    expect(outbox.reader.db.raw.open).toBe(false)
  },
)

test.each(['stop', 'kill'] as const)(
  'an account in a folder that became read-only after a %s is readable, refuses writes, and recovers automatically',
  async (how) => {
    let window = await account.start()
    await account.offline()
    await account.call(window, 'messages.send', { cid: CID, text: 'before' })
    await account[how]()
    let isReadOnly = true
    account.disk = readOnlyDisk(account.folder, () => isReadOnly)
    window = await account.start()
    const before = account.engine
    const send = (text: string) => account.call(window, 'messages.send', { cid: CID, text })
    await expect(send('refused')).rejects.toThrow(expect.objectContaining({ code: 'disk/read-only' }))
    await account.host.clock.advance(30_000)
    const there = await account.call<ChangeSet>(window, 'app.attach', { lastChannel: CID })
    expect(Object.values(there.put.messages ?? {}).map((message) => message?.text)).toContain(aText(7))
    expect(noticesIn(there)).toEqual(['store/reading-only'])
    expect(account.notices()).toEqual(['store/reading-only'])
    expect(account.sent).toEqual([])
    isReadOnly = false
    await account.reopened(before)
    await account.call(window, 'app.attach')
    await send('after')
    await account.host.clock.advance(20_000)
    expect(account.notices()).toEqual([])
    expect(account.sent).toEqual(['before', 'after'])
  },
)
