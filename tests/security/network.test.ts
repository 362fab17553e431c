import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { X509Certificate } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { RENEWED, SERVER } from '#kit/certificates.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import { askNetwork, certificateAt, type NetworkAnswer } from '#kit/network.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import type { NetworkOptions } from '#main/server/network/network.ts'
import { routes } from '#main/server/routes.ts'
import { API_KEY, connectUrl, frameText, SECRET, startTestServer, tokenOf, type TestServer } from '../contract/kit.ts'

/** The port of `--listen` as strangers and people on other devices see it. */

const ADDRESS = '127.0.0.3'
const URL = 'https://chat.test:7443'
const HOST = 'chat.test:7443'

const folder = mkdtempSync(join(tmpdir(), 'parlor-network-'))
const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
const put = (pair: { readonly cert: string; readonly key: string }): void => {
  writeFileSync(files.cert, pair.cert)
  writeFileSync(files.key, pair.key)
}

let server: TestServer
let clock: ManualClock
let port = 0

async function start(options: Partial<NetworkOptions>): Promise<void> {
  put(SERVER)
  clock = new ManualClock(Date.parse('2026-12-01T09:00:00Z'))
  const network = { address: ADDRESS, port: 0, url: URL, rates: 'strict' as const, ...options }
  server = await startTestServer({ clock, network })
  port = server.network?.port ?? 0
  await (await server.connect('ann', { name: 'Ann' })).close()
}
afterEach(() => server.stopAll())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ask = (path: string, options: NonNullable<Parameters<typeof askNetwork>[2]> = {}): Promise<NetworkAnswer> =>
  askNetwork({ address: ADDRESS, port }, path, { ...options, headers: { host: HOST, ...options.headers } })

const asAnn = { headers: { Authorization: tokenOf('ann'), 'stream-auth-type': 'jwt' } }

/** Bytes that a raw connection gets until it is closed. */
function received(send: string, from?: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: ADDRESS, localAddress: from })
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    socket.on('error', () => undefined)
    socket.once('close', () => resolve(Buffer.concat(parts).toString('latin1')))
    socket.write(send)
  })
}

function openSocket(userId: string, token: string): WebSocket {
  const url = connectUrl(`http://${ADDRESS}:${port}`, userId, { token }).replace('ws:', 'wss:')
  return new WebSocket(url, { rejectUnauthorized: false, headers: { host: HOST } })
}
const firstFrame = (socket: WebSocket): Promise<unknown> =>
  new Promise((resolve) => socket.once('message', (data) => resolve(JSON.parse(frameText(data)))))

describe('SRV-54 a port for other devices', () => {
  beforeEach(() => start({ certificate: files }))

  test('SRV-54 has the certificate of the operator and gives nothing to plain HTTP', async () => {
    const shown = await certificateAt(ADDRESS, port)
    const text = await received(`GET /app HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`)

    expect(shown.toString()).toBe(SERVER.cert)
    expect(text).not.toContain('HTTP/1.1')
  })

  test('SRV-54 every route refuses a call without a token, and one with a server token', async () => {
    const statuses: number[] = []
    for (const { method, path } of routes) {
      const address = `${path.replaceAll(/:\w+/g, 'x')}?api_key=${API_KEY}`
      const options = { method, ...(method.startsWith('P') ? { body: {} } : {}) }
      statuses.push((await ask(address, options)).status)
      statuses.push((await ask(address, { ...options, headers: { Authorization: createToken({}, SECRET) } })).status)
      // Otherwise the address would soon be blocked, which would refuse everything.
      await clock.advance(13_000)
    }

    expect(new Set(statuses)).toEqual(new Set([401]))
  })

  test('SRV-54 neither health nor metrics, nor what controls the server, exists there', async () => {
    const paths = ['/health', '/healthz', '/readyz', '/metrics', '/sharing', '/join/hello']
    const answers = await Promise.all(paths.map((path) => ask(path, { method: 'GET', ...asAnn })))

    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404))
  })

  test('SRV-54 another host and every origin are refused', async () => {
    const path = `/app?api_key=${API_KEY}&user_id=ann`
    const host = await ask(path, { method: 'GET', headers: { ...asAnn.headers, host: `${ADDRESS}:${port}` } })
    const local = await ask(path, { method: 'GET', headers: { ...asAnn.headers, host: `127.0.0.1:${port}` } })
    const origin = await ask(path, { method: 'GET', headers: { ...asAnn.headers, origin: URL } })
    const right = await ask(path, { method: 'GET', ...asAnn })

    expect([host, local, origin, right].map(({ status }) => status)).toEqual([421, 421, 403, 200])
  })

  test('SRV-54 a token of someone whom the server does not know opens nothing', async () => {
    const call = await ask(`/app?api_key=${API_KEY}&user_id=eve`, {
      method: 'GET',
      headers: { Authorization: tokenOf('eve'), 'stream-auth-type': 'jwt' },
    })
    const frame = await firstFrame(openSocket('eve', tokenOf('eve')))

    expect(call.status).toBe(401)
    expect(frame).toMatchObject({ error: { code: 5 } })
    expect(server.services.db.get("SELECT 1 FROM users WHERE id = 'eve'")).toBeUndefined()
  })

  test('SRV-54 ten refused sign-ins block an address there, and not on loopback', async () => {
    const path = `/app?api_key=${API_KEY}&user_id=ann`
    const wrong = { method: 'GET', headers: { Authorization: createToken({ userId: 'ann' }, 'x'.repeat(40)) } }
    for (let count = 0; count < 10; count += 1) await ask(path, wrong)
    const there = await ask(path, { method: 'GET', ...asAnn })
    const here = await server.request(path, { headers: asAnn.headers })

    expect(there.status).toBe(429)
    expect(here.status).toBe(200)
  })

  test('files have the address that people use, on both ports and after it was sent back', async () => {
    const form = new FormData()
    form.append('file', new Blob(['plan'], { type: 'text/plain' }), 'plan.txt')
    const query = `?api_key=${API_KEY}&user_id=ann`
    await server.request(`/channels/messaging/team/query${query}`, {
      method: 'POST',
      headers: { ...asAnn.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ data: { members: ['ann'] } }),
    })
    const uploaded = await server.request(`/channels/messaging/team/file${query}`, {
      method: 'POST',
      headers: asAnn.headers,
      body: form,
    })
    const { file } = JSON.parse(uploaded.text) as { file: string }
    const message = { id: 'm1', text: `see ${file}`, attachments: [{ type: 'file', asset_url: file }] }
    const sent = await ask(`/channels/messaging/team/message${query}`, { ...asAnn, body: { message } })
    const stored = server.services.db.get<{ attachments: string }>("SELECT attachments FROM messages WHERE id = 'm1'")
    const opened = await ask(file.slice(URL.length), { method: 'HEAD' })

    expect(file).toMatch(/^https:\/\/chat\.test:7443\/files\/[a-f0-9]{32}\/plan\.txt\?sig=/)
    expect(sent).toMatchObject({ status: 201, body: { message: { ...message, attachments: [{ asset_url: file }] } } })
    expect(stored?.attachments).toMatch(/"http:\/\/127\.0\.0\.1:0\/files\/[a-f0-9]{32}\/plan\.txt"/)
    expect(opened.status).toBe(200)
  })

  test('a new certificate is used for new connections; those that are open stay', async () => {
    const socket = openSocket('ann', tokenOf('ann'))
    await firstFrame(socket)
    put(RENEWED)
    await clock.advance(60_000)
    const renewed = await certificateAt(ADDRESS, port)
    put({ cert: SERVER.cert, key: RENEWED.key })
    server.network?.reload()
    const kept = await certificateAt(ADDRESS, port)

    expect(renewed.toString()).toBe(RENEWED.cert)
    expect(kept.toString()).toBe(RENEWED.cert)
    expect(socket.readyState).toBe(WebSocket.OPEN)
    expect(server.network?.certificateEndsAtMs()).toBe(new X509Certificate(RENEWED.cert).validToDate.getTime())
  })

  test('people there are told when to come back when the server stops', async () => {
    const socket = openSocket('ann', tokenOf('ann'))
    await firstFrame(socket)
    const closed = new Promise((resolve) =>
      socket.once('close', (code: number, reason: Buffer) => resolve([code, reason.toString()])),
    )
    await server.stop()

    expect(await closed).toEqual([1012, 'come back after 0 ms'])
  })
})

describe('SRV-55 a port behind a proxy', () => {
  const PROXY = '127.0.0.4'

  /** A request of the proxy, or of someone who passes it by. */
  function through(from: string, forwarded: string | undefined, token = tokenOf('ann')): Promise<number> {
    return new Promise((resolve) => {
      const headers = {
        host: HOST,
        authorization: token,
        'stream-auth-type': 'jwt',
        ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
      }
      const path = `/app?api_key=${API_KEY}&user_id=ann`
      const request = httpRequest({ host: ADDRESS, port, path, headers, localAddress: from, agent: false })
      request.on('response', (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      request.on('error', () => resolve(0))
      request.end()
    })
  }
  const wrong = createToken({ userId: 'ann' }, 'x'.repeat(40))

  beforeEach(() => start({ proxies: [PROXY] }))

  test('SRV-55 answers the proxy only', async () => {
    expect(await through(PROXY, '10.0.0.1')).toBe(200)
    expect(await through('127.0.0.5', '10.0.0.1')).toBe(0)
    expect(await received(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`, '127.0.0.5')).toBe('')
  })

  test('SRV-55 counts by the address that the proxy saw, whatever the caller wrote before it', async () => {
    for (let count = 0; count < 10; count += 1) await through(PROXY, `198.51.100.${count}, 10.0.0.1`, wrong)

    expect(await through(PROXY, '203.0.113.7, 10.0.0.1')).toBe(429)
    expect(await through(PROXY, '10.0.0.2')).toBe(200)
  })

  test('SRV-55 counts by the address of the proxy where it names none', async () => {
    for (let count = 0; count < 10; count += 1) await through(PROXY, `someone ${count}`, wrong)

    expect(await through(PROXY, undefined)).toBe(429)
    expect(await through(PROXY, '10.0.0.2')).toBe(200)
  })
})

test('SRV-55 the own port believes no header about the address of a caller', async () => {
  await start({ certificate: files })
  const path = `/app?api_key=${API_KEY}&user_id=ann`
  for (let count = 0; count < 10; count += 1) {
    const headers = {
      Authorization: createToken({ userId: 'ann' }, 'x'.repeat(40)),
      'x-forwarded-for': `10.0.0.${count}`,
    }
    await ask(path, { method: 'GET', headers })
  }
  const blocked = await ask(path, { method: 'GET', headers: { ...asAnn.headers, 'x-forwarded-for': '10.0.0.99' } })

  expect(blocked.status).toBe(429)
})

test('SRV-54 one address cannot take all sockets of the port', async () => {
  await start({ certificate: files })
  const most = 256
  const sockets = Array.from({ length: most + 8 }, () => connect(port, ADDRESS).on('error', () => undefined))
  const closed = sockets.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())))
  await Promise.race(closed)
  const other = await certificateAt(ADDRESS, port).then(
    () => 'answered',
    () => 'refused',
  )
  for (const socket of sockets) socket.destroy()
  await Promise.all(closed)

  expect(other).toBe('refused')
  await vi.waitFor(async () => expect((await ask('/', { method: 'GET' })).status).toBe(404), 20_000)
})
