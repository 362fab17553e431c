import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { aMessageRow } from '#kit/rows.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { openStores, type Stores } from '#main/cache/files/open.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as uploads from '#main/cache/outbox/uploads.ts'
import * as users from '#main/cache/people/users.ts'
import { ApiError } from '#main/engine/api/errors.ts'
import { nodeFiles } from '#main/hosts/node/ports.ts'
import { logger, silentSink } from '#main/lib/logger.ts'
import { createMedia, type Media, createMediaBudget, sniff } from './media.ts'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
let folder: string
let stores: Stores
let requested: string[]
let answer: (path: string) => Promise<void>
let media: Media
let localUrl: string
let clock: ManualClock

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlor-media-'))
  clock = new ManualClock()
  stores = openStores({ folder, viewerId: asUserId('ann'), clock, ids: seededIds(), log: silentSink })
  requested = []
  localUrl = ''
  answer = (path) => Promise.resolve(writeFileSync(path, PNG))
  media = mediaIn(folder)
})

const mediaIn = (folder: string): Media =>
  createMedia({
    folder,
    cache: stores.cache.reader,
    outbox: stores.outbox.reader,
    api: {
      async download(url, path) {
        requested.push(url)
        mkdirSync(join(folder, 'media'), { recursive: true })
        await answer(path)
        return { mimeType: 'text/html', sizeBytes: PNG.length }
      },
    },
    files: nodeFiles(),
    clock,
    localUrl: () => Promise.resolve(localUrl),
    budgetBytes: 25,
    log: logger('media', silentSink),
  })

afterEach(() => {
  stores.close()
  rmSync(folder, { recursive: true })
})

function portrait(id: string, imageUrl: string): string {
  const row = {
    id: asUserId(id),
    name: id,
    imageUrl,
    role: 'user',
    banned: false,
    bot: false,
    updatedAt: 1,
    custom: {},
    asOf: 1,
  }
  stores.cache.transaction((tx) => users.put(tx, row))
  return `user/${id}.tag`
}

const file = { mimeType: 'image/png', sizeBytes: PNG.length, path: expect.stringContaining(join('media', '')) }

test('a picture of the local server that is restarting is requested a second time', async () => {
  const ref = portrait('bo', 'http://127.0.0.1:7000/files/portrait')
  localUrl = 'http://127.0.0.1:7000'
  answer = (path) => {
    if (requested.length === 1) return Promise.reject(new AppError('network/offline'))
    return Promise.resolve(writeFileSync(path, PNG))
  }
  const resolved = media.resolve(ref, 'thumb')
  await vi.waitFor(() => expect(clock.pending).toBe(1))
  await clock.advance(1_000)
  expect(await resolved).toMatchObject({ mimeType: 'image/png' })
  expect(requested).toHaveLength(2)
})

test('a picture is fetched once for all callers, and then served from disk', async () => {
  const ref = portrait('bob', 'https://cdn.example/bob.png')
  const all = await Promise.all([media.resolve(ref, 'full'), media.resolve(ref, 'full'), media.resolve(ref, 'thumb')])
  expect(all).toEqual([file, file, file])
  answer = () => Promise.reject(new Error('offline'))
  expect(await media.resolve(ref, 'full')).toEqual(file)
  expect(requested).toEqual(['https://cdn.example/bob.png'])
})

test('a file that cannot be fetched is absent, at most its beginning is stored, and the next call retries', async () => {
  const ref = portrait('bob', 'https://cdn.example/bob.png')
  answer = (path) => {
    writeFileSync(path, 'half')
    return Promise.reject(
      new ApiError({ kind: 'transport', transport: 'network', sent: true }, { operation: 'Download' }),
    )
  }
  expect(await media.resolve(ref, 'full')).toBeUndefined()
  expect(readdirSync(join(folder, 'media')).map((name) => name.endsWith('.part'))).toEqual([true])
  answer = (path) => Promise.resolve(writeFileSync(path, PNG))
  expect(await media.resolve(ref, 'full')).toEqual(file)
})

test('an interrupted download continues while each attempt makes progress', async () => {
  const ref = portrait('eve', 'https://cdn.example/eve.png')
  answer = async (path) => {
    writeFileSync(path, PNG.subarray(0, requested.length * 10))
    if (requested.length * 10 >= PNG.length) return
    throw new ApiError({ kind: 'transport', transport: 'network', sent: true }, { operation: 'Download' })
  }
  expect(await media.resolve(ref, 'full')).toMatchObject({ sizeBytes: PNG.length })
  expect(requested.length).toBe(Math.ceil(PNG.length / 10))
})

test('a partial file of an earlier run is deleted before any download', async () => {
  const existing = join(folder, 'media')
  mkdirSync(existing)
  writeFileSync(join(existing, 'half.part'), PNG)
  media = mediaIn(folder)
  await media.resolve(portrait('bob', 'https://cdn.example/bob.png'), 'full')
  expect(readdirSync(existing).some((name) => name.endsWith('.part'))).toBe(false)
})

test('an address of the local server is fetched from its current port, and cached across ports', async () => {
  const ref = portrait('bob', 'http://127.0.0.1:4000/files/bob.png?v=1')
  localUrl = 'http://127.0.0.1:5000'
  await media.resolve(ref, 'full')
  localUrl = 'http://127.0.0.1:6000'
  await media.resolve(ref, 'full')
  expect(requested).toEqual(['http://127.0.0.1:5000/files/bob.png?v=1'])
})

test('an attachment of a cached message is fetched from the current port of the server', async () => {
  const attachments = [{ kind: 'image' as const, url: 'http://127.0.0.1:4000/files/0a/cat.png', raw: {} }]
  stores.cache.transaction((tx) => messages.put(tx, aMessageRow({ attachments })))
  localUrl = 'http://127.0.0.1:5000'
  expect(await media.resolve('att/m1.0', 'full')).toEqual(file)
  expect(requested).toEqual(['http://127.0.0.1:5000/files/0a/cat.png'])
})

test('a file with a new signature is neither fetched nor stored again', async () => {
  localUrl = 'http://127.0.0.1:5000'
  const signed = (day: number) => `http://127.0.0.1:4000/files/0b/ann.png?sig=day${day}&exp=${day}`
  const first = portrait('ann', signed(1))
  await media.resolve(first, 'full')
  const second = portrait('ann', signed(2))
  await media.resolve(second, 'full')
  expect(second).toEqual(first)
  expect(requested).toEqual(['http://127.0.0.1:5000/files/0b/ann.png?sig=day1&exp=1'])
})

test('other addresses on this device are left as they are', async () => {
  localUrl = 'http://127.0.0.1:5000'
  await media.resolve(portrait('bob', 'http://127.0.0.1:4000/admin/bob.png'), 'full')
  expect(requested).toEqual(['http://127.0.0.1:4000/admin/bob.png'])
})

test('the folder stays within its budget: the oldest files are deleted, and can be fetched again', async () => {
  const refs = ['a', 'b', 'c'].map((id) => portrait(id, `https://cdn.example/${id}.png`))
  for (const [age, ref] of refs.entries()) {
    const existing = await media.resolve(ref, 'full')
    if (age < 2) utimesSync(existing?.path ?? '', age + 1, age + 1)
  }
  await expect.poll(() => readdirSync(join(folder, 'media')).length).toBe(2)
  requested.length = 0
  for (const ref of refs.toReversed()) await media.resolve(ref, 'full')
  expect(requested).toEqual(['https://cdn.example/a.png'])
})

test('files over the budget at start are deleted too, except running downloads', async () => {
  const budgeted = join(folder, 'kept')
  mkdirSync(budgeted)
  for (const [index, name] of ['old', 'new', 'half.part'].entries()) {
    writeFileSync(join(budgeted, name), PNG)
    utimesSync(join(budgeted, name), index + 1, index + 1)
  }
  await createMediaBudget(budgeted, logger('media', silentSink), 12).tidy()
  expect(readdirSync(budgeted).toSorted()).toEqual(['half.part', 'new'])
})

test.each(['user/nobody.tag', 'att/none.0', 'upload/none', 'odd/x', '', '../../etc/passwd'])(
  '%j names nothing',
  async (ref) => {
    expect(await media.resolve(ref, 'full')).toBeUndefined()
    expect(requested).toEqual([])
  },
)

test('a staged file is served from the staging folder, whatever its row contains', async () => {
  mkdirSync(join(folder, 'staging'))
  writeFileSync(join(folder, 'staging', 'u1'), PNG)
  const row = { cid: asCid('messaging:a'), name: 'x', sizeBytes: 11, mimeType: 'text/html', kind: 'image' as const }
  const state = { stagedBytes: 11, complete: true, state: 'pending' as const, createdAt: 1 }
  stores.outbox.transaction((tx) => {
    uploads.put(tx, { ...row, ...state, id: 'u1', stagedName: 'u1' })
    uploads.put(tx, { ...row, ...state, id: 'u2', stagedName: '../../../../etc/passwd' })
  })
  expect(await media.resolve('upload/u1', 'full')).toMatchObject({ mimeType: 'image/png', sizeBytes: 11 })
  expect(await media.resolve('upload/u2', 'full')).toBeUndefined()
})

test.each([
  [PNG, 'image/png'],
  [Buffer.from('\u00ff\u00d8\u00ff\u00e0', 'latin1'), 'image/jpeg'],
  [Buffer.from('GIF89a'), 'image/gif'],
  [Buffer.from('RIFF0000WEBPVP8 '), 'image/webp'],
  [Buffer.from('RIFF0000WAVEfmt '), 'audio/wav'],
  [Buffer.from('0000ftypM4A 0000'), 'audio/mp4'],
  [Buffer.from('0000ftypisom0000'), 'video/mp4'],
  [Buffer.from('%PDF-1.7'), 'application/pdf'],
  [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">'), 'application/octet-stream'],
  [Buffer.from('<!doctype html><script>'), 'application/octet-stream'],
  [Buffer.alloc(0), 'application/octet-stream'],
])('bytes are judged by themselves: %#', (bytes, mimeType) => {
  expect(sniff(bytes)).toBe(mimeType)
})
