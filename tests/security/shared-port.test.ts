import { request as httpsRequest } from 'node:https'
import type { IncomingHttpHeaders } from 'node:http'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { STRICT_LIMITS } from '#main/server/http/limits.ts'
import { addressOf } from '#main/server/http/limits.ts'
import { routes } from '#main/server/routes.ts'
import { JOIN_PATHS } from '#shared/wire/sharing.ts'
import { act, asServer } from '../contract/integrations/program.ts'
import { API_KEY, tokenOf } from '../contract/kit.ts'
import { sharedWorkspace, type SharedWorkspace } from '../contract/shared-workspace.ts'

/** What a stranger on the network can cost the shared port: time, memory, attempts. */

const ADDRESS = '127.0.0.2'
let shared: SharedWorkspace
beforeAll(async () => {
  shared = await sharedWorkspace()
})
afterAll(() => shared.server.stopAll())
// A port of its own for each test, so that the limits start full.
beforeEach(async () => {
  await shared.start({ approve: false })
})

type Connection = { readonly socket: Socket; readonly text: () => string; readonly ended: Promise<void> }

function watched(socket: Socket): Connection {
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part))
  socket.on('error', () => socket.destroy())
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, text: () => Buffer.concat(parts).toString('latin1'), ended }
}

/** A raw connection through TLS. */
async function dial(): Promise<Connection> {
  const socket = connectTls({ host: ADDRESS, port: shared.port(), rejectUnauthorized: false })
  const connection = watched(socket)
  await new Promise<void>((resolve) => socket.once('secureConnect', () => resolve()))
  return connection
}

const host = (): string => `Host: ${ADDRESS}:${shared.port()}\r\n`
const POST_ASK = (): string => `POST ${JOIN_PATHS.ask} HTTP/1.1\r\n${host()}Content-Type: application/json\r\n`

type Asked = { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

/** One request with its status and headers; its body is sent at once. */
function ask(path: string, { method = 'POST', headers = {}, body }: Asked = {}) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const request = httpsRequest(
      { host: ADDRESS, port: shared.port(), path, method, headers, agent: false, rejectUnauthorized: false },
      (response) => {
        let text = ''
        response.on('data', (part: Buffer) => (text += part.toString()))
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

const JSON_TYPE = { 'content-type': 'application/json' }

describe('SRV-50 a stranger who is slow', () => {
  test('SRV-50 has ten seconds for the handshake and for the headers, while others are served', async () => {
    const silent = watched(connectTcp(shared.port(), ADDRESS))
    const dripping = await dial()
    dripping.socket.write(`${POST_ASK()}X-Slow: `)
    const meanwhile = await shared.answer('nobody')
    await Promise.all([silent.ended, dripping.ended])

    expect(meanwhile).toMatchObject({ status: 200, body: { state: 'gone' } })
    expect(silent.text()).toBe('')
    expect(dripping.text()).toMatch(/^HTTP\/1\.1 408 [^]*"code":23/)
  })

  test('SRV-50 has half a minute for a body, and the connection is closed', async () => {
    const { clock } = shared
    const before = clock.pending
    const connection = await dial()
    connection.socket.write(`${POST_ASK()}Content-Length: 10\r\n\r\n{`)
    await vi.waitFor(() => expect(clock.pending).toBeGreaterThan(before))
    await clock.advance(29_999)
    const early = connection.text()
    await clock.advance(1)
    await vi.waitFor(() => expect(connection.text()).toContain('"code":23'))
    await clock.advance(5_000)
    await connection.ended

    expect(early).toBe('')
  })
})

describe('SRV-50 a stranger who sends much', () => {
  test('SRV-50 has 16 KB for headers', async () => {
    const connection = await dial()
    connection.socket.write(`${POST_ASK()}X-Long: ${'x'.repeat(17_000)}\r\n\r\n`)
    await connection.ended

    expect(connection.text()).toMatch(/^HTTP\/1\.1 431 [^]*"code":24/)
  })

  test('SRV-50 is refused at one megabyte, also when the length is not said before', async () => {
    const connection = await dial()
    connection.socket.write(`${POST_ASK()}Transfer-Encoding: chunked\r\n\r\n`)
    const chunk = 'x'.repeat(0x10000)
    for (let at = 0; at < 20 && !connection.text().includes('"code"'); at += 1)
      await new Promise<void>((resolve) => connection.socket.write(`10000\r\n${chunk}\r\n`, () => resolve()))
    await vi.waitFor(() => expect(connection.text()).toMatch(/^HTTP\/1\.1 413 /))
    connection.socket.destroy()
  })

  test('SRV-50 uploads nothing: the refusal comes before the bytes', async () => {
    const connection = await dial()
    const type = 'Content-Type: multipart/form-data; boundary=x'
    const path = `/uploads/file?api_key=${API_KEY}`
    connection.socket.write(`POST ${path} HTTP/1.1\r\n${host()}${type}\r\nContent-Length: 90000000\r\n\r\n--x`)
    await vi.waitFor(() => expect(connection.text()).toMatch(/^HTTP\/1\.1 401 /))
    connection.socket.destroy()
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{"id":'],
    ['another type', '[]'],
    ['null', 'null'],
    ['depth', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`],
    ['a list without end', `{"id":[${'1,'.repeat(10_001)}1]}`],
    ['a key twice', '{"request":"a","request":"b"}'],
    ['a prototype', '{"__proto__":{"request":"x"},"constructor":1}'],
    ['numbers in place of texts', '{"id":1,"secret":2,"name":3,"request":4,"nonce":5,"version":1}'],
    ['half a character', '{"id":"\\ud800","name":"\\ud800","request":"\\ud800"}'],
  ])('SRV-50 gets a refusal for %s as the body of every call of joining', async (_what, body) => {
    const { hello, ask: asking, answer, cancel } = JOIN_PATHS
    const statuses = await Promise.all(
      [hello, asking, answer, cancel].map(async (path) => (await ask(path, { headers: JSON_TYPE, body })).status),
    )

    expect(new Set(statuses)).toEqual(new Set([400]))
  })
})

describe('SRV-50 a stranger who calls often', () => {
  test('SRV-50 has 120 calls of joining in a minute, and more after it', async () => {
    const statuses: number[] = []
    for (let at = 0; at <= STRICT_LIMITS.join; at += 1) statuses.push((await shared.answer(`r${at}`)).status)
    await shared.clock.advance(60_000)

    expect(statuses.filter((status) => status === 200)).toHaveLength(STRICT_LIMITS.join)
    expect(statuses.at(-1)).toBe(429)
    expect((await shared.answer('later')).status).toBe(200)
  })

  test('SRV-50 has 3,000 requests of any kind in a minute, told by every answer, whatever the path', async () => {
    const answers = [
      await ask('/'),
      await ask('/health', { method: 'GET' }),
      await ask('/no/such/path', { method: 'GET' }),
    ]

    expect(answers.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(
      answers.map(() => String(STRICT_LIMITS.address)),
    )
    expect(answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']))).toEqual([2_999, 2_998, 2_997])
  })

  test('SRV-50 cannot call from the next address of a public network of IPv6, only from another network', () => {
    const [one, next, other] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:db8:1:3::1'].map(addressOf)

    expect(next).toBe(one)
    expect(other).not.toBe(one)
    expect(addressOf('fd00:7::1')).not.toBe(addressOf('fd00:7::2'))
    expect(addressOf('::ffff:192.168.1.24')).toBe('192.168.1.24')
  })
})

describe('SRV-50 a page of another origin', () => {
  const ORIGIN = { origin: 'https://evil.example' }

  test('SRV-50 is refused by every route and every call of joining, before anything is done', async () => {
    const paths = [
      ...Object.values(JOIN_PATHS),
      '/sharing',
      '/imports',
      '/hooks/x',
      '/files/x/y',
      '/longpoll',
      '/connect',
    ]
    const calls = [...paths.map((path) => ({ method: 'POST', path })), ...routes]
    const statuses = new Set<number>()
    for (const { method, path } of calls) {
      const address = `${path.replaceAll(/:\w+/g, 'x')}?api_key=${API_KEY}`
      const headers = { ...ORIGIN, Authorization: tokenOf('ann'), 'stream-auth-type': 'jwt' }
      statuses.add((await ask(address, { method, headers })).status)
    }

    expect(statuses).toEqual(new Set([403]))
  })

  test('SRV-50 gets no leave beforehand, also in the name of the port itself', async () => {
    const own = { origin: `https://${ADDRESS}:${shared.port()}` }
    const answers = await Promise.all(
      [ORIGIN, own].map((headers) => ask(JOIN_PATHS.ask, { method: 'OPTIONS', headers })),
    )

    expect(answers.map(({ status }) => status)).toEqual([403, 403])
    expect(answers.map(({ headers }) => headers['access-control-allow-origin'])).toEqual([undefined, undefined])
  })
})

describe('SRV-50 what programs of the owner’s device use', () => {
  test('SRV-50 does not exist here: webhooks and keys, real or guessed', async () => {
    await asServer(shared.server, '/channels/team/builds/query', { data: { created_by_id: 'ann', members: ['ann'] } })
    const hook = await act(shared.server, { action: 'create', kind: 'incoming', name: 'B', cid: 'team:builds' }, 'ann')
    const key = await act(shared.server, { action: 'create', kind: 'key', name: 'K' }, 'ann')
    const path = new URL(String(hook.secret)).pathname
    const posted = await ask(path, { headers: JSON_TYPE, body: '{"text":"hello"}' })
    const guessed = await ask('/hooks/guess', { headers: JSON_TYPE, body: '{"text":"hello"}' })
    const read = await ask('/read/channels', {
      method: 'GET',
      headers: { authorization: `Bearer ${String(key.secret)}` },
    })

    expect([posted.status, guessed.status, read.status].every((status) => status === 404 || status === 401)).toBe(true)
    expect(posted.status).toBe(guessed.status)
  })
})

describe('SRV-53 a stolen link', () => {
  const reasonOf = async (answer: Promise<{ readonly body: Record<string, unknown> }>) =>
    (await answer).body['exception_fields']

  test('SRV-53 is worth nothing once sharing has stopped, also when it is shared again', async () => {
    const { link, code } = await shared.invite()
    await shared.owner({ action: 'stop' })
    await shared.start({ approve: false })

    expect(await reasonOf(shared.ask(link, 'Eve'))).toEqual({ invitation: 'ended' })
    expect(await reasonOf(shared.ask(code, 'Eve'))).toEqual({ invitation: 'ended' })
  })

  test('SRV-53 is worth nothing after its end, however the request is repeated', async () => {
    const { link } = await shared.invite({ ends_at: shared.clock.now() + 1_000 })
    const before = await shared.ask(link, 'Hana')
    await shared.clock.advance(2_000)
    const again = await shared.ask(link, 'Hana')
    const other = await reasonOf(shared.ask(link, 'Hana', 'other letters'))

    expect(before.body['state']).toBe('accepted')
    // Only who has the letters of the first request is told its answer.
    expect(again.body['user_id']).toBe(before.body['user_id'])
    expect(other).toEqual({ invitation: 'ended' })
  })
})
