import { readdirSync, readFileSync, rmSync, writeFileSync, openSync, writeSync, closeSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeHost, type FakeWindow } from '#kit/fake-host.ts'
import { aWireChannelState, aWireMessage, aWireUser, at } from '#kit/lone-engine.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { ChangeSet } from '#shared/domain/changes.ts'
import { createEngine, type Engine } from '#main/engine/engine.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { accountFolder, accountKey } from './account.ts'
import type { Composed } from './launch-options.ts'
import { openApp } from './open-app.ts'

/** Damage that is met while Parlor runs, or by the first start after an orderly end, is repaired there and then. */
const CID = 'team:general'
const REF: AccountRef = { kind: 'hosted', url: 'https://chat.example', apiKey: 'K', userId: 'ann' }
const TOKEN = `e30.${Buffer.from(JSON.stringify({ user_id: 'ann' })).toString('base64url')}.sig`

let host: FakeHost
let composed: Composed | undefined
let engine: Engine
let sent: string[]

beforeEach(() => {
  host = new FakeHost()
  sent = []
  const texts = Array.from({ length: 40 }, (_, n) =>
    aWireMessage(`m${n}`, n * 1_000, { text: `words ${n} `.repeat(20) }),
  )
  const me = { user_id: 'ann', user: aWireUser('ann'), created_at: at(-1e6) }
  const channel = { ...aWireChannelState(texts), members: [me], membership: me, read: [] }
  host.http
    .on('GET', '/app', { body: { app: { name: 'x' } } })
    .on('POST', '/channels', { body: { channels: [channel] } })
    .on('POST', '/channels/:type/:id/query', { body: channel })
    .on('POST', '/sync', { body: { events: [] } })
    .on('POST', '/channels/:type/:id/message', (call) => {
      const { message } = call.json as { message: { id: string; text: string } }
      sent.push(message.text)
      return {
        status: 201,
        body: { message: { ...aWireMessage(message.id, 90_000, { user: aWireUser('ann') }), ...message } },
      }
    })
})
afterEach(async () => {
  await stop()
  host.dispose()
})

async function start(): Promise<FakeWindow> {
  composed = await openApp(
    host.host,
    { connect: { url: 'https://chat.example', apiKey: 'K', credential: { kind: 'token', token: TOKEN } } },
    { openEngine: (options) => (engine = createEngine(options)) },
  )
  const window = host.window()
  await call(window, 'app.attach')
  await online()
  return window
}

async function stop(): Promise<void> {
  const stopping = composed?.stop()
  composed = undefined
  await passing(stopping ?? Promise.resolve())
}

async function online(): Promise<void> {
  await host.clock.settle()
  for (const socket of host.sockets.all) if (socket.state === 'opening') socket.accept({ id: 'ann' })
  await host.clock.advance(2_000)
}

/** Lets time pass until it is done: the disk answers with turns of the loop and not with the clock. */
async function passing<Value>(work: Promise<Value>): Promise<Value> {
  const state = { isDone: false }
  void work.finally(() => (state.isDone = true)).catch(() => undefined)
  while (!state.isDone) {
    await host.clock.advance(20)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return work
}

async function call<Answer>(window: FakeWindow, name: string, ...given: readonly unknown[]): Promise<Answer> {
  const said = await passing(window.call(name, given.length === 0 ? {} : given[0]))
  if (!said.ok) throw new AppError(said.error.code)
  return said.value as Answer
}

const folder = (): string => accountFolder(host.data, accountKey(REF))
const notices = (): string[] => engine.notices().map(({ code }) => code)

/** Every page but the first, of a file as it lies there: an open database reads them when it has to. */
function spoil(name: string): void {
  const path = join(folder(), name)
  const file = openSync(path, 'r+')
  const { size } = statSync(path)
  writeSync(file, Buffer.alloc(size - 4_096, 0xff), 0, size - 4_096, 4_096)
  closeSync(file)
}

/** Nothing is in memory any more, nor in the logs. */
function emptied(): void {
  engine.stores.checkpoint()
  for (const store of [engine.stores.cache, engine.stores.outbox]) {
    store.reader.db.memo.clear()
    store.reader.db.raw.pragma('shrink_memory')
  }
}

/** Until the account was opened again, with a new engine and a new line. */
async function repaired(before: Engine): Promise<void> {
  const isThere = (): boolean => engine !== before
  for (let turn = 0; turn < 200 && !isThere(); turn += 1) {
    await host.clock.advance(20)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(engine).not.toBe(before)
  await online()
}

test('a cache that is damaged while it is in use is made again at once, told once, and what waits is sent', async () => {
  const window = await start()
  const before = engine
  emptied()
  spoil('cache.db')
  const id = await call(window, 'messages.send', { cid: CID, text: 'said in between' }).catch((error: unknown) => error)
  await repaired(before)
  await call(window, 'app.attach')
  if (typeof id !== 'string') await call(window, 'messages.send', { cid: CID, text: 'said in between' })
  await host.clock.advance(10_000)
  expect(notices()).toEqual(['store/cache-rebuilt'])
  expect(sent).toEqual(['said in between'])
  expect(readdirSync(join(folder(), 'quarantine')).filter((name) => name.startsWith('cache.db'))).not.toEqual([])
  const there = await call<ChangeSet>(window, 'app.attach', { lastChannel: CID })
  expect(Object.values(there.put.messages ?? {}).map((message) => message?.text)).toContain('words 7 '.repeat(20))
})

test('an outbox that is damaged while it is in use is put together again, and all of it is sent as it was written', async () => {
  const window = await start()
  for (const socket of host.sockets.live) socket.end()
  await host.clock.advance(1_000)
  const texts = Array.from({ length: 30 }, (_, n) => `unsent ${n}`)
  for (const text of texts) await call(window, 'messages.send', { cid: CID, text })
  const before = engine
  emptied()
  spoil('outbox.db')
  await call(window, 'messages.send', { cid: CID, text: 'one more' }).catch(() => undefined)
  await repaired(before)
  await host.clock.advance(60_000)
  expect(notices()).toContain('store/outbox-salvaged')
  expect(sent.slice(0, 30)).toEqual(texts)
})

test.each(Array.from({ length: 12 }, (_, n) => n))(
  'a page that was damaged after an orderly end: the first start repairs it (%i)',
  async (n) => {
    await start()
    await stop()
    const path = join(folder(), 'cache.db')
    const bytes = readFileSync(path)
    const pages = Math.floor(bytes.length / 4_096)
    const page = (n * 7) % pages
    bytes.fill(0xff, page * 4_096, (page + 1) * 4_096)
    writeFileSync(path, bytes)
    const window = await start()
    await host.clock.advance(40_000)
    await passing(new Promise((resolve) => setImmediate(resolve)))
    await online()
    await call(window, 'app.attach')
    await call(window, 'messages.send', { cid: CID, text: 'goes on' })
    await host.clock.advance(60_000)
    await online()
    expect(sent).toEqual(['goes on'])
    expect(notices().filter((code) => code.startsWith('store/')).length).toBeLessThanOrEqual(1)
  },
)

test('a cache that vanished is told; one that was cleared by hand is not', async () => {
  const window = await start()
  await stop()
  rmSync(join(folder(), 'cache.db'))
  const again = await start()
  expect(notices()).toEqual(['store/cache-gone'])
  const before = engine
  await call(again, 'data.clearCache', undefined)
  expect([engine === before, notices()]).toEqual([false, []])
  window.close()
})
