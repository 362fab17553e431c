import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { PATIENCE_MS, replayLine, seedsOf } from '#kit/runs.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import { WIRE_CODES, type WireCodeName, type WireErrorBody } from '#shared/wire/errors.ts'
import { refusal } from '../contract/conformance/shapes-running.ts'
import { faultsOf } from '../contract/conformance/faults.ts'
import { API_KEY, SECRET, startTestServer, tokenOf, type TestServer } from '../contract/kit.ts'
import { leaksIn } from '../fuzz/judge.ts'
import { ask, dial, type RawRequest } from './kit/raw.ts'

/** Every code the server can send: its number, its status and its text. */

const clock = new ManualClock()
let server: TestServer
let logged: string[] = []
beforeAll(async () => {
  server = await startTestServer({
    clock,
    limits: { upload: 1 },
    log: (...line: unknown[]) => void logged.push(JSON.stringify(line)),
  })
  for (const id of ['ann', 'bob', 'eve']) await (await server.connect(id)).close()
  const data = { members: ['ann', 'bob'] }
  await ask(server.url, post('/channels/messaging/room/query', { data }))
  await ask(server.url, post('/channels/messaging/slow/query', { data }))
  await ask(server.url, byServer('PATCH', '/channels/messaging/slow', { set: { cooldown: 30 } }))
  await ask(server.url, byServer('POST', '/channels/messaging/bare/query', { data: { ...data, created_by_id: 'ann' } }))
  const config_overrides = { typing_events: false, reactions: false, replies: false }
  await ask(server.url, byServer('PATCH', '/channels/messaging/bare', { set: { config_overrides } }))
  await ask(server.url, byServer('POST', '/commands', { name: 'ticket', description: 'x' }))
  await ask(server.url, byServer('PUT', '/channeltypes/messaging', { commands: ['giphy', 'ticket'] }))
  await ask(server.url, post('/channels/messaging/room/message', { message: { id: 'm1', text: 'a' } }))
  await ask(server.url, post('/channels/messaging/room/message', { message: { id: 'm2', text: 'b', parent_id: 'm1' } }))
  await ask(server.url, post('/channels/messaging/slow/message', { message: { text: 'a' } }, 'bob'))
  await ask(server.url, byServer('PATCH', '/app', { enforce_unique_usernames: 'app' }))
  await ask(server.url, byServer('POST', '/users', { users: { ann: { id: 'ann', name: 'Only Ann' } } }))
  await ask(server.url, upload())
})
afterAll(() => server.stopAll())

const query = (user: string) => `api_key=${API_KEY}&user_id=${user}`
const JSON_TYPE = { 'Content-Type': 'application/json' }
function post(path: string, body: object | string, user = 'ann'): RawRequest {
  const headers = { Authorization: tokenOf(user), ...JSON_TYPE }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method: 'POST', path: `${path}?${query(user)}`, headers, body: text }
}
const get = (path: string, token = tokenOf('ann'), more = ''): RawRequest => ({
  path: `${path}?${query('ann')}${more}`,
  headers: { Authorization: token },
})
const byServer = (method: string, path: string, body: object): RawRequest => ({
  method,
  path: `${path}?api_key=${API_KEY}`,
  headers: { Authorization: createToken({}, SECRET), ...JSON_TYPE },
  body: JSON.stringify(body),
})
const upload = (): RawRequest => ({
  method: 'POST',
  path: `/channels/messaging/room/file?${query('ann')}`,
  headers: { Authorization: tokenOf('ann'), 'Content-Type': 'multipart/form-data; boundary=x' },
  body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx\r\n--x--\r\n',
})
const message = (channel: string, more: object, user = 'ann') =>
  post(`/channels/messaging/${channel}/message`, { message: { text: 'x', ...more } }, user)
const signed = (claims: object): string => createToken({ userId: 'ann', ...claims }, SECRET)

type Row = readonly [name: WireCodeName, operation: string, request: () => RawRequest, reason: RegExp]
const TABLE: readonly Row[] = [
  ['accessKey', 'GetApp', () => ({ path: '/app?api_key=x' }), /^api_key is not valid$/],
  ['input', 'SendMessage', () => post('/channels/messaging/room/message', '{'), /^the body is not valid JSON$/],
  ['input', 'SendMessage', () => message('room', { id: 'm1' }), /m1/],
  ['authentication', 'GetApp', () => get('/app', tokenOf('bob')), /^user_id does not match the token$/],
  [
    'duplicateUsername',
    'UpdateUsers',
    () => byServer('POST', '/users', { users: { bob: { id: 'bob', name: 'Only Ann' } } }),
    /^the name Only Ann is taken$/,
  ],
  ['rateLimit', 'UploadChannelFile', upload, /^too many calls: wait a little$/],
  ['doesNotExist', 'GetMessage', () => get('/messages/none'), /none/],
  ['doesNotExist', 'SendMessage', () => message('nowhere', {}), /nowhere/],
  ['doesNotExist', 'Request', () => get('/nowhere'), /^\/nowhere is not served here$/],
  [
    'notAllowed',
    'GetOrCreateChannel',
    () => post('/channels/messaging/room/query', {}, 'eve'),
    /^User 'eve' with roles \['user'\] is not allowed to perform action \w+ in scope 'messaging'$/,
  ],
  [
    'eventNotSupported',
    'SendEvent',
    () => post('/channels/messaging/bare/event', { event: { type: 'typing.start' } }),
    /typing/,
  ],
  [
    'featureNotSupported',
    'GetOG',
    () => get('/og', undefined, '&url=https://x.example/'),
    /^link previews are switched off$/,
  ],
  ['messageTooLong', 'SendMessage', () => message('room', { text: 'x'.repeat(5_001) }), /5000 characters$/],
  ['multipleNesting', 'SendMessage', () => message('room', { parent_id: 'm2' }), /^a reply cannot be replied to$/],
  ['payloadTooBig', 'SendMessage', () => message('room', { text: 'x'.repeat(1_100_000) }), /^the body is too big$/],
  ['payloadTooBig', 'SendMessage', () => message('room', { custom: { x: 'x'.repeat(6_000) } }), /5 KB$/],
  ['headerTooBig', 'Request', () => ({ headers: { 'X-Long': 'x'.repeat(20_000) } }), /^the headers are too big$/],
  ['tokenExpired', 'GetApp', () => get('/app', signed({ expiresAtMs: 1_000 })), /^the token has expired$/],
  [
    'tokenBeforeIssued',
    'GetApp',
    () => get('/app', signed({ issuedAtMs: clock.now() + 60_000 })),
    /before it was issued$/,
  ],
  ['tokenSignature', 'GetApp', () => get('/app', 'a.b.c'), /^the token is malformed$/],
  ['customCommandMissing', 'SendMessage', () => message('room', { text: '/ticket x' }), /has no handler$/],
  [
    'connectionIdNotFound',
    'Longpoll',
    () => get('/longpoll', undefined, '&connection_id=x'),
    /^connection id not found$/,
  ],
  [
    'connectionIdNotFound',
    'GetOrCreateChannel',
    () => ({
      ...post('/channels/messaging/room/query', { watch: true }),
      path: `/channels/messaging/room/query?${query('ann')}&connection_id=x`,
    }),
    /connection id/,
  ],
  ['cooldown', 'SendMessage', () => message('slow', {}, 'bob'), /^slow mode: one message every 30 seconds$/],
  ['queryChannelPermissions', 'QueryChannels', () => post('/channels', { filter_conditions: {} }, 'eve'), /./],
]

/** Tested elsewhere: 41 in SRV-06, 23 in SRV-40, 71 in SRV-44, -1 below. */
const ELSEWHERE: readonly WireCodeName[] = ['tokenNotValidYet', 'requestTimeout', 'tooManyConnections', 'internal']

function checkBody(text: string, name: WireCodeName, operation: string, reason: RegExp): void {
  const body = JSON.parse(text) as WireErrorBody
  const { code, status } = WIRE_CODES[name]
  expect(body.code).toEqual(code)
  expect(body.StatusCode).toEqual(status)
  const [, received = ''] = new RegExp(`^${operation} failed with error: "(.*)"$`, 's').exec(body.message) ?? []
  expect(received, body.message).toEqual(expect.stringMatching(reason))
  expect(
    Object.keys(body)
      .filter((key) => key !== 'exception_fields')
      .toSorted(),
  ).toEqual(['StatusCode', 'code', 'details', 'duration', 'message', 'more_info'])
  expect(faultsOf(refusal, body)).toEqual([])
  expect(leaksIn(text)).toEqual([])
}

describe('SRV-60 codes', () => {
  test.each(TABLE)('SRV-60 %s of %s', async (name, operation, request, reason) => {
    const answer = await ask(server.url, request())
    expect(answer.status).toBe(WIRE_CODES[name].status)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    checkBody(answer.text, name, operation, reason)
  })

  test('SRV-60 every code that the source can send has its row', () => {
    const root = join(import.meta.dirname, '../../main/server')
    const source = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => readFileSync(join(root, path), 'utf8'))
      .join('\n')
    const names = Object.keys(WIRE_CODES) as WireCodeName[]
    const sent = names.filter((name) =>
      new RegExp(`(?:refuse|Refusal|badCommand)\\(\\s*'${name}'|code: '${name}'`).test(source),
    )
    const shown = [...ELSEWHERE, ...TABLE.map(([name]) => name), 'tokenSignature']
    expect(sent.filter((name) => !shown.includes(name))).toEqual([])
    const never: readonly WireCodeName[] = ['authenticationFailed', 'wrongRegion', 'appSuspended']
    expect(sent.filter((name) => never.includes(name))).toEqual([])
  })

  test('SRV-60 a fault of the server reveals nothing about its cause, and is logged without content', async () => {
    const { services } = server
    const secret = 'words of a person'
    const { db } = services
    const whole = { ...db }
    Object.assign(db, {
      transaction: () => {
        throw new TypeError(`SQLITE_ERROR: no such table: messages at /work/main/server.db`)
      },
    })
    const answer = await ask(server.url, message('room', { text: secret }))
    Object.assign(db, whole)
    expect(answer.status).toBe(500)
    checkBody(answer.text, 'internal', 'SendMessage', /^the server could not do this$/)
    expect(logged.filter((line) => line.includes('request-failed'))).toHaveLength(1)
    expect(logged.some((line) => line.includes(secret))).toBe(false)
    expect((await ask(server.url, message('room', {}))).status).toBe(201)
  })
})

/** A random generator that a seed repeats. */
function diceOf(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
}

const requestsOnConnection = (): string[] => {
  const line = (method: string, path: string, type: string, body: string) =>
    `${method} ${path}?${query('ann')} HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nAuthorization: ${tokenOf('ann')}\r\n` +
    `Connection: close\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  return [
    line(
      'POST',
      '/channels/messaging/room/message',
      'application/json',
      '{"message":{"text":"hello","parent_id":"m1"}}',
    ),
    line('POST', '/channels', 'application/json', '{"filter_conditions":{"members":{"$in":["ann"]}},"sort":[]}'),
    line('POST', '/channels/messaging/room/file', 'multipart/form-data; boundary=x', String(upload().body)),
    line('GET', '/messages/m1', 'application/json', ''),
    `GET /connect?${query('ann')}&json=%7B%22user_id%22%3A%22ann%22%7D&authorization=${tokenOf('ann')} HTTP/1.1\r\n` +
      `Host: ${new URL(server.url).host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x81\x82\0\0\0\0[]\x81\x8a\0\0\0\0',
  ]
}

/** One to five bytes changed, doubled or left out; sometimes the rest is cut off. */
function spoilt(text: string, random: () => number): Buffer {
  let bytes = Buffer.from(text, 'latin1')
  for (let times = 1 + Math.floor(random() * 5); times > 0; times -= 1) {
    const at = Math.floor(random() * bytes.length)
    const kind = Math.floor(random() * 3)
    const put = kind === 0 ? [Math.floor(random() * 256)] : kind === 1 ? [bytes[at] ?? 0, bytes[at] ?? 0] : []
    bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(put), bytes.subarray(at + 1)])
  }
  return random() < 0.2 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes
}

test(
  'SRV-61 broken requests, uploads and frames get a response of the contract or none, and the server keeps running',
  { timeout: PATIENCE_MS },
  async () => {
    const faults: string[] = []
    const own = await startTestServer({
      limits: { upload: 1e9, failedAuth: 1e9, connect: 1e9 },
      log: (...line) => void (line[0] === 'error' && faults.push(JSON.stringify(line))),
    })
    const texts = requestsOnConnection().map((text) => text.replaceAll(new URL(server.url).host, new URL(own.url).host))
    await (await own.connect('ann')).close()
    await ask(own.url, post('/channels/messaging/room/query', { data: { members: ['ann'] } }))
    for (const [kind, text] of texts.entries()) {
      for (const seed of seedsOf('broken bytes on the wire', { fixed: 15, fresh: 10, long: 5_000, share: 0.005 })) {
        const connection = await dial(own.url)
        connection.socket.end(spoilt(text, diceOf(seed * 10 + kind)))
        await connection.ended
        const said = connection.text()
        const bodies = said.match(/\{"code".*?"details":\[\].*?\}/gs) ?? []
        const replay = `${replayLine('tests/security/server-errors', seed)}, kind ${kind}`
        expect(leaksIn(said), replay).toEqual([])
        expect(
          bodies.flatMap((body) => faultsOf(refusal, JSON.parse(body))),
          replay,
        ).toEqual([])
        expect(said, replay).toMatch(/^(?:$|HTTP\/1\.1 (?:101|[24]\d\d) )/)
      }
    }
    expect((await ask(own.url, {})).status).toBe(200)
    expect(faults.filter((line) => line.includes('error'))).toEqual([])
    expect(own.services.db.pragma('integrity_check')).toBe('ok')
    expect(readdirSync(join(own.folder, 'uploads', 'incoming'))).toEqual([])
    await own.stopAll()
  },
)
