import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { aChannelRow, aMessageRow } from '#kit/rows.ts'
import { aFolder, openTestStores } from '#kit/stores.ts'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import { parseQuery } from '#shared/rules/search/search-query.ts'
import { logger, silentSink } from '#main/lib/logger.ts'
import * as channels from './channels/channels.ts'
import type { Store } from './files/open.ts'
import * as messages from './messages/messages.ts'
import { CHECKPOINT, inlineWorker, threadWorker, type CacheWorker } from './worker.ts'

const ENTRY = join(import.meta.dirname, '../entry/cache-worker.ts')

function worker(path: string, clock = new ManualClock()): CacheWorker {
  const made = threadWorker(ENTRY, { path, viewerId: asUserId('me') }, clock, logger('worker', silentSink))
  onTestFinished(() => made.close())
  return made
}

function cacheWith(text: string): Store {
  const { cache } = openTestStores()
  cache.transaction((tx) => channels.put(tx, aChannelRow()))
  cache.reader.db.pragma(CHECKPOINT)
  write(cache, 'a', text)
  return cache
}

const write = (cache: Store, id: string, text: string, createdAt = 1_000): unknown =>
  cache.transaction((tx) => messages.put(tx, aMessageRow({ id: asMessageId(id), text, createdAt })))

const question = { query: parseQuery('words ', { year: 2026, month: 11, day: 21 }), limit: 5 }
const found = async (asked: CacheWorker): Promise<string[]> => (await asked.search(question)).keys.map(({ id }) => id)

/** The messages of the database without its log. */
function moved({ path }: Store): number {
  const copy = join(aFolder(), 'copy.db')
  copyFileSync(path, copy)
  const raw = new Database(copy)
  onTestFinished(() => void raw.close())
  return raw.prepare<[], { n: number }>('SELECT count(*) AS n FROM messages').get()?.n ?? 0
}

test('another thread reads committed data while the writer continues', async () => {
  const cache = cacheWith('first words')
  const beside = worker(cache.path)
  expect(await found(beside)).toEqual(['a'])
  write(cache, 'b', 'second words', 2_000)
  expect(await found(beside)).toEqual(['b', 'a'])
  await beside.close()
  await expect(found(beside)).rejects.toMatchObject({ code: 'search/unavailable' })
})

test('a thread that cannot read reports it, and the next query starts another', async () => {
  const beside = worker('/nowhere/cache.db')
  for (const _ of [1, 2]) await expect(found(beside)).rejects.toMatchObject({ code: 'search/unavailable' })
})

test('a thread without questions ends after a minute, and the next question starts another', async () => {
  const cache = cacheWith('words')
  const clock = new ManualClock()
  const beside = worker(cache.path, clock)
  const elsewhere = `${cache.path}.elsewhere`
  expect(await found(beside)).toEqual(['a'])
  await clock.advance(50_000)
  expect(await found(beside)).toEqual(['a'])
  // What is open stays readable under another name; what is opened anew does not.
  renameSync(cache.path, elsewhere)
  await clock.advance(50_000)
  expect(await found(beside)).toEqual(['a'])
  await clock.advance(61_000)
  await expect(found(beside)).rejects.toMatchObject({ code: 'search/unavailable' })
  renameSync(elsewhere, cache.path)
  expect(await found(beside)).toEqual(['a'])
})

test.each([
  ['another thread', (cache: Store) => worker(cache.path)],
  ['the own thread', (cache: Store) => inlineWorker(cache)],
])('%s moves the log into the database, and finds what was written before', async (_name, open) => {
  const cache = cacheWith('words')
  const beside = open(cache)
  expect(moved(cache)).toBe(0)
  await beside.checkpoint()
  expect(moved(cache)).toBe(1)
  expect(await found(beside)).toEqual(['a'])
})

test('a log is moved beside a transaction, which is moved with the next', async () => {
  const cache = cacheWith('words')
  const beside = worker(cache.path)
  await beside.checkpoint()
  const { raw } = cache.reader.db
  raw.exec('BEGIN IMMEDIATE')
  messages.put(
    { ...cache.reader, touch: () => undefined, touchWindow: () => undefined, write: (_row, write) => write() },
    aMessageRow({ id: asMessageId('b') }),
  )
  await beside.checkpoint()
  expect(moved(cache)).toBe(1)
  raw.exec('COMMIT')
  await beside.checkpoint()
  expect(moved(cache)).toBe(2)
})
