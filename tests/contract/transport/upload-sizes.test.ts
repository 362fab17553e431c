import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decode, encode } from '#main/server/uploads/pictures.ts'
import { queryChannel } from '#shared/wire/channels.ts'
import { deleteLooseImage, type WireUploadSize } from '#shared/wire/uploads.ts'
import { API_KEY, callAs, startTestServer, tokenOf, type TestServer } from '../kit.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ picturesEntry: join(import.meta.dirname, '../../../main/entry/pictures.ts') })
  for (const id of ['root', 'ann', 'bob']) await (await server.connect(id)).close()
  const params = { type: 'messaging', id: 'pictures' }
  await callAs(server.url, { userId: 'ann' }, queryChannel, params, { body: { data: { members: ['ann'] } } })
})
afterAll(() => server.stopAll())

/** A picture of one color. */
const bytesOf = (width: number, height: number, mimeType = 'image/png'): Buffer =>
  encode({ width, height, data: new Uint8Array(width * height * 4).fill(200) }, mimeType)

type Sent = { status: number; code?: number; file: string; thumb_url?: string; upload_sizes?: WireUploadSize[] }

async function upload(path: string, bytes: Buffer, more: { sizes?: unknown; type?: string; name?: string } = {}) {
  const form = new FormData()
  if (more.sizes !== undefined) form.append('upload_sizes', JSON.stringify(more.sizes))
  form.append('file', new Blob([Uint8Array.from(bytes)], { type: more.type ?? 'image/png' }), more.name ?? 'a.png')
  const response = await fetch(`${server.url}${path}?api_key=${API_KEY}&user_id=ann`, {
    method: 'POST',
    headers: { Authorization: tokenOf('ann'), 'stream-auth-type': 'jwt' },
    body: form,
  })
  return { ...((await response.json()) as Omit<Sent, 'status'>), status: response.status }
}

async function sizeAt(url: string | undefined, mimeType = 'image/png'): Promise<[number, number]> {
  const answer = await fetch(url ?? '')
  expect(answer.headers.get('content-type')).toBe(mimeType)
  const { width, height } = decode(Buffer.from(await answer.arrayBuffer()), mimeType)
  return [width, height]
}

const filesOnDisk = (): number =>
  readdirSync(join(server.folder, 'uploads'), { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
    .length

const IMAGE = '/channels/messaging/pictures/image'

test.each([
  ['image/png', 'a.png'],
  ['image/jpeg', 'a.jpg'],
])('a large %s gets a thumbnail of at most 600 pixels', async (type, name) => {
  const sent = await upload(IMAGE, bytesOf(1_200, 300, type), { type, name })
  expect(sent.status).toBe(201)
  expect(await sizeAt(sent.file, type)).toEqual([1_200, 300])
  expect(await sizeAt(sent.thumb_url, type)).toEqual([600, 150])
})

test('a small picture is its own thumbnail, and a file has none', async () => {
  const small = await upload(IMAGE, bytesOf(60, 60))
  expect(small.thumb_url).toBe(small.file)
  const form = await upload('/channels/messaging/pictures/file', Buffer.from('words'), { type: 'text/plain' })
  expect(form.status).toBe(201)
  expect(form.thumb_url).toBeUndefined()
})

test('further sizes are made on request', async () => {
  const sizes = [
    { width: 50, height: 50 },
    { width: 50, height: 50, resize: 'crop', crop: 'left' },
    { width: 30, height: 90, resize: 'scale' },
    { width: 80, height: 80, resize: 'fill' },
  ]
  const sent = await upload(IMAGE, bytesOf(400, 200), { sizes })
  expect(sent.upload_sizes).toMatchObject(sizes)
  const made = await Promise.all((sent.upload_sizes ?? []).map((each) => sizeAt(each.url)))
  expect(made).toEqual([
    [50, 25],
    [50, 50],
    [30, 90],
    [80, 80],
  ])
})

test.each([
  ['no list', { width: 1 }],
  ['a side of nothing', [{ width: 0, height: 10 }]],
  ['a side beyond reason', [{ width: 10, height: 100_000 }]],
  ['too many sizes', Array.from({ length: 6 }, () => ({ width: 1, height: 1 }))],
  ['an unknown mode', [{ width: 1, height: 1, resize: 'melt' }]],
])('%s is refused, and nothing is stored', async (_name, sizes) => {
  const before = filesOnDisk()
  expect((await upload(IMAGE, bytesOf(10, 10), { sizes })).code).toBe(4)
  expect(filesOnDisk()).toBe(before)
})

test('a picture for no channel belongs to its owner, and is deleted with all its sizes', async () => {
  const before = filesOnDisk()
  const sent = await upload('/uploads/image', bytesOf(700, 700))
  expect(sent.status).toBe(201)
  expect(await sizeAt(sent.thumb_url)).toEqual([600, 600])
  expect(filesOnDisk()).toEqual(before + 2)
  const remove = (userId: string) => callAs(server.url, { userId }, deleteLooseImage, {}, { query: { url: sent.file } })
  expect((await remove('bob')).body.code).toBe(16)
  expect((await remove('ann')).status).toBe(200)
  await expect.poll(filesOnDisk).toBe(before)
  expect((await fetch(sent.thumb_url ?? '')).status).toBe(404)
  expect((await upload('/uploads/file', Buffer.from('words'), { type: 'text/plain' })).status).toBe(201)
})

test('bytes that only begin like a picture are stored without a thumbnail', async () => {
  const sent = await upload(IMAGE, bytesOf(900, 900).subarray(0, 60))
  expect(sent.status).toBe(201)
  expect(sent.thumb_url).toBeUndefined()
})
