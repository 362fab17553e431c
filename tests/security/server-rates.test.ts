import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ManualClock } from '#kit/manual-clock.ts'
import { classOf, Limits, LOCAL_LIMITS, STRICT_LIMITS, type CallClass } from '#main/server/http/limits.ts'
import { routes } from '#main/server/routes.ts'
import { API_KEY, connectUrl, startTestServer, tokenOf, type TestServer } from '../contract/kit.ts'
import { ask, codeIn, type RawAnswer, type RawRequest } from './kit/raw.ts'

/** Rate limits: exact counts on a manual clock, and headers with the state of the bucket. */

const OPERATION: Readonly<Record<Exclude<CallClass, 'failedAuth' | 'address'>, string>> = {
  send: 'SendMessage',
  reaction: 'SendReaction',
  query: 'QueryChannels',
  event: 'SendEvent',
  poll: 'Longpoll',
  upload: 'UploadChannelFile',
  og: 'GetOG',
  connect: 'Connect',
  join: 'Join',
  other: 'UpdateChannel',
}
const ann = { userId: 'ann', server: false }

describe('SRV-05 counts', () => {
  test.each(Object.entries(OPERATION) as [CallClass, string][])(
    'SRV-05 of %s calls exactly a minute’s worth is allowed, then one more per share of a minute',
    async (kind, operation) => {
      const limit = STRICT_LIMITS[kind]
      const clock = new ManualClock()
      const limits = new Limits(clock, STRICT_LIMITS)
      const rates = Array.from({ length: limit + 1 }, () => limits.take(ann, operation))
      expect(rates.map(({ remaining }) => remaining)).toEqual(
        [...Array(limit).keys(), 0].map((_, at) => Math.max(0, limit - 1 - at)),
      )
      expect(rates.map(({ allowed }) => allowed).filter(Boolean)).toHaveLength(limit)
      const share = 60_000 / limit
      expect(rates.at(-1)?.reset).toBe(Math.ceil((clock.now() + share) / 1_000))
      await clock.advance(share - 1)
      expect(limits.take(ann, operation).allowed).toBe(false)
      await clock.advance(2)
      expect(limits.take(ann, operation).allowed).toBe(true)
      expect(limits.take(ann, operation).allowed).toBe(false)
      await clock.advance(60_000)
      expect(limits.take(ann, operation).remaining).toBe(limit - 1)
    },
  )

  test('SRV-05 users, classes and server tokens have separate buckets', () => {
    const limits = new Limits(new ManualClock(), STRICT_LIMITS)
    for (let calls = 0; calls < 10; calls += 1) limits.take(ann, 'Connect')
    expect(limits.take(ann, 'Connect').allowed).toBe(false)
    expect(limits.take({ userId: 'bob', server: false }, 'Connect').remaining).toBe(9)
    expect(limits.take({ userId: 'ann', server: true }, 'Connect').remaining).toBe(9)
    expect(limits.take(ann, 'SendMessage').remaining).toBe(59)
  })

  test('SRV-05 the defaults are those of the threat model', () => {
    expect(STRICT_LIMITS).toMatchObject({
      send: 60,
      reaction: 120,
      query: 120,
      event: 300,
      upload: 30,
      og: 10,
      connect: 10,
      failedAuth: 10,
    })
    for (const kind of Object.keys(STRICT_LIMITS) as CallClass[]) {
      expect(LOCAL_LIMITS[kind]).toBeGreaterThanOrEqual(STRICT_LIMITS[kind])
    }
  })
})

const JSON_TYPE = { 'Content-Type': 'application/json' }
const who = `api_key=${API_KEY}&user_id=ann`
const signedIn = { Authorization: tokenOf('ann'), ...JSON_TYPE }
const file = (boundary = 'x') => ({
  method: 'POST',
  path: `/channels/messaging/room/file?${who}`,
  headers: { Authorization: tokenOf('ann'), 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  body: `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx\r\n--x--\r\n`,
})
const json = encodeURIComponent('{"user_id":"ann"}')
const WS = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
}
const connect = { path: `/connect?${who}&json=${json}&authorization=${tokenOf('ann')}`, headers: WS }

/** Every kind of response, and the bucket its headers are about. */
const ANSWERS: readonly [name: string, kind: CallClass, request: () => RawRequest, status: number][] = [
  ['a call', 'send', () => post('/channels/messaging/room/message', '{"message":{"text":"x"}}'), 201],
  ['a call that is refused', 'send', () => post('/channels/messaging/none/message', '{"message":{"text":"x"}}'), 404],
  ['a body that is no JSON', 'send', () => post('/channels/messaging/room/message', '{'), 400],
  ['an upload', 'upload', () => file(), 201],
  ['an upload that is refused', 'upload', () => file('y'), 400],
  ['a link', 'og', () => ({ path: `/og?${who}&url=x`, headers: signedIn }), 400],
  ['the start of a long poll', 'connect', () => ({ path: `/longpoll?${who}&json=${json}`, headers: signedIn }), 200],
  ['an unknown long poll', 'poll', () => ({ path: `/longpoll?${who}&connection_id=x`, headers: signedIn }), 400],
  ['a websocket', 'connect', () => connect, 101],
  ['a websocket that is none', 'connect', () => ({ ...connect, headers: { ...WS, 'Sec-WebSocket-Key': 'x' } }), 400],
  ['a websocket elsewhere', 'address', () => ({ ...connect, path: '/other' }), 404],
  ['a websocket refused by its token', 'failedAuth', () => ({ ...connect, path: `/connect?${who}&json=${json}` }), 101],
  ['what needs no token', 'address', () => ({ path: '/hi' }), 200],
  ['a file that is not there', 'address', () => ({ path: `/files/${'0'.repeat(32)}` }), 404],
  ['a drawn picture', 'address', () => ({ path: '/files/giphy/0123456789ab.gif' }), 200],
  ['an unknown path', 'address', () => ({ path: '/nowhere' }), 404],
  ['a wrong host', 'address', () => ({ headers: { Host: 'evil.example' } }), 421],
  ['a wrong origin', 'address', () => ({ headers: { Origin: 'http://evil.example' } }), 403],
  [
    'an allowed page that asks first',
    'address',
    () => ({ method: 'OPTIONS', headers: { Origin: 'http://friend.test' } }),
    204,
  ],
  ['a refused sign-in', 'failedAuth', () => ({ path: `/app?${who}`, headers: { Authorization: 'x.y.z' } }), 401],
  [
    'a refused upload',
    'failedAuth',
    () => ({ ...file(), headers: { 'Content-Type': 'multipart/form-data; boundary=x' } }),
    401,
  ],
  [
    'a body too big',
    'address',
    () => ({ ...post('/channels', ''), headers: { ...signedIn, 'Content-Length': '9999999' } }),
    413,
  ],
  ['headers too big', 'address', () => ({ headers: { 'X-Long': 'x'.repeat(20_000) } }), 431],
]
function post(path: string, body: string): RawRequest {
  return { method: 'POST', path: `${path}?${who}`, headers: signedIn, body }
}

const LIMITS = { ...STRICT_LIMITS, send: 7, upload: 8, og: 9, connect: 11, poll: 12, failedAuth: 13, address: 90 }
const rateOf = ({ headers }: RawAnswer) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers[`x-ratelimit-${name}`] ?? Number.NaN))

describe('SRV-05 headers', () => {
  let server: TestServer
  let clock: ManualClock
  beforeEach(async () => {
    clock = new ManualClock()
    server = await startTestServer({ clock, limits: LIMITS, allowedOrigins: ['http://friend.test'] })
    const body = '{"data":{"members":["ann"]}}'
    await ask(server.url, { path: `/longpoll?${who}&json=${json}`, headers: signedIn })
    await ask(server.url, post('/channels/messaging/room/query', body))
    await clock.advance(60_000)
    return () => server.stopAll()
  })

  test('SRV-05 every response has the true state of its bucket', async () => {
    for (const [name, kind, request, status] of ANSWERS) {
      await clock.advance(60_000)
      const first = await ask(server.url, request())
      const second = await ask(server.url, request())
      const limit = LIMITS[kind]
      const [seconds] = [Math.floor(clock.now() / 1_000)]
      const [l1, r1, at1 = 0] = rateOf(first)
      expect(first.status, name).toEqual(status)
      expect(l1, name).toEqual(limit)
      expect(r1, name).toEqual(limit - 1)
      expect([second.status, ...rateOf(second).slice(0, 2)], name).toEqual([status, limit, limit - 2])
      expect(at1 > seconds && at1 <= seconds + 61, name).toBe(true)
    }
  })

  test('SRV-05 calls over the limit are refused with 9 and how long to wait, over every transport', async () => {
    const kinds: [CallClass, () => RawRequest][] = [
      ['send', () => post('/channels/messaging/room/message', '{"message":{"text":"x"}}')],
      ['upload', () => file()],
      ['og', () => ({ path: `/og?${who}&url=x`, headers: signedIn })],
      ['poll', () => ({ path: `/longpoll?${who}&connection_id=x`, headers: signedIn })],
      ['connect', () => ({ path: `/longpoll?${who}&json=${json}`, headers: signedIn })],
    ]
    for (const [kind, request] of kinds) {
      await clock.advance(120_000)
      const codes: (number | undefined)[] = []
      for (let calls = 0; calls < LIMITS[kind]; calls += 1) codes.push(codeIn((await ask(server.url, request())).text))
      const refused = await ask(server.url, request())
      expect(codes.includes(9), kind).toBe(false)
      expect(refused.status, kind).toBe(429)
      expect(codeIn(refused.text), kind).toBe(9)
      expect(Number(refused.headers['retry-after'])).toBe(Math.ceil(60 / LIMITS[kind]))
    }
    const refused = await ask(server.url, connect)
    expect(refused.status).toBe(429)
    expect(codeIn(refused.text)).toBe(9)
  })

  test('SRV-05 an address that calls without end is refused before its caller is checked', async () => {
    for (let calls = 0; calls < LIMITS.address; calls += 1) await ask(server.url, {})
    const answers = await Promise.all([
      ask(server.url, {}),
      ask(server.url, post('/channels', '{}')),
      ask(server.url, connect),
    ])
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 429])
  })

  test('SRV-05 too many refused sign-ins lock signing in for exactly a minute, over all transports', async () => {
    const wrong = () => ask(server.url, { path: `/app?${who}`, headers: { Authorization: 'x.y.z' } })
    const right = () => ask(server.url, { path: `/app?${who}`, headers: signedIn })
    for (let tries = 1; tries < LIMITS.failedAuth; tries += 1) expect((await wrong()).status).toBe(401)
    expect((await right()).status).toBe(200)
    const socket = new WebSocket(connectUrl(server.url, 'ann', { token: 'x.y.z' }))
    await new Promise((resolve) => socket.once('close', resolve))
    const answers = [
      await wrong(),
      await right(),
      await ask(server.url, {}),
      await ask(server.url, file()),
      await ask(server.url, connect),
    ]
    expect(answers.map(({ status, text }) => [status, codeIn(text)])).toEqual(answers.map(() => [429, 9]))
    expect(rateOf(answers[1] as RawAnswer).slice(0, 2)).toEqual([LIMITS.failedAuth, 0])
    await clock.advance(59_999)
    expect((await right()).status).toBe(429)
    await clock.advance(1)
    expect((await right()).status).toBe(200)
    expect((await wrong()).status).toBe(401)
  })
})

describe('SRV-05 every operation', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ clock: new ManualClock() })
  })
  afterAll(() => server.stopAll())

  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'SRV-05 %s has the headers of its class',
    async (_name, { method, path, operation, open }) => {
      const target = `${path.replaceAll(/:\w+/g, 'none')}?${who}`
      const answer = await ask(server.url, {
        method,
        path: target,
        headers: signedIn,
        body: method === 'GET' || method === 'DELETE' ? '' : '{}',
      })
      const [limit = 0, remaining = 0, reset = 0] = rateOf(answer)
      expect(limit).toEqual(LOCAL_LIMITS[open ? 'address' : classOf(operation)])
      expect(remaining).toBeLessThan(limit)
      expect(reset).toBeGreaterThan(0)
    },
  )
})
