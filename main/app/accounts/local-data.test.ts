import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AppError } from '#shared/lib/app-error.ts'
import { asMessageId, asUserId } from '#shared/lib/brand.ts'
import { FakeHost } from '#kit/fake-host.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { aMessageRow } from '#kit/rows.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { openStores } from '#main/cache/files/open.ts'
import * as messages from '#main/cache/messages/messages.ts'
import type { ExportPiece } from '#main/engine/features/export/pieces.ts'
import type { ClientWindow } from '#main/hosts/host.ts'
import { confFile } from '#main/hosts/node/settings-file.ts'
import { silentSink } from '#main/lib/logger.ts'
import { openSettings } from '#main/settings/store.ts'
import type { Account } from './account.ts'
import { dataCalls } from './local-data.ts'

let world: FakeHost
beforeEach(() => {
  world = new FakeHost()
})
afterEach(() => world.dispose())

/** What only account files need. */
const others = () => ({
  store: openSettings(world.data, silentSink, confFile),
  accounts: () => [],
  entries: () => [],
  publish: () => undefined,
  translate: (_area: string, key: string) => key,
})

function callsFor(pieces: () => Iterable<ExportPiece>, host = world.host) {
  const account = { engine: { exported: pieces, surveyed: () => [] }, folder: world.data } as unknown as Account
  const calls = dataCalls({ ...others(), host, renew: (_account, work) => work(), media: () => undefined })
  return { calls, context: { window: {} as ClientWindow, account: () => account } }
}

const JSON_FILE = {
  cid: undefined,
  messageIds: undefined,
  format: 'json',
  span: { from: undefined, until: undefined },
  files: 'none',
  older: false,
} as const

const PIECES: readonly ExportPiece[] = [
  { text: '[', messages: 0 },
  { text: '1,2', messages: 2 },
  { text: ']', messages: 0 },
]

test('the file is written where the user chooses, and shown there', async () => {
  world.destination = join(world.data, 'mine.json')
  writeFileSync(world.destination, 'what stood there before')
  const { calls, context } = callsFor(() => PIECES)
  expect(await calls.exportMessages(JSON_FILE, context)).toEqual({
    saved: { fileName: 'mine.json', folderName: basename(world.data), messages: 2, files: 0, withoutFiles: 0 },
  })
  expect(readFileSync(world.destination, 'utf8')).toBe('[1,2]')
  await calls.showFolder({ which: 'exported' }, context)
  await calls.showFolder({ which: 'profile' }, context)
  expect(world.shown).toEqual([world.destination, world.data])
})

test('nothing is written if the user cancels', async () => {
  const { calls, context } = callsFor(() => {
    throw new Error('nobody asks')
  })
  expect(await calls.exportMessages({ ...JSON_FILE, format: 'text' }, context)).toEqual({})
})

test('a file that fails halfway leaves nothing behind, and reports the failure', async () => {
  world.destination = join(world.data, 'half.json')
  const { calls, context } = callsFor(function* () {
    yield { text: 'x'.repeat(300_000), messages: 1 }
    throw new Error('the disk is full')
  })
  await expect(calls.exportMessages(JSON_FILE, context)).rejects.toMatchObject({
    code: 'data/not-written',
  })
  expect(existsSync(world.destination)).toBe(false)
})

describe('everything of a person', () => {
  const exporting = (exportedPerson: () => Promise<{ text: string; messages: number }>) => {
    const account = { engine: { exportedPerson }, folder: world.data } as unknown as Account
    const calls = dataCalls({
      ...others(),
      host: world.host,
      renew: (_account, work) => work(),
      media: () => undefined,
    })
    return calls.exportPerson({ userId: asUserId('ola') }, { window: {} as ClientWindow, account: () => account })
  }

  test('is written where the user chooses', async () => {
    world.destination = join(world.data, 'ola.json')
    const saved = { fileName: 'ola.json', folderName: basename(world.data), messages: 2 }
    expect(await exporting(() => Promise.resolve({ text: '{}', messages: 2 }))).toEqual({ saved })
    expect(readFileSync(world.destination, 'utf8')).toBe('{}')
  })

  test('is not asked a place for when the server refuses it', async () => {
    world.destination = join(world.data, 'ola.json')
    const refused = exporting(() => Promise.reject(new Error('refused')))
    await expect(refused).rejects.toThrow('refused')
    expect(existsSync(world.destination)).toBe(false)
  })

  test('is not written if the user cancels', async () => {
    expect(await exporting(() => Promise.resolve({ text: '{}', messages: 0 }))).toEqual({})
  })
})

test('clearing deletes facts and media, but not the outbox and staged files', async () => {
  mkdirSync(join(world.data, 'media'))
  const names = ['cache.db', 'cache.db-wal', 'media/a', 'outbox.db', 'outbox.journal']
  for (const name of names) writeFileSync(join(world.data, name), 'x')
  const { calls, context } = callsFor(() => [])
  await calls.clearCache(undefined, context)
  expect(names.filter((name) => existsSync(join(world.data, name)))).toEqual(['outbox.db', 'outbox.journal'])
})

test('only the end of a long log is read, starting with a complete line', async () => {
  const { calls, context } = callsFor(() => [])
  expect(await calls.log(undefined, context)).toEqual({ text: '' })
  mkdirSync(join(world.data, 'logs'))
  const line = `${'l'.repeat(99)}\n`
  writeFileSync(join(world.data, 'logs', 'parlor.log'), line.repeat(3_000))
  const { text } = await calls.log(undefined, context)
  expect(text.length % 100).toBe(0)
  expect(text.length).toBeLessThan(200_001)
  expect(text.endsWith(line)).toBe(true)
})

test('a window reads a file piece by piece, up to its end', async () => {
  const path = join(world.data, 'fetched')
  writeFileSync(path, 'paper')
  const account = { folder: world.data } as unknown as Account
  const file = { path, sizeBytes: 5, mimeType: 'application/pdf' }
  const resolve = (ref: string) => Promise.resolve(ref === 'att/m.0' ? file : undefined)
  const media = { resolve, stored: resolve }
  const calls = dataCalls({ ...others(), host: world.host, renew: (_account, work) => work(), media: () => media })
  const context = { window: {} as ClientWindow, account: () => account }
  const read = (index: number, start: number) =>
    Promise.resolve(calls.fileBytes({ messageId: asMessageId('m'), index, start, length: 3 }, context))
  const pieces = [await read(0, 0), await read(0, 3), await read(0, 9)]
  expect(pieces.map(({ base64, sizeBytes }) => [atob(base64), sizeBytes])).toEqual([
    ['pap', 5],
    ['er', 5],
    ['', 5],
  ])
  await expect(read(1, 0)).rejects.toMatchObject({ code: 'data/file-gone' })
})

describe('opening an attachment with another program', () => {
  /** A message with one attachment of this name and type. */
  function opening(title: string, mimeType: string | undefined) {
    const ids = seededIds()
    const stores = openStores({
      folder: world.data,
      viewerId: asUserId('ann'),
      clock: new ManualClock(),
      ids,
      log: silentSink,
    })
    const attachments = [{ kind: 'file' as const, title, url: 'https://files.example/x', raw: {} }]
    stores.cache.transaction((tx) => messages.put(tx, aMessageRow({ id: asMessageId('m'), attachments })))
    const fetched = join(world.data, 'fetched')
    writeFileSync(fetched, 'bytes')
    const account = { engine: { stores }, folder: world.data } as unknown as Account
    const file = mimeType === undefined ? undefined : { path: fetched, sizeBytes: 5, mimeType }
    const resolve = (ref: string) => Promise.resolve(ref === 'att/m.0' ? file : undefined)
    const media = { resolve, stored: resolve }
    const calls = dataCalls({ ...others(), host: world.host, renew: (_account, work) => work(), media: () => media })
    const context = { window: {} as ClientWindow, account: () => account }
    return Promise.resolve(calls.openFile({ messageId: asMessageId('m'), index: 0 }, context))
      .then(() => 'opened')
      .catch((error: unknown) => (error as AppError).code)
      .finally(() => stores.close())
  }

  test('hands a copy under its own name to the system', async () => {
    expect(await opening('plan.pdf', 'application/pdf')).toBe('opened')
    const [path = ''] = world.handedOver
    expect(basename(path)).toBe('plan.pdf')
    expect(readFileSync(path, 'utf8')).toBe('bytes')
    expect(path.startsWith(join(world.data, 'opened'))).toBe(true)
  })

  test('no name escapes its folder', async () => {
    await opening('../../evil\u202Egpj.txt', 'application/octet-stream')
    expect(world.handedOver.map((path) => basename(path))).toEqual(['_.._evilgpj.txt'])
  })

  test.each([
    ['setup.exe', 'application/octet-stream', 'data/file-runs'],
    ['plan.pdf', 'image/png', 'data/file-mismatch'],
    ['plan.pdf', undefined, 'data/file-gone'],
  ])('%s that is %s is not: %s', async (title, mimeType, code) => {
    expect(await opening(title, mimeType)).toBe(code)
    expect(world.handedOver).toEqual([])
  })
})
