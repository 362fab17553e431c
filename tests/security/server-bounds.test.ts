import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { request as httpRequest, Agent } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ManualClock } from '#kit/manual-clock.ts'
import { queryChannel } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import { API_KEY, callAs, connectUrl, startTestServer, tokenOf, type TestServer } from '../contract/kit.ts'
import { ask, codeIn, dial, speak } from './kit/raw.ts'

/** The limits of everything the server accepts, and what happens above them. */

const room = { type: 'messaging', id: 'room' }
const who = `api_key=${API_KEY}&user_id=ann`
const signedIn = { Authorization: tokenOf('ann'), 'Content-Type': 'application/json' }
const clock = new ManualClock()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock })
  for (const id of ['ann', 'bob']) await (await server.connect(id)).close()
  await callAs(server.url, { userId: 'ann' }, queryChannel, room, { body: { data: { members: ['ann', 'bob'] } } })
})
afterAll(() => server.stopAll())

const host = () => `Host: ${new URL(server.url).host}\r\n`
const post = (path: string, body: string) =>
  ask(server.url, { method: 'POST', path: `${path}?${who}`, headers: signedIn, body })

describe('SRV-40 headers and time', () => {
  test('SRV-40 headers over 16 KB are refused with 24 and the connection is closed', async () => {
    const line = (size: number) => `X-Long: ${'x'.repeat(size)}\r\n`
    const over = await speak(server.url, `GET /hi HTTP/1.1\r\n${host()}${line(17_000)}\r\n`)
    expect(over.slice(9, 12)).toBe('431')
    expect(codeIn(over.split('\r\n\r\n')[1] ?? '')).toBe(24)
    expect(over).toMatch(/Connection: close/)
    const under = await speak(server.url, `GET /hi HTTP/1.1\r\n${host()}Connection: close\r\n${line(15_000)}\r\n`)
    expect(under.slice(9, 12)).toBe('200')
    const many = Array.from({ length: 3_000 }, (_each, at) => `x${at}: y\r\n`).join('')
    expect((await speak(server.url, `GET /hi HTTP/1.1\r\n${host()}${many}\r\n`)).slice(9, 12)).toBe('431')
  })

  test.each([
    ['no HTTP at all', '\u0000\u0001\u0002 hello\r\n\r\n'],
    ['two lengths', 'POST /channels HTTP/1.1\r\n{host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx'],
    [
      'a length and chunks',
      'POST /channels HTTP/1.1\r\n{host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a length below nothing', 'POST /channels HTTP/1.1\r\n{host}Content-Length: -1\r\n\r\n'],
    ['chunks with a space', 'POST /channels HTTP/1.1\r\n{host}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
    ['chunks of another kind', 'POST /channels HTTP/1.1\r\n{host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a header broken over two lines', 'GET /hi HTTP/1.1\r\n{host}X-A: b\r\n c\r\n\r\n'],
    ['a bare line feed', 'GET /hi HTTP/1.1\n{host}X-A: b\rc\r\n\r\n'],
    ['another version', 'GET /hi HTTP/9.9\r\n{host}\r\n'],
  ])('SRV-40 %s is refused and the connection is closed: no second request hides in the first', async (_name, text) => {
    const answer = await speak(server.url, text.replace('{host}', host()))
    // Closed without a response, or refused with one.
    expect(answer).toMatch(/^(?:HTTP\/1\.1 4\d\d [^]*)?$/)
    expect(answer.split('HTTP/1.1 ').length).toBeLessThanOrEqual(2)
  })

  test('SRV-40 a body that takes longer than half a minute gets 23', async () => {
    const connection = await dial(server.url)
    connection.socket.write(`POST /channels?${who} HTTP/1.1\r\n${host()}Authorization: ${tokenOf('ann')}\r\n`)
    connection.socket.write('Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{')
    await expect.poll(() => clock.pending).toBeGreaterThan(0)
    await bodyIsAwaited()
    await clock.advance(29_999)
    expect(connection.text()).toBe('')
    await clock.advance(1)
    await expect.poll(() => connection.text()).toContain('"code":23')
    expect(connection.text().slice(9, 12)).toBe('408')
    await clock.advance(5_000)
    await connection.ended
  })

  test('SRV-40 the rest of a refused body is discarded for five seconds, then the connection is closed', async () => {
    const connection = await dial(server.url)
    connection.socket.write(
      `POST /channels?${who} HTTP/1.1\r\n${host()}Authorization: x\r\nContent-Length: 900000\r\n\r\n`,
    )
    await expect.poll(() => connection.text()).toContain('"code":43')
    connection.socket.write('x'.repeat(100_000))
    await clock.advance(4_999)
    expect(connection.socket.destroyed).toBe(false)
    await clock.advance(1)
    // Some turns of the event loop, and far less than Node's own timeout for an idle connection.
    for (let turn = 0; turn < 50 && !connection.socket.destroyed; turn += 1) await ask(server.url, {})
    expect(connection.socket.destroyed).toBe(true)
  })

  /** Node's own timers run on real time, so only their values are checked. */
  test('SRV-40 headers have ten seconds and a connection a thousand requests', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const last = { connection: '', local: 0 }
    const locals = new Set<number>()
    for (let at = 0; at < 1_001; at += 1) {
      await new Promise<void>((resolve, reject) => {
        const request = httpRequest(`${server.url}/hi`, { agent }, (response) => {
          if (at === 999) last.connection = response.headers.connection ?? ''
          locals.add(response.socket.localPort ?? 0)
          response.resume().on('end', resolve)
        })
        request.on('error', reject).end()
      })
    }
    agent.destroy()
    expect(last.connection).toBe('close')
    expect(locals.size).toBe(2)
  })
})

/** The server has begun to read the body: its timer runs. */
async function bodyIsAwaited(): Promise<void> {
  await ask(server.url, {})
}

const nested = (depth: number, inner = '1') => `${'{"a":'.repeat(depth)}${inner}${'}'.repeat(depth)}`
const listed = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
const keys = (count: number) => `{"a":{${Array.from({ length: count }, (_each, at) => `"k${at}":1`).join(',')}}}`
const items = (count: number) => `{"a":[${'1,'.repeat(count - 1)}1]}`

describe('SRV-41 JSON', () => {
  test.each([
    ['32 levels', nested(32), undefined],
    ['33 levels', nested(33, '{}'), 4],
    ['31 lists', listed(31), undefined],
    ['32 lists', listed(32), 4],
    ['half a million lists', listed(500_000).slice(0, 1_000_000), 4],
    ['1,000 keys', keys(1_000), undefined],
    ['1,001 keys', keys(1_001), 4],
    ['10,000 items', items(10_000), undefined],
    ['10,001 items', items(10_001), 4],
    ['a key twice', '{"a":1,"a":2}', 4],
    ['a key twice, once escaped', '{"a":1,"\\u0061":2}', 4],
    ['a key twice further in', '{"x":[{"b":{"c":1,"c":1}}]}', 4],
    ['a key twice with spaces', '{"a" : 1 , "a"\n: 2}', 4],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}', 4],
    ['the same key in two objects', '{"a":{"b":1},"c":{"b":1}}', undefined],
    ['a value like a key', '{"a":"a","b":"a"}', undefined],
    ['quotes and braces in texts', '{"a":"\\"b\\":{","b":"}\\\\"}', undefined],
    ['a list at the top', '[]', 4],
    ['a text at the top', '"x"', 4],
    ['null at the top', 'null', 4],
    ['a comma too many', '{"a":1,}', 4],
    ['a comment', '{/**/}', 4],
    ['two bodies', '{}{}', 4],
    ['bytes that are no JSON', '\u0000', 4],
    ['nothing', '', undefined],
    ['a megabyte', `{"a":"${'x'.repeat(1024 * 1024 - 8)}"}`, undefined],
    ['a megabyte and a byte', `{"a":"${'x'.repeat(1024 * 1024 - 7)}"}`, 22],
  ])('SRV-41 a body of %s gets the right response', async (_name, body, code) => {
    expect(codeIn((await post('/channels', body)).text)).toBe(code)
  })

  test('SRV-41 JSON in the address has the same limits', async () => {
    const read = async (value: string) => {
      const { text } = await ask(server.url, {
        path: `/users?${who}&payload=${encodeURIComponent(value)}`,
        headers: signedIn,
      })
      return codeIn(text)
    }
    expect(await read('{"filter_conditions":{}}')).toBeUndefined()
    expect(await read('{"filter_conditions":{},"filter_conditions":{}}')).toBe(4)
    expect(await read(nested(33, '{}'))).toBe(4)
    expect(await read('{')).toBe(4)
  })

  test('SRV-41 names like __proto__ and constructor are names like any other', async () => {
    const answer = await post(
      '/channels/messaging/room/message',
      '{"message":{"text":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    )
    expect(answer.status).toBe(201)
    expect((JSON.parse(answer.text) as { message: { text: string } }).message.text).toBe('x')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    const odd = await ask(server.url, {
      path: `/app?${who}&constructor=1&__proto__={"user_id":"bob"}`,
      headers: signedIn,
    })
    expect(odd.status).toBe(200)
  })
})

const many = (count: number) => Array.from({ length: count }, (_each, at) => `messaging:c${at}`)
const all = (count: number) => ({ $and: Array.from({ length: count }, () => ({ type: 'messaging' })) })
const deep = (levels: number): object => (levels === 1 ? { type: 'messaging' } : { $and: [deep(levels - 1)] })

describe('SRV-42 texts and filters', () => {
  test('SRV-42 a text over the limit of its channel is refused with 20, sent and edited', async () => {
    const send = async (text: string) =>
      codeIn((await post('/channels/messaging/room/message', JSON.stringify({ message: { text } }))).text)
    expect(await send('x'.repeat(5_000))).toBeUndefined()
    expect(await send('x'.repeat(5_001))).toBe(20)
    expect(await send('x'.repeat(900_000))).toBe(20)
    const sent = await callAs(server.url, { userId: 'ann' }, sendMessage, room, { body: { message: { text: 'x' } } })
    const edited = await post(
      `/messages/${sent.body.message.id}`,
      JSON.stringify({ message: { text: 'x'.repeat(5_001) } }),
    )
    expect(codeIn(edited.text)).toBe(20)
  })

  test('SRV-42 a reply to a reply is refused with 21', async () => {
    const send = (message: object) => callAs(server.url, { userId: 'ann' }, sendMessage, room, { body: { message } })
    const parent = (await send({ text: 'a' })).body.message.id
    const reply = (await send({ text: 'b', parent_id: parent })).body.message.id
    expect((await send({ text: 'c', parent_id: reply })).body.code).toBe(21)
  })

  test.each([
    ['ten levels', deep(10), undefined],
    ['eleven levels', deep(11), 4],
    ['49 conditions', all(49), undefined],
    ['50 conditions, which are 100 nodes', all(50), 4],
    ['a list of 255', { cid: { $in: many(255) } }, undefined],
    ['a list of 256', { cid: { $in: many(256) } }, 4],
    ['an unknown operator', { type: { $regex: '(a+)+$' } }, 4],
    ['an unknown logic', { $where: 'sleep(1)' }, 4],
    ['an unknown operator that is a property', { type: { constructor: 'x' } }, 4],
  ])('SRV-42 a filter of %s gets the right response', async (_name, filter, code) => {
    const answer = await post(
      '/channels',
      JSON.stringify({ filter_conditions: { members: { $in: ['ann'] }, ...filter } }),
    )
    expect(codeIn(answer.text)).toBe(code)
  })

  test('SRV-42 more than five sorts, or one by an unknown field, are refused', async () => {
    const sorted = async (fields: string[]) => {
      const sort = fields.map((field) => ({ field, direction: 1 }))
      return codeIn(
        (await post('/channels', JSON.stringify({ filter_conditions: { members: { $in: ['ann'] } }, sort }))).text,
      )
    }
    const six = ['last_updated', 'created_at', 'updated_at', 'member_count', 'name', 'cid']
    expect(await sorted(six.slice(1))).toBeUndefined()
    expect(await sorted(six)).toBe(4)
    expect(await sorted(['1; DROP TABLE users'])).toBe(4)
  })
})

test('SRV-43 an upload slower than 8 KB/s over half a minute is cut off and leaves nothing', async () => {
  const incoming = join(server.folder, 'uploads', 'incoming')
  const connection = await dial(server.url)
  connection.socket.write(
    `POST /channels/messaging/room/file?${who} HTTP/1.1\r\n${host()}Authorization: ${tokenOf('ann')}\r\n`,
  )
  connection.socket.write('Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n')
  const chunk = (text: string) => connection.socket.write(`${text.length.toString(16)}\r\n${text}\r\n`)
  chunk('--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n')
  const arrived = (): number =>
    readdirSync(incoming).reduce((sum, name) => sum + statSync(join(incoming, name)).size, 0)
  chunk('y'.repeat(500 * 1024))
  await expect.poll(arrived).toBe(500 * 1024)
  await clock.advance(30_000)
  chunk('y'.repeat(100 * 1024))
  await expect.poll(arrived).toBe(600 * 1024)
  expect(connection.socket.destroyed).toBe(false)
  await clock.advance(30_000)
  await connection.ended
  expect(connection.text()).toBe('')
  await expect.poll(() => readdirSync(incoming)).toEqual([])
  expect(server.services.db.get<{ n: number }>('SELECT count(*) n FROM uploads')?.n).toBe(0)
})

const opened = (url: string) =>
  new Promise<{ socket: WebSocket; code: Promise<number> }>((resolve) => {
    const socket = new WebSocket(url)
    const code = new Promise<number>((done) => socket.once('close', done))
    socket.once('message', () => resolve({ socket, code }))
  })
const refusedWith = (url: string) =>
  new Promise<number>((resolve) => {
    const socket = new WebSocket(url)
    socket.once('message', (data) =>
      resolve((JSON.parse((data as Buffer).toString()) as { error: { code: number } }).error.code),
    )
  })

test('SRV-44 ten connections of one user and 256 in all are accepted, the next is refused with 71', async () => {
  const own = await startTestServer()
  try {
    for (let person = 0; person < 25; person += 1) {
      for (let n = 0; n < 10; n += 1) await opened(connectUrl(own.url, `p${person}`))
    }
    expect(await refusedWith(connectUrl(own.url, 'p0'))).toBe(71)
    for (let n = 0; n < 6; n += 1) await opened(connectUrl(own.url, 'last'))
    expect(own.services.hub.size).toBe(256)
    expect(await refusedWith(connectUrl(own.url, 'fresh'))).toBe(71)
    const json = encodeURIComponent('{"user_id":"fresh"}')
    const path = `/longpoll?api_key=${API_KEY}&user_id=fresh&json=${json}`
    const poll = await ask(own.url, { path, headers: { Authorization: tokenOf('fresh') } })
    expect(poll.status).toBe(429)
    expect(codeIn(poll.text)).toBe(71)
  } finally {
    await own.stopAll()
  }
})

/** A masked frame, made by hand: libraries send no invalid ones. */
function frame(opcode: number, final: boolean, payload: Buffer, masked = true): Buffer {
  const size = payload.length
  const length = size < 126 ? Buffer.from([size]) : Buffer.from([126, size >> 8, size & 255])
  length[0] = (length[0] ?? 0) | (masked ? 0x80 : 0)
  return Buffer.concat([Buffer.from([(final ? 0x80 : 0) | opcode]), length, Buffer.alloc(masked ? 4 : 0), payload])
}
const PING = Buffer.from('[{"type":"health.check"}]')

/** The close code after these bytes; undefined while the socket stays open and responds to pings. */
async function closesWith(bytes: Buffer): Promise<number | undefined> {
  const { socket, code } = await opened(connectUrl(server.url, 'bob'))
  const raw = (socket as unknown as { _socket: { write: (bytes: Buffer) => void } })._socket
  const pong = new Promise<undefined>((resolve) => socket.once('message', () => resolve(undefined)))
  raw.write(bytes)
  const first = await Promise.race([code, pong])
  socket.terminate()
  await code
  return first
}

describe('SRV-45 frames', () => {
  const parts = (count: number) =>
    Buffer.concat(
      Array.from({ length: count }, (_each, at) =>
        frame(at === 0 ? 1 : 0, at === count - 1, at === 0 ? PING : Buffer.from(' ')),
      ),
    )
  const wide = Buffer.alloc(65_535, 0x20)
  test.each<[string, number | undefined, Buffer]>([
    ['a ping', undefined, frame(1, true, PING)],
    ['64 KB of nothing and a ping', undefined, Buffer.concat([frame(1, true, wide), frame(1, true, PING)])],
    ['a message of more than 64 KB in parts', 1009, Buffer.concat([frame(1, false, wide), frame(0, true, wide)])],
    ['a ping in 64 parts', undefined, parts(64)],
    ['a ping in 66 parts', 1009, parts(66)],
    ['bytes that are no UTF-8', 1007, frame(1, true, Buffer.from([0xff, 0xfe]))],
    ['a frame without a mask', 1002, frame(1, true, PING, false)],
    ['an unknown kind of frame', 1002, frame(3, true, PING)],
    ['a part of nothing', 1002, frame(0, true, PING)],
    ['a control frame in parts', 1002, frame(9, false, Buffer.from('x'))],
    ['compression nobody agreed to', 1002, Buffer.concat([Buffer.from([0xc1]), frame(1, true, PING).subarray(1)])],
    [
      'text that is not a ping, then a ping',
      undefined,
      Buffer.concat([frame(1, true, Buffer.from('{"type":"message.new"}')), frame(1, true, PING)]),
    ],
    [
      'nonsense, then a ping',
      undefined,
      Buffer.concat([frame(1, true, Buffer.from('{{{')), frame(2, true, Buffer.from([0, 1])), frame(1, true, PING)]),
    ],
  ])('SRV-45 after %s the connection closes with %s', async (_name, code, bytes) => {
    expect(await closesWith(bytes)).toBe(code)
  })

  test('SRV-45 compression is not negotiated', async () => {
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': createHash('md5').update('x').digest('base64'),
      'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits',
    }
    const url = new URL(connectUrl(server.url, 'bob'))
    const answer = await ask(server.url, { path: url.pathname + url.search, headers })
    expect(answer.status).toBe(101)
    expect(answer.headers['sec-websocket-extensions']).toBeUndefined()
  })
})
