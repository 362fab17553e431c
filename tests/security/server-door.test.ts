import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ManualClock } from '#kit/manual-clock.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import { routes } from '#main/server/routes.ts'
import { API_KEY, connectUrl, frameText, SECRET, startTestServer, tokenOf, type TestServer } from '../contract/kit.ts'
import { makeMatrixWorld, SAMPLES } from '../contract/matrix.ts'
import { ask, codeIn, speak, type RawRequest } from './kit/raw.ts'

/** Which callers get in, and from where. */

let server: TestServer
const clock = new ManualClock()
const written: string[] = []
beforeAll(async () => {
  server = await startTestServer({
    clock,
    allowedOrigins: ['http://friend.test'],
    log: (...line: unknown[]) => void written.push(JSON.stringify(line)),
  })
  for (const id of ['ann', 'old', 'gone']) await (await server.connect(id)).close()
  const byServer = { Authorization: createToken({}, SECRET), 'Content-Type': 'application/json' }
  const now = new Date(clock.now()).toISOString()
  await ask(server.url, {
    method: 'PATCH',
    path: `/users?api_key=${API_KEY}`,
    headers: byServer,
    body: JSON.stringify({ users: [{ id: 'old', set: { revoke_tokens_issued_before: now } }] }),
  })
  const path = `/users/gone/deactivate?api_key=${API_KEY}`
  await ask(server.url, { method: 'POST', path, headers: byServer, body: '{}' })
})
afterAll(() => server.stopAll())

const JSON_TYPE = { 'Content-Type': 'application/json' }
const CALL = `/channels?api_key=${API_KEY}&user_id=ann`
const signedIn = (type: Record<string, string> = JSON_TYPE) => ({ Authorization: tokenOf('ann'), ...type })
const usersNow = (): number => server.services.db.get<{ n: number }>('SELECT count(*) n FROM users')?.n ?? 0

describe('SRV-03 hosts, origins and types', () => {
  test.each([
    'evil.example',
    '127.0.0.1',
    'localhost',
    '127.0.0.1:1',
    'LOCALHOST:{port}',
    '[::1]:{port}',
    '0.0.0.0:{port}',
    '127.0.0.1:{port}.evil.example',
    'evil.example:{port}',
    '127.0.0.1:{port}@evil.example',
  ])('SRV-03 the host "%s" is not served', async (host) => {
    const headers = { ...signedIn(), Host: host.replace('{port}', new URL(server.url).port) }
    const { status, text } = await ask(server.url, { path: CALL, method: 'POST', headers, body: '{}' })
    expect(status).toBe(421)
    expect(codeIn(text)).toBe(17)
  })

  test('SRV-03 a request without a host is not served', async () => {
    const old = await speak(server.url, 'GET /hi HTTP/1.0\r\n\r\n')
    const fresh = await speak(server.url, 'GET /hi HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(old.slice(9, 12)).toBe('421')
    expect(fresh.slice(9, 12)).toBe('400')
  })

  test('SRV-03 of two hosts neither is served, and no websocket is opened', async () => {
    const { port } = new URL(server.url)
    const hosts = `Host: 127.0.0.1:${port}\r\nHost: evil.example\r\n`
    const answer = await speak(server.url, `GET /hi HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)
    const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${btoa('x'.repeat(16))}\r\n`
    const { pathname, search } = new URL(connectUrl(server.url, 'ann'))
    const opened = await speak(server.url, `GET ${pathname}${search} HTTP/1.1\r\n${hosts}${upgrade}\r\n`)
    expect(answer.slice(9, 12)).toBe('421')
    expect(opened.slice(9, 12)).toBe('421')
  })

  const ORIGINS = [
    'http://evil.example',
    'https://friend.test',
    'http://friend.test:81',
    'http://friend.test/',
    'HTTP://FRIEND.TEST',
    'http://friend.test.evil.example',
    'http://evil.example/http://friend.test',
    'null',
    'file://',
    'http://127.0.0.1',
    'http://localhost:5173',
    'app://parlor',
    'chrome-extension://abc',
    '*',
  ]
  test.each(ORIGINS)('SRV-03 the origin %s is refused before anything is done', async (origin) => {
    const before = usersNow()
    const Origin = origin
    const calls: RawRequest[] = [
      { path: CALL, method: 'POST', headers: { ...signedIn(), Origin }, body: '{}' },
      { path: '/hi', headers: { Origin } },
      { path: `/files/${'0'.repeat(32)}/x`, headers: { Origin } },
      { path: '/hi', method: 'OPTIONS', headers: { Origin, 'Access-Control-Request-Method': 'POST' } },
      { path: `/longpoll?api_key=${API_KEY}&json={"user_id":"new"}`, headers: { Origin } },
    ]
    for (const call of calls) {
      const { status, headers } = await ask(server.url, call)
      expect(status).toBe(403)
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
    const refused = new WebSocket(connectUrl(server.url, 'new'), { headers: { Origin } })
    const answer = await new Promise((resolve) => refused.once('error', (error) => resolve(error.message)))
    expect(answer).toBe('Unexpected server response: 403')
    expect(usersNow()).toEqual(before)
  })

  test('SRV-03 an allowed origin is named in the response, never a wildcard', async () => {
    const headers = { ...signedIn(), Origin: 'http://friend.test' }
    const answer = await ask(server.url, { path: CALL, method: 'POST', headers, body: '{}' })
    expect(answer.status).toBe(201)
    expect(answer.headers['access-control-allow-origin']).toBe('http://friend.test')
    expect(answer.headers['vary']).toBe('Origin')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    const native = await ask(server.url, { path: CALL, method: 'POST', headers: signedIn(), body: '{}' })
    expect(native.status).toBe(201)
    expect(native.headers['access-control-allow-origin']).toBeUndefined()
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-seq',
    'application/jsonp',
    'application/x-json',
    'text/json',
    'text/plain; a=application/json',
  ])('SRV-03 a body of type %s, as a page can post it, is refused', async (type) => {
    const body = '{"users":{"ann":{"id":"ann","name":"taken"}}}'
    const path = `/users?api_key=${API_KEY}&user_id=ann`
    const answer = await ask(server.url, { path, method: 'POST', headers: signedIn({ 'Content-Type': type }), body })
    expect(answer.status).toBe(400)
    expect(codeIn(answer.text)).toBe(4)
    expect(server.services.db.get<{ name: string }>("SELECT name FROM users WHERE id = 'ann'")?.name).not.toBe('taken')
  })

  test('SRV-03 no response can be read as another type, framed, or reveal the referrer', async () => {
    for (const path of ['/hi', '/nowhere', CALL]) {
      expect((await ask(server.url, { path })).headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
    }
  })

  test('SRV-03 no call by GET changes anything', () => {
    const world = makeMatrixWorld()
    // What was written to make the world, and waits for the index: not of these calls.
    world.services.db.words.flush()
    const changed: string[] = []
    const count = () => world.services.db.get<{ n: number }>('SELECT total_changes() n')?.n
    const reading = routes.filter(({ method }) => method === 'GET')
    for (const route of reading) {
      for (const userId of ['member', 'admin', '']) {
        const before = count()
        const asker = userId === '' ? ({ userId, kind: 'server' } as const) : { userId }
        world.call(route, asker, { params: { type: 'messaging', id: 'one' }, ...SAMPLES[route.operation] })
        if (count() !== before) changed.push(route.operation)
      }
    }
    world.close()
    expect(changed).toEqual([])
    expect(reading.length).toBeGreaterThan(20)
  })

  test('SRV-03 no line of the log contains a token, a key or a query', async () => {
    await ask(server.url, {
      path: `${CALL}&authorization=${tokenOf('ann')}`,
      method: 'POST',
      headers: JSON_TYPE,
      body: '{',
    })
    await ask(server.url, { path: `/nowhere?api_key=${API_KEY}&secret-words=1`, headers: signedIn() })
    await ask(server.url, { path: `/hi?x=%ff`, headers: { Authorization: 'wrong.token.here' } })
    await (await server.connect('ann')).close()
    const text = written.join('\n')
    for (const secret of [tokenOf('ann'), API_KEY, SECRET, 'secret-words', 'eyJ', 'wrong.token']) {
      expect(text.includes(secret)).toBe(false)
    }
  })
})

const resign = (text: string): string => `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`
const seconds = (from: number) => Math.floor(clock.now() / 1_000) + from
const signed = (claims: object): string => {
  const given = claims as { userId?: string; expiresAtMs?: number; issuedAtMs?: number }
  return createToken({ userId: 'ann', ...given }, SECRET)
}
const other = (name: string, value: number) => {
  // makeToken writes no `nbf`: the claim is added by signing again.
  const [head = '', body = ''] = signed({}).split('.')
  const claims = { ...(JSON.parse(Buffer.from(body, 'base64url').toString()) as object), [name]: value }
  return resign(`${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`)
}

const SIGN_INS: readonly [name: string, code: number, status: number, given: () => Given][] = [
  ['no key', 2, 401, () => ({ key: '' })],
  ['another key', 2, 401, () => ({ key: 'other' })],
  ['no token', 5, 401, () => ({ token: '' })],
  ['the word undefined for a token', 5, 401, () => ({ token: 'undefined' })],
  ['nonsense for a token', 43, 401, () => ({ token: 'a.b.c' })],
  ['another secret', 43, 401, () => ({ token: createToken({ userId: 'ann' }, 'another-secret') })],
  ['a token that ended', 40, 401, () => ({ token: signed({ expiresAtMs: clock.now() - 1_000 }) })],
  ['a token for later', 41, 401, () => ({ token: other('nbf', seconds(11)) })],
  ['a token issued later', 42, 401, () => ({ token: other('iat', seconds(11)) })],
  ['another user’s token', 5, 401, () => ({ token: tokenOf('bob') })],
  [
    'a revoked token',
    40,
    401,
    () => ({ user: 'old', token: createToken({ userId: 'old', issuedAtMs: 1_000 }, SECRET) }),
  ],
  ['a revoked token without a time', 40, 401, () => ({ user: 'old', token: tokenOf('old') })],
  ['a deactivated user', 5, 401, () => ({ user: 'gone', token: tokenOf('gone') })],
  ['an unknown kind of sign-in', 5, 401, () => ({ type: 'basic' })],
  ['nobody', 17, 403, () => ({ type: 'anonymous', token: '', user: 'somebody' })],
]
type Given = { key?: string; token?: string; user?: string; type?: string }

const query = ({ key = API_KEY, user = 'ann', type = 'jwt' }: Given) =>
  `api_key=${key}&user_id=${user}&stream-auth-type=${type}`

describe('SRV-06 refused sign-ins', () => {
  test.each(SIGN_INS)('SRV-06 %s gets code %d over every transport', async (_name, code, status, make) => {
    const given = make()
    const { token = tokenOf('ann'), user = 'ann' } = given
    const headers = { ...JSON_TYPE, ...(token === '' ? {} : { Authorization: token }) }
    const http = await ask(server.url, { method: 'POST', path: `/users?${query(given)}`, headers, body: '{}' })
    expect(http.status).toEqual(status)
    expect(codeIn(http.text)).toEqual(code)
    const json = encodeURIComponent(JSON.stringify({ user_id: user }))
    const poll = await ask(server.url, { path: `/longpoll?${query(given)}&json=${json}`, headers })
    expect(poll.status).toEqual(status)
    expect(codeIn(poll.text)).toEqual(code)
    const url = `${server.url.replace('http', 'ws')}/connect?${query(given)}&json=${json}&authorization=${token}`
    const socket = new WebSocket(url)
    const frame = new Promise<string>((resolve) => socket.once('message', (data) => resolve(frameText(data))))
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    expect(JSON.parse(await frame)).toMatchObject({ error: { code, StatusCode: status } })
    expect(await closed).toBe(1000)
  })

  test('SRV-06 a token issued after the revocation is valid again', async () => {
    const token = createToken({ userId: 'old', issuedAtMs: clock.now() + 1_000 }, SECRET)
    const headers = { ...JSON_TYPE, Authorization: token }
    const answer = await ask(server.url, { path: `/app?${query({ user: 'old' })}`, headers })
    expect(answer.status).toBe(200)
  })

  test('SRV-06 the checks come in the order of the contract', async () => {
    const send = async (path: string, headers: Record<string, string>, body: string) =>
      codeIn((await ask(server.url, { method: 'POST', path, headers: { ...JSON_TYPE, ...headers }, body })).text)
    const bad = { Authorization: 'x' }
    expect(await send('/channels?api_key=no', { ...bad, 'Content-Length': '2000000' }, '')).toBe(22)
    expect(await send(`/channels?api_key=no&stream-auth-type=odd`, bad, '{')).toBe(2)
    expect(await send(`/channels?api_key=${API_KEY}&stream-auth-type=odd`, bad, '{')).toBe(5)
    expect(await send(`/channels?api_key=${API_KEY}&user_id=ann`, bad, '{')).toBe(43)
    expect(await send(`/channels?api_key=${API_KEY}&user_id=ann`, { Authorization: tokenOf('ann') }, '{')).toBe(4)
  })
})

test('SRV-04 none of all these requests was an error of the server', () => {
  expect(written.filter((line) => line.includes('"error"'))).toEqual([])
})
