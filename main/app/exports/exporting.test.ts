import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { asUserId } from '#shared/lib/brand.ts'
import type { ExportProgress } from '#shared/domain/export.ts'
import { FakeHost } from '#kit/fake-host.ts'
import { WORDS } from '#kit/lone-engine.ts'
import type { ExportOrder, ExportPiece, SurveyedMessage } from '#main/engine/features/export/pieces.ts'
import type { NewFile } from '#main/hosts/host.ts'
import { createNewFile } from '#main/hosts/node/folders.ts'
import { type ExportRequest, type ExportSource, exportTo, planExport, RunningExports } from './exporting.ts'

let world: FakeHost
beforeEach(() => {
  world = new FakeHost()
  mkdirSync(join(world.data, 'out'))
  world.destination = join(world.data, 'out', 'talk')
})
afterEach(() => world.dispose())

const REQUEST: ExportRequest = { format: 'html', span: {}, files: 'none', older: false }
const out = () => readdirSync(join(world.data, 'out'))

/** Messages of one author, each with one file; the first file is on the disk, the others are on the server. */
function aSource(count: number, pieces?: (order: ExportOrder) => Iterable<ExportPiece>) {
  const orders: ExportOrder[] = []
  const loaded: string[] = []
  writeFileSync(join(world.data, 'f0'), 'PNG bytes')
  const file = (ref: string) => ({ path: join(world.data, ref), sizeBytes: 9, mimeType: 'image/png' })
  const surveyed: SurveyedMessage[] = Array.from({ length: count }, (_each, index) => ({
    userId: asUserId('ola'),
    image: 'user/ola.1',
    files: [{ ref: `f${index}`, title: '../a.png', sizeBytes: 9 }],
  }))
  const source: ExportSource = {
    engine: {
      surveyed: () => surveyed,
      exported: (order) => {
        orders.push(order)
        return pieces?.(order) ?? surveyed.map((_each, index) => ({ text: `${index};`, messages: 1 }))
      },
      channelName: () => 'Plans',
      missingBefore: () => 7,
      loadOlder: () => Promise.resolve(),
    },
    media: {
      stored: (ref) => Promise.resolve(existsSync(join(world.data, ref)) ? file(ref) : undefined),
      resolve: (ref) => {
        loaded.push(ref)
        if (ref === 'f2') return Promise.resolve(undefined)
        writeFileSync(join(world.data, ref), 'PNG bytes')
        return Promise.resolve(file(ref))
      },
    },
  }
  return { source, orders, loaded }
}

function run(source: ExportSource, request: Partial<ExportRequest> = {}, controller = new AbortController()) {
  const progress: ExportProgress[] = []
  const folders = world.host.folders
  if (folders === undefined) throw new Error('the host has folders')
  const job = {
    source,
    request: { ...REQUEST, ...request },
    words: WORDS,
    signal: controller.signal,
    onProgress: (one: ExportProgress) => void progress.push(one),
  }
  return { done: exportTo({ ...world.host, folders }, job, () => undefined), progress }
}

test('a plan counts what is on this device, and what is not', async () => {
  const { source, loaded } = aSource(3)
  expect(await planExport(source, { span: {} })).toEqual({
    messages: 3,
    stored: { count: 1, bytes: 9 },
    missing: { count: 2, bytes: 18 },
    missingBefore: undefined,
  })
  expect(loaded).toEqual([])
})

test('an archive has the files of this device next to its page, under safe names', async () => {
  const { source, orders } = aSource(3)
  expect(await run(source, { files: 'stored' }).done).toMatchObject({ messages: 3, files: 1, withoutFiles: 2 })
  const zip = unzipSync(readFileSync(join(world.data, 'out', 'talk')))
  expect(Object.keys(zip)).toEqual(['files/0001 _a.png', 'index.html'])
  expect(strFromU8(zip['index.html'] ?? new Uint8Array())).toBe('0;1;2;')
  expect(orders[0]?.files?.get('f0')).toMatchObject({ path: 'files/0001 _a.png', mimeType: 'image/png' })
})

test('all files are loaded first; one that cannot be had is left out and counted', async () => {
  const { source, loaded } = aSource(3)
  expect(await run(source, { files: 'all', format: 'markdown' }).done).toMatchObject({ files: 2, withoutFiles: 1 })
  expect(loaded).toEqual(['f0', 'f1', 'f2'])
  expect(Object.keys(unzipSync(readFileSync(join(world.data, 'out', 'talk'))))).toEqual([
    'files/0001 _a.png',
    'files/0002 _a.png',
    'messages.md',
  ])
})

test('a hundred thousand messages are never in memory together: they are written in parts of one size', async () => {
  const sizes: number[] = []
  world.newFile = async (path) => {
    const file = await createNewFile(path)
    return { ...file, write: (bytes) => (sizes.push(bytes.length), file.write(bytes)) }
  }
  const { source } = aSource(0, function* () {
    for (let index = 0; index < 100_000; index += 1) yield { text: 'a message of a usual length\n', messages: 1 }
  })
  const { done, progress } = run(source, { format: 'csv' })
  expect(await done).toMatchObject({ messages: 100_000 })
  expect(Math.max(...sizes)).toBeLessThan(300_000)
  expect(sizes.length).toBeGreaterThan(8)
  expect(progress.at(-1)?.step).toBe('messages')
})

test('a canceled export leaves nothing, and what stood there before', async () => {
  const controller = new AbortController()
  writeFileSync(join(world.data, 'out', 'talk'), 'before')
  const { source } = aSource(0, function* () {
    yield { text: 'x', messages: 1 }
    controller.abort()
    yield { text: 'y', messages: 1 }
  })
  expect(await run(source, {}, controller).done).toBeUndefined()
  expect(out()).toEqual(['talk'])
  expect(readFileSync(join(world.data, 'out', 'talk'), 'utf8')).toBe('before')
})

/** A disk that refuses the first write. */
const refusing =
  (code: string) =>
  async (path: string): Promise<NewFile> => {
    const file = await createNewFile(path)
    return { ...file, write: () => Promise.reject(Object.assign(new Error(code), { code })) }
  }

test.each([
  ['ENOSPC', 'data/disk-full'],
  ['EACCES', 'data/not-permitted'],
  ['EROFS', 'data/not-permitted'],
  ['ENOENT', 'data/folder-gone'],
  ['EMFILE', 'data/not-written'],
])('a disk that refuses with %s is named in words as %s, and nothing is left', async (code, refusal) => {
  world.newFile = refusing(code)
  await expect(run(aSource(2).source).done).rejects.toMatchObject({ code: refusal })
  expect(out()).toEqual([])
})

test('a folder that is deleted meanwhile is said to be gone', async () => {
  const { source } = aSource(0, function* () {
    rmSync(join(world.data, 'out'), { recursive: true })
    yield { text: 'x', messages: 1 }
  })
  await expect(run(source).done).rejects.toMatchObject({ code: 'data/folder-gone' })
  expect(existsSync(join(world.data, 'out'))).toBe(false)
})

test('a window runs one export at a time, and ends its own', async () => {
  const running = new RunningExports(world.host)
  const first = running.run(
    'w1',
    (signal) => new Promise((end) => signal.addEventListener('abort', () => end('ended'))),
  )
  await expect(running.run('w1', () => Promise.resolve())).rejects.toMatchObject({ code: 'data/exporting' })
  expect(await running.run('w2', () => Promise.resolve('other'))).toBe('other')
  running.cancel('w1')
  expect(await first).toBe('ended')
})
