import { readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import { readRange } from '#main/server/uploads/serve-file.ts'
import { insertUpload } from '#main/server/uploads/upload-files.ts'
import { queryChannel } from '#shared/wire/channels.ts'
import { API_KEY, callAs, SECRET, startTestServer, tokenOf, type TestServer } from '../contract/kit.ts'
import { BYTES, PAIRS, PICTURES, png } from './kit/files.ts'
import { ask, codeIn, dial } from './kit/raw.ts'

/** Which files may be uploaded, how they are stored and how they are served. */

const LIMIT = 400_000
const clock = new ManualClock()
const room = { type: 'messaging', id: 'files' }
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock, uploads: { size_limit: LIMIT }, limits: { upload: 1e6 } })
  for (const id of ['ann', 'bob', 'full', 'many']) await (await server.connect(id)).close()
  const members = ['ann', 'bob', 'full', 'many']
  await callAs(server.url, { userId: 'ann' }, queryChannel, room, { body: { data: { members } } })
})
afterAll(() => server.stopAll())

type Uploaded = { status: number; code?: number; file: string; exception_fields?: Record<string, string> }

async function upload(bytes: BlobPart, name: string, type: string, who = 'ann', base = server.url): Promise<Uploaded> {
  const form = new FormData()
  form.append('file', new Blob([bytes], { type }), name)
  const response = await fetch(`${base}/channels/messaging/files/file?api_key=${API_KEY}&user_id=${who}`, {
    method: 'POST',
    headers: { Authorization: tokenOf(who), 'stream-auth-type': 'jwt' },
    body: form,
  })
  return { ...((await response.json()) as Uploaded), status: response.status }
}

const storedFiles = (): { name: string; mode: number; path: string }[] =>
  readdirSync(join(server.folder, 'uploads'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({
      name: entry.name,
      path: entry.parentPath,
      mode: statSync(join(entry.parentPath, entry.name)).mode & 0o777,
    }))

const head = (size: string) =>
  [
    `POST /channels/messaging/files/file?api_key=${API_KEY}&user_id=ann HTTP/1.1`,
    `Host: ${new URL(server.url).host}`,
    `Authorization: ${tokenOf('ann')}`,
    'Content-Type: multipart/form-data; boundary=x',
    size,
    '',
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n',
  ].join('\r\n')

describe('SRV-20 size', () => {
  test('SRV-20 a file is refused the moment it passes the limit, not when all of it has arrived', async () => {
    const before = storedFiles().length
    const connection = await dial(server.url)
    // A body that does not name its size and never ends.
    connection.socket.write(head('Transfer-Encoding: chunked').replace('--x', 'x').split('\r\nx\r\n')[0] ?? '')
    connection.socket.write('\r\n')
    const start = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
    connection.socket.write(chunk(start))
    for (let sent = 0; sent <= LIMIT; sent += 50_000) connection.socket.write(chunk('y'.repeat(50_000)))
    await expect.poll(() => connection.text()).toContain('"code":22')
    expect(connection.text().slice(9, 12)).toBe('413')
    connection.socket.destroy()
    await expect.poll(() => storedFiles().length).toBe(before)
  })

  test('SRV-20 a body whose header names too large a size is refused before it is read', async () => {
    const connection = await dial(server.url)
    connection.socket.write(head(`Content-Length: ${LIMIT * 2}`))
    await expect.poll(() => connection.text()).toContain('"code":22')
    connection.socket.destroy()
  })

  test('SRV-20 a sender in the middle of a far too large body gets the refusal, not a broken connection', async () => {
    const { status, code } = await upload(Buffer.alloc(20 * 1024 * 1024), 'big.bin', 'text/plain')
    expect(status).toBe(413)
    expect(code).toBe(22)
  })

  test('SRV-20 a file of exactly the limit is accepted, one byte more is not', async () => {
    expect((await upload('x'.repeat(LIMIT), 'a.txt', 'text/plain')).status).toBe(201)
    expect((await upload('x'.repeat(LIMIT + 1), 'a.txt', 'text/plain')).code).toBe(22)
  })
})

const row = (user_id: string, at: number, size_bytes: number) => ({
  id: `${user_id === 'full' ? 'f' : 'e'}${at.toString(16).padStart(31, '0')}`,
  name: 'x',
  mime_type: 'text/plain',
  size_bytes,
  user_id,
  cid: 'messaging:files',
  width: null,
  height: null,
  created_at: at,
})

describe('SRV-21 quotas', () => {
  test('SRV-21 the quota of a user is two gigabytes, to the byte', async () => {
    const { db } = server.services
    insertUpload(db, row('full', 1, 2 * 1024 ** 3 - 10))
    expect((await upload('x'.repeat(11), 'a.txt', 'text/plain', 'full')).code).toBe(22)
    expect((await upload('x'.repeat(10), 'a.txt', 'text/plain', 'full')).status).toBe(201)
    expect((await upload('x', 'a.txt', 'text/plain', 'full')).code).toBe(22)
  })

  test('SRV-21 parallel uploads do not pass the quota together', async () => {
    const { db } = server.services
    const before = storedFiles().length
    db.transaction(() => {
      for (let at = 0; at < 19_999; at += 1) insertUpload(db, row('many', at, 1))
    })
    const answers = await Promise.all(Array.from({ length: 5 }, () => upload('x', 'a.txt', 'text/plain', 'many')))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 413, 413, 413, 413])
    expect(storedFiles().length).toBe(before + 1)
  })
})

/** How an upload is served again, or that it was refused. */
async function servedAs(name: string, declared: string, bytes: keyof typeof BYTES): Promise<string> {
  const { status, file, code } = await upload(BYTES[bytes], name, declared)
  if (status !== 201) return status === 400 && code === 4 ? 'refused' : `${status} ${code}`
  const served = await fetch(file)
  await served.arrayBuffer()
  const shown = served.headers.get('content-disposition')?.split(';')[0]
  return `${shown} ${served.headers.get('content-type')}`
}

describe('SRV-22 the type of a file', () => {
  test.each(PAIRS)('SRV-22 %s declared %s with the bytes of %s: %s', async (name, declared, bytes, outcome) => {
    expect(await servedAs(name, declared, bytes)).toBe(outcome)
  })

  test('SRV-22 there are sixty pairs', () => expect(PAIRS.length).toBeGreaterThanOrEqual(60))
})

describe('SRV-23 the five reasons', () => {
  const RULES: readonly [reason: string, uploads: object, name: string, type: string, bytes: keyof typeof BYTES][] = [
    ['size_limit', { size_limit: 5 }, 'a.txt', 'text/plain', 'text'],
    ['allowed_file_extensions', { allowed_file_extensions: ['.png', '.PDF'] }, 'a.txt', 'text/plain', 'text'],
    ['blocked_file_extensions', { blocked_file_extensions: ['.TXT'] }, 'a.txt', 'text/plain', 'text'],
    ['blocked_file_extensions', { blocked_file_extensions: ['.exe'] }, 'a.png.EXE . .', 'text/plain', 'text'],
    ['allowed_mime_types', { allowed_mime_types: ['image/png'] }, 'a.txt', 'text/plain', 'text'],
    ['allowed_mime_types', { allowed_mime_types: ['text/plain'] }, 'a.txt', 'text/plain', 'pdf'],
    ['allowed_mime_types', { allowed_mime_types: ['text/plain'] }, 'a.txt', 'text/plain', 'html'],
    ['blocked_mime_types', { blocked_mime_types: ['Text/Plain'] }, 'a.txt', 'text/plain', 'text'],
    ['blocked_mime_types', { blocked_mime_types: ['application/pdf'] }, 'a.txt', 'text/plain', 'pdf'],
    ['blocked_mime_types', { blocked_mime_types: ['application/zip'] }, 'a.bin', 'application/octet-stream', 'zip'],
    ['blocked_mime_types', { blocked_mime_types: ['application/x-msdownload'] }, 'a.txt', 'text/plain', 'exe'],
    ['blocked_mime_types', { blocked_mime_types: ['audio/mpeg'] }, 'a.mp3', 'audio/mp3', 'mp3'],
  ]
  test.each(RULES)('SRV-23 a file is refused by %s %j', async (reason, uploads, name, type, bytes) => {
    const own = await startTestServer({ uploads })
    await (await own.connect('ann')).close()
    await callAs(own.url, { userId: 'ann' }, queryChannel, room, { body: { data: { members: ['ann'] } } })
    const { exception_fields } = await upload(BYTES[bytes], name, type, 'ann', own.url)
    const left = readdirSync(join(own.folder, 'uploads'), { recursive: true, withFileTypes: true })
    await own.stopAll()
    expect(exception_fields).toEqual({ file: reason })
    expect(left.filter((each) => each.isFile())).toEqual([])
  })
})

test('SRV-24 a server-side upload belongs to its named user, and one without a user is refused', async () => {
  const send = async (user: string | undefined) => {
    const form = new FormData()
    form.append('file', new Blob(['x'], { type: 'text/plain' }), 'a.txt')
    if (user !== undefined) form.append('user', user)
    const path = `${server.url}/channels/messaging/files/file?api_key=${API_KEY}`
    const answer = await fetch(path, {
      method: 'POST',
      headers: { Authorization: createToken({}, SECRET) },
      body: form,
    })
    return [answer.status, codeIn(await answer.text())]
  }
  expect(await send('{"id":"bob"}')).toEqual([201, undefined])
  expect(await send(undefined)).toEqual([400, 4])
  expect(await send('{"id":"../ghost"}')).toEqual([400, 4])
  expect(await send('{')).toEqual([400, 4])
})

describe('SRV-25 path traversal', () => {
  const id = 'a'.repeat(32)
  const WAYS = [
    `/files/../server.db`,
    `/files/..%2fserver.db`,
    `/files/%2e%2e/server.db`,
    `/files/%2e%2e%2fserver.db`,
    `/files/..%252fserver.db`,
    `/files/%252e%252e%252fserver.db`,
    `/files/..\\server.db`,
    `/files/..%5cserver.db`,
    `/files/${id}/../../server.db`,
    `/files/${id}/..%2f..%2fserver.db`,
    `/files/${id}%00.png`,
    `/files/${id}%00/x`,
    `/files/%00`,
    `/files//etc/passwd`,
    `/files/%2fetc%2fpasswd`,
    `/files/\\\\server\\share\\x`,
    `/files/%5c%5cserver%5cshare%5cx`,
    `/files/C:/Windows/win.ini`,
    `/files/file:%2f%2f%2fetc%2fpasswd`,
    `/files/%c0%ae%c0%ae/server.db`,
    `/files/${'A'.repeat(32)}`,
    `/files/incoming/${id}`,
    `/files/aa/aa/${id}`,
    `/files/`,
    `/files`,
    `/uploads/`,
    `/server.db`,
  ]
  test.each(WAYS)('SRV-25 %s names no file', async (path) => {
    writeFileSync(join(server.folder, 'uploads', 'incoming', id), 'draft')
    const { status, text } = await ask(server.url, { path, headers: { Authorization: tokenOf('ann') } })
    expect(status >= 400 && status < 500).toBe(true)
    expect(text.includes('SQLite')).toBe(false)
    expect(text.includes(server.folder)).toBe(false)
  })

  test('SRV-25 a symbolic link among the files leads nowhere: only files with a row are served', async () => {
    symlinkSync(join(server.folder, 'server.db'), join(server.folder, 'uploads', 'link'))
    for (const path of ['/files/link', `/files/${'b'.repeat(32)}/link`]) {
      expect((await ask(server.url, { path })).status).toBe(404)
    }
  })

  test.each(['%2e%2e', '..%2f..', '%ff', '%00', '%zz', 'a%2fb'])(
    'SRV-25 an upload to the channel %s is refused and leaves nothing',
    async (part) => {
      const before = storedFiles().length
      const headers = { Authorization: tokenOf('ann'), 'Content-Type': 'multipart/form-data; boundary=x' }
      for (const path of [`/channels/messaging/${part}/file`, `/channels/${part}/files/file`]) {
        const call = { method: 'POST', path: `${path}?api_key=${API_KEY}&user_id=ann`, headers, body: 'x' }
        const { status } = await ask(server.url, call)
        expect(status >= 400 && status < 500).toBe(true)
      }
      expect(storedFiles().length).toBe(before)
    },
  )
})

test('SRV-26 files are stored under random names in two levels of folders, readable by their owner only', async () => {
  const before = new Set(storedFiles().map(({ name }) => name))
  const { file } = await upload('secret', 'my.txt', 'text/plain')
  const fresh = storedFiles().find(({ name }) => !before.has(name))
  const id = fresh?.name ?? ''
  expect(id).toEqual(expect.stringMatching(/^[a-f0-9]{32}$/))
  expect(fresh?.mode).toBe(0o600)
  expect(fresh?.path.endsWith(join('uploads', id.slice(0, 2), id.slice(2, 4)))).toBe(true)
  expect(statSync(fresh?.path ?? '').mode & 0o777).toBe(0o700)
  expect(file).toContain(`/files/${id}/my.txt`)
})

describe('SRV-27 serving', () => {
  test('SRV-27 the headers contain everything that prevents a file from running', async () => {
    const { file } = await upload(png(2, 3), 'a "b"; c\r\nd.png', 'image/png')
    const { headers } = await fetch(file)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-site',
      'accept-ranges': 'bytes',
    })
    expect(headers.get('content-disposition')).toMatch(/^inline; filename="[^"\r\n]*"; filename\*=UTF-8''[\w.%-]+$/)
    expect(headers.get('set-cookie')).toBeNull()
  })

  test.each([
    ['bytes=0-0', { from: 0, to: 0 }],
    ['bytes=0-999', { from: 0, to: 9 }],
    ['bytes=-999', { from: 0, to: 9 }],
    ['bytes=9-', { from: 9, to: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', 'unsatisfiable'],
    ['bytes=999999999999999-', 'unsatisfiable'],
    ['bytes=9999999999999999-', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,2-3', undefined],
    [`bytes=${Array.from({ length: 500 }, (_each, at) => `${at}-`).join(',')}`, undefined],
    ['items=0-1', undefined],
    ['bytes=a-b', undefined],
    ['bytes= 0-1', undefined],
    [undefined, undefined],
  ])('SRV-27 the range %s of ten bytes is %j', (header, range) => expect(readRange(header, 10)).toEqual(range))

  test('SRV-27 a deleted file is 404, and a row without bytes is not an error of the server', async () => {
    insertUpload(server.services.db, { ...row('bob', 77, 5), id: 'c'.repeat(32) })
    const { status, text } = await ask(server.url, { path: `/files/${'c'.repeat(32)}/x` })
    expect(status).toBe(404)
    expect(codeIn(text)).toBe(16)
  })
})

describe('SRV-28 pictures', () => {
  test.each(PICTURES)('SRV-28 %s: %s', async (_name, outcome, bytes, type) => {
    const { status, code } = await upload(bytes, 'a.bin', type)
    expect([status, code]).toEqual(outcome === 'taken' ? [201, undefined] : [400, 4])
  })
})
