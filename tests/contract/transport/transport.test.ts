import { request as httpRequest } from 'node:http'
import { connect as netConnect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ManualClock } from '#kit/manual-clock.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import { getApp, hi, queryMembers, queryUsers, sync, upsertUsers } from '#shared/wire/app.ts'
import { queryChannel, updateOwnMember } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import { API_KEY, callAs, connectUrl, frameText, SECRET, startTestServer, tokenOf, type TestServer } from '../kit.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ allowedOrigins: ['http://friend.test'] })
  await (await server.connect('root')).close()
})
afterAll(() => server.stopAll())

/** What a raw socket receives until it closes. */
function listen(url: string): Promise<{ frames: unknown[]; code: number }> {
  return new Promise((resolve) => {
    const frames: unknown[] = []
    const socket = new WebSocket(url)
    socket.on('message', (data) => frames.push(JSON.parse(frameText(data))))
    socket.on('error', () => resolve({ frames, code: -1 }))
    socket.on('close', (code) => resolve({ frames, code }))
  })
}

const raw = (headers: Record<string, string>, path = '/hi', method = 'GET', body = '') =>
  new Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    const port = Number(new URL(server.url).port)
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = ''
      response.on('data', (part: Buffer) => (text += part.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }))
    })
    request.on('error', reject)
    request.end(body)
  })

test('the first frame has me with every list, pongs have none', async () => {
  const ann = await server.connect('ann', { name: 'Ann', favourite: 'tea' })
  const me = ann.first['me'] as Record<string, unknown>
  expect(me['mutes']).toEqual([])
  expect(me['channel_mutes']).toEqual([])
  expect(me['devices']).toEqual([])
  expect(me['blocked_user_ids']).toEqual([])
  expect(me['total_unread_count']).toBe(0)
  expect(me['favourite']).toBe('tea')
  expect(me['role']).toBe('user')
  expect(ann.first['cid']).toBe('*')
  await ann.settle()
  await ann.close()
})

test('what a client sets about itself is stored, its role is not', async () => {
  const one = await server.connect('kit', { name: 'Kit', role: 'admin', banned: true, plan: 'x' })
  await one.close()
  const two = await server.connect('kit', {})
  const me = two.first['me'] as Record<string, unknown>
  expect(me['name']).toBe('Kit')
  expect(me['role']).toBe('user')
  expect(me['banned']).toBe(false)
  expect(me['plan']).toBe('x')
  await two.close()
})

const HANDSHAKES: readonly [name: string, url: (base: string) => string, code: number][] = [
  [
    'an expired token',
    (base) => connectUrl(base, 'ann', { token: createToken({ userId: 'ann', expiresAtMs: 1 }, SECRET) }),
    40,
  ],
  ['a wrong signature', (base) => connectUrl(base, 'ann', { token: createToken({ userId: 'ann' }, 'other') }), 43],
  ['another user', (base) => connectUrl(base, 'ann', { token: tokenOf('bob') }), 5],
  ['no token', (base) => connectUrl(base, 'ann', { token: '' }), 5],
  ['a wrong key', (base) => connectUrl(base, 'ann', { apiKey: 'x' }), 2],
  ['broken json', (base) => connectUrl(base, 'ann').replace(/json=[^&]+/, 'json=%7B'), 4],
  ['a bad user id', (base) => connectUrl(base, 'a b', { token: tokenOf('a b') }), 4],
]

test.each(HANDSHAKES)('a handshake with %s gets one error frame and close 1000', async (_name, url, code) => {
  const { frames, code: closed } = await listen(url(server.url))
  expect(frames).toHaveLength(1)
  expect((frames[0] as { error: { code: number } }).error.code).toEqual(code)
  expect(closed).toBe(1000)
})

test('an eleventh connection of one user is refused with 71', async () => {
  const clients = await Promise.all(Array.from({ length: 10 }, () => server.connect('many')))
  const { frames } = await listen(connectUrl(server.url, 'many'))
  expect((frames[0] as { error: { code: number } }).error.code).toBe(71)
  await Promise.all(clients.map((client) => client.close()))
})

test('a frame over 64 KB closes the connection', async () => {
  const closed = new Promise<number>((resolve) => {
    const socket = new WebSocket(connectUrl(server.url, 'big'))
    socket.once('message', () => socket.send('x'.repeat(70_000)))
    socket.on('close', resolve)
  })
  expect(await closed).toBe(1009)
})

test('a token that expires while connected closes with 4001, an idle connection with 4008', async () => {
  const clock = new ManualClock()
  const own = await startTestServer({ clock })
  const token = createToken({ userId: 'ann', expiresAtMs: clock.now() + 60_000 }, SECRET)
  const opened = (url: string) =>
    new Promise<{ closed: Promise<number> }>((resolve) => {
      const socket = new WebSocket(url)
      const closed = new Promise<number>((done) => socket.on('close', done))
      socket.once('message', () => resolve({ closed }))
    })
  const expiring = await opened(connectUrl(own.url, 'ann', { token }))
  const idle = await opened(connectUrl(own.url, 'bob'))
  await clock.advance(60_000)
  expect(await expiring.closed).toBe(4001)
  await clock.advance(60_000)
  expect(await idle.closed).toBe(4008)
  await own.stopAll()
})

test('a user is offline ten seconds after the last connection, and watchers are notified when they stop watching', async () => {
  const clock = new ManualClock()
  const own = await startTestServer({ clock })
  const ann = await own.connect('ann')
  const bob = await own.connect('bob')
  const params = { type: 'messaging', id: 'p' }
  await ann.call(queryChannel, params, { body: { data: { members: ['ann', 'bob'] }, watch: true, presence: true } })
  await bob.call(queryChannel, params, { body: { watch: true } })
  await ann.takeEventTypes()
  await bob.close()
  await expect.poll(() => ann.takeEventTypes()).toContain('user.watching.stop')
  expect(await ann.takeEventTypes()).toEqual([])
  await clock.advance(10_000)
  await ann.settle()
  const event = ann.events.findLast((each) => each.type === 'user.presence.changed')
  expect(event?.user?.id).toBe('bob')
  expect(event?.user?.online).toBe(false)
  await own.stopAll()
})

test('POST returns 201 and GET 200, with duration and the rate headers', async () => {
  const app = await callAs(server.url, { userId: 'root' }, getApp, {})
  expect(app.status).toBe(200)
  expect(app.body.app.file_upload_config.size_limit).toBe(104_857_600)
  expect(typeof app.body.duration).toBe('string')
  const open = await server.request('/hi')
  const rate = ['limit', 'remaining', 'reset'].map((name) => Number(open.headers.get(`x-ratelimit-${name}`)))
  expect(open.status).toBe(200)
  expect(rate.every((each) => each > 0)).toBe(true)
  expect(hi.method).toBe('GET')
})

const good = { Host: '', Authorization: tokenOf('root'), 'Content-Type': 'application/json' }
const CALL = `/channels?api_key=${API_KEY}&user_id=root`

test('only the server’s own host names are served, only allowed origins may call', async () => {
  const port = new URL(server.url).port
  expect((await raw({ Host: 'evil.example' })).status).toBe(421)
  expect((await raw({ Host: '127.0.0.1' })).status).toBe(421)
  expect((await raw({ Host: `localhost:${port}` })).status).toBe(200)
  expect((await raw({ Host: `127.0.0.1:${port}`, Origin: 'http://evil.example' })).status).toBe(403)
  expect((await raw({ Host: `127.0.0.1:${port}`, Origin: 'null' })).status).toBe(403)
  const friend = await raw({ Host: `127.0.0.1:${port}`, Origin: 'http://friend.test' }, '/hi', 'OPTIONS')
  expect(friend.status).toBe(204)
  expect(friend.headers['access-control-allow-origin']).toBe('http://friend.test')
})

test('bodies that are too big, too deep, not JSON or of another type are refused', async () => {
  const headers = { ...good, Host: new URL(server.url).host }
  const codeOf = async (body: string, type = 'application/json') => {
    const answer = await raw({ ...headers, 'Content-Type': type }, CALL, 'POST', body)
    return (JSON.parse(answer.text) as { code: number }).code
  }
  const deep = `${'{"$and":['.repeat(40)}{}${']}'.repeat(40)}`
  expect(await codeOf('{"x":')).toBe(4)
  expect(await codeOf('[]')).toBe(4)
  expect(await codeOf(`{"filter_conditions":${deep}}`)).toBe(4)
  expect(await codeOf('{}', 'text/plain')).toBe(4)
  expect(await codeOf('a=b', 'application/x-www-form-urlencoded')).toBe(4)
  expect(await codeOf(`{"x":"${'y'.repeat(1_100_000)}"}`)).toBe(22)
  expect(
    await codeOf(`{"filter_conditions":{"cid":{"$in":${JSON.stringify(Array.from({ length: 300 }, String))}}}}`),
  ).toBe(4)
  expect((await raw({ ...headers, 'X-Long': 'x'.repeat(20_000) })).status).toBe(431)
})

test('garbage on the port does not end the server', async () => {
  const port = Number(new URL(server.url).port)
  await new Promise<void>((resolve) => {
    const socket = netConnect(port, '127.0.0.1', () => socket.end('\u0000\u0001 not http\r\n\r\n'))
    socket.on('close', () => resolve())
    socket.resume()
  })
  const paths = [
    '/%',
    '/channels/%ff/x/query',
    '/../../etc/passwd',
    '/files/..%2f..%2fserver.db',
    `/${'a/'.repeat(500)}`,
    '/messages/%00',
  ]
  for (const path of paths)
    expect((await raw({ ...good, Host: new URL(server.url).host }, path)).status).toBeGreaterThanOrEqual(400)
  expect((await server.request('/hi')).status).toBe(200)
})

test('users and members are found by the start of a word, accents aside', async () => {
  await (await server.connect('zoe', { name: 'Żaneta Łąkowa' })).close()
  await (await server.connect('max', { name: 'Max Ant' })).close()
  const find = async (text: string) => {
    const payload = { filter_conditions: { name: { $autocomplete: text } }, sort: [{ field: 'name', direction: 1 }] }
    const answer = await callAs(server.url, { userId: 'root' }, queryUsers, {}, { query: { payload } })
    return answer.body.users.map((user) => user.id)
  }
  expect(await find('zan')).toEqual(['zoe'])
  expect(await find('lak')).toEqual(['zoe'])
  expect(await find('ąk')).toEqual([])
  expect(await find('max an')).toEqual(['max'])
  const body = { data: { members: ['root', 'zoe', 'max'] } }
  await callAs(server.url, { userId: 'root' }, queryChannel, { type: 'messaging', id: 'mem' }, { body })
  const payload = { type: 'messaging', id: 'mem', filter_conditions: { name: { $autocomplete: 'za' } }, sort: [] }
  const members = await callAs(server.url, { userId: 'root' }, queryMembers, {}, { query: { payload } })
  expect(members.body.members.map((member) => member.user_id)).toEqual(['zoe'])
})

test('users change only themselves; a server token changes any user', async () => {
  const users = { max: { id: 'max', name: 'Maximilian' } }
  expect((await callAs(server.url, { userId: 'root' }, upsertUsers, {}, { body: { users } })).body.code).toBe(17)
  const byServer = { userId: 'max', token: createToken({}, SECRET) }
  const answer = await callAs(
    server.url,
    byServer,
    upsertUsers,
    {},
    { body: { users: { max: { id: 'max', role: 'admin' } } } },
  )
  expect(answer.status).toBe(201)
  expect(answer.body.users['max']?.role).toBe('admin')
})

test('sync returns what was missed, in order, and only what the user may see', async () => {
  const since = new Date(Date.parse('2026-01-01')).toISOString()
  const root = { userId: 'root' }
  const params = { type: 'messaging', id: 'sync' }
  const start = (await callAs(server.url, root, queryChannel, params, { body: { data: { members: ['root', 'zoe'] } } }))
    .body
  for (const text of ['one', 'two'])
    await callAs(server.url, root, sendMessage, params, { body: { message: { text } } })
  await callAs(server.url, root, updateOwnMember, params, { body: { set: { pinned: true } } })
  const ask = (userId: string, last_sync_at: string) =>
    callAs(
      server.url,
      { userId },
      sync,
      {},
      { body: { channel_cids: ['messaging:sync', 'messaging:nowhere'], last_sync_at, with_inaccessible_cids: true } },
    )
  const answer = await ask('zoe', String(start.channel.created_at))
  expect(answer.body.events.map((event) => [event.type, event.message?.text])).toEqual([
    ['channel.created', undefined],
    ['message.new', 'one'],
    ['message.new', 'two'],
    ['member.updated', undefined],
  ])
  expect(answer.body.inaccessible_cids).toEqual(['messaging:nowhere'])
  const after = await ask('zoe', answer.body.events[1]?.created_at ?? '')
  expect(after.body.events.map((event) => event.type)).toEqual(['message.new', 'member.updated'])
  expect((await ask('kit', String(start.channel.created_at))).body.events).toEqual([])
  expect((await ask('zoe', since)).body.code).toBe(4)
})
