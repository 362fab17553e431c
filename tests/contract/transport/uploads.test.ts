import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryChannel } from '#shared/wire/channels.ts'
import { sendMessage, getMessage } from '#shared/wire/messages.ts'
import { deleteFile } from '#shared/wire/uploads.ts'
import { API_KEY, callAs, startTestServer, tokenOf, type TestServer } from '../kit.ts'

let server: TestServer
const params = { type: 'messaging', id: 'files' }
beforeAll(async () => {
  server = await startTestServer({
    uploads: { size_limit: 100_000, blocked_file_extensions: ['.exe'], blocked_mime_types: ['text/x-bad'] },
  })
  for (const id of ['root', 'ann', 'bob']) await (await server.connect(id)).close()
  await callAs(server.url, { userId: 'ann' }, queryChannel, params, { body: { data: { members: ['ann', 'bob'] } } })
})
afterAll(() => server.stopAll())

type Uploaded = { status: number; code?: number; file: string }

async function upload(bytes: BlobPart, name: string, type: string, who = 'ann', kind = 'file'): Promise<Uploaded> {
  const form = new FormData()
  form.append('file', new Blob([bytes], { type }), name)
  const response = await fetch(`${server.url}/channels/messaging/files/${kind}?api_key=${API_KEY}&user_id=${who}`, {
    method: 'POST',
    headers: { Authorization: tokenOf(who), 'stream-auth-type': 'jwt' },
    body: form,
  })
  return { ...((await response.json()) as { file: string; code?: number }), status: response.status }
}

/** 2 x 3 pixels. */
const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from([0, 0, 0, 2, 0, 0, 0, 3, 8, 6, 0, 0, 0]),
])

const filesOnDisk = (): string[] =>
  readdirSync(join(server.folder, 'uploads'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)

test('an uploaded picture is returned with its name and served so that nothing in it can run', async () => {
  const { status, file } = await upload(PNG, 'zażółć.png', 'image/png', 'ann', 'image')
  expect(status).toBe(201)
  expect(decodeURIComponent(new URL(file).pathname.split('/').at(-1) ?? '')).toBe('zażółć.png')
  const served = await fetch(file)
  expect(served.status).toBe(200)
  expect(served.headers.get('content-type')).toBe('image/png')
  expect(served.headers.get('x-content-type-options')).toBe('nosniff')
  expect(served.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  expect(served.headers.get('content-disposition')).toMatch(/^inline; /)
  expect(Buffer.from(await served.arrayBuffer())).toEqual(PNG)
})

test('parts of a file are served by range', async () => {
  const { file } = await upload('0123456789', 'digits.txt', 'text/plain')
  const part = async (range: string) => {
    const answer = await fetch(file, { headers: { Range: range } })
    return [answer.status, await answer.text(), answer.headers.get('content-range')]
  }
  expect(await part('bytes=2-4')).toEqual([206, '234', 'bytes 2-4/10'])
  expect(await part('bytes=7-')).toEqual([206, '789', 'bytes 7-9/10'])
  expect(await part('bytes=-2')).toEqual([206, '89', 'bytes 8-9/10'])
  expect(await part('bytes=10-')).toEqual([416, '', 'bytes */10'])
  expect((await part('bytes=1-2,4-5'))[0]).toBe(200)
})

test.each([
  ['page.html', 'text/html', '<html><script>alert(1)</script></html>'],
  ['drawing.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['paper.pdf', 'application/pdf', '%PDF-1.7'],
  ['note.txt', 'text/plain', '<html>not a note</html>'],
])('%s is served as a download only', async (name, type, text) => {
  const { file } = await upload(text, name, type)
  expect((await fetch(file)).headers.get('content-disposition')).toMatch(/^attachment; /)
})

test('a refused upload leaves nothing on disk', async () => {
  const before = filesOnDisk().length
  const codes = [
    await upload('x'.repeat(100_001), 'big.txt', 'text/plain'),
    await upload('x'.repeat(400_000), 'bigger.txt', 'text/plain'),
    await upload('MZ', 'setup.EXE', 'text/plain'),
    await upload('x', 'a.txt', 'text/x-bad'),
    await upload('GIF89a', 'fake.png', 'image/png'),
    await upload('', 'empty.txt', 'text/plain'),
    await upload('x', 'a.txt', 'text/plain', 'root2'),
  ]
  expect(codes.map((answer) => answer.code)).toEqual([22, 22, 4, 4, 4, 4, 16])
  expect(filesOnDisk().length).toBe(before)
})

test('a body without a file, or broken, is refused', async () => {
  const ask = async (type: string, body: string) => {
    const path = `/channels/messaging/files/file?api_key=${API_KEY}&user_id=ann`
    const answer = await server.request(path, {
      method: 'POST',
      headers: { Authorization: tokenOf('ann'), 'Content-Type': type },
      body,
    })
    return (JSON.parse(answer.text) as { code: number }).code
  }
  expect(await ask('application/json', '{}')).toBe(4)
  expect(
    await ask(
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="other"\r\n\r\n1\r\n--x--\r\n',
    ),
  ).toBe(4)
  expect(await ask('multipart/form-data; boundary=x', 'nonsense')).toBe(4)
  expect(await ask('multipart/form-data', 'no boundary')).toBe(4)
})

test('names cannot escape the folder, and unknown ids return 404', async () => {
  const { file } = await upload('x', '../../../etc/passwd', 'text/plain')
  expect(new URL(file).pathname.endsWith('/passwd')).toBe(true)
  const id = '0'.repeat(32)
  for (const path of [
    `/files/${id}/x`,
    '/files/../server.db',
    '/files/%2e%2e%2fserver.db',
    `/files/${id}/../../server.db`,
    '/files/',
  ]) {
    expect((await server.request(path)).status).toBe(404)
  }
})

test('own uploads are deleted by their address, those of others and of other servers are not', async () => {
  const { file } = await upload('x', 'mine.txt', 'text/plain')
  const remove = async (userId: string, url: string) =>
    (await callAs(server.url, { userId }, deleteFile, params, { query: { url } })).body.code
  expect(await remove('bob', file)).toBe(17)
  expect(await remove('ann', 'https://example.com/x.png')).toBe(4)
  expect(await remove('ann', file)).toBeUndefined()
  expect((await fetch(file)).status).toBe(404)
})

test('a file without a row is removed at the next start, and addresses follow the port', async () => {
  const first = await startTestServer()
  const folder = first.folder
  for (const id of ['root', 'ann']) await (await first.connect(id)).close()
  const general = { type: 'messaging', id: 'g' }
  await callAs(first.url, { userId: 'ann' }, queryChannel, general, { body: { data: { members: ['ann'] } } })
  const image_url = `${first.url}/files/${'a'.repeat(32)}/x.png`
  await callAs(first.url, { userId: 'ann' }, sendMessage, general, {
    body: { message: { id: 'pic', attachments: [{ type: 'image', image_url }] } },
  })
  await first.stop()
  const orphan = join(folder, 'uploads', 'ab', 'cd', `abcd${'0'.repeat(28)}`)
  mkdirSync(join(folder, 'uploads', 'ab', 'cd'), { recursive: true })
  writeFileSync(orphan, 'x')
  const second = await startTestServer({ dataFolder: folder })
  expect(existsSync(orphan)).toBe(false)
  const message = (await callAs(second.url, { userId: 'ann' }, getMessage, { id: 'pic' })).body.message
  const notified = message.attachments?.[0]?.image_url ?? ''
  expect(notified.slice(0, notified.indexOf('?'))).toBe(image_url.replace(first.url, second.url))
  await second.stopAll()
})
