import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { getApp } from '#shared/wire/app.ts'
import { Api } from '#main/engine/api/client.ts'
import { ApiError } from '#main/engine/api/errors.ts'
import { createServerClock } from '#main/engine/session/server-clock.ts'
import { createTokenManager } from '#main/engine/session/token.ts'
import { nodeHttp } from '#main/hosts/node/ports.ts'
import { silentSink } from '#main/lib/logger.ts'

/** The real HTTP port against servers that misbehave. */
let server: Server | undefined
afterEach(() => {
  server?.close()
  server = undefined
})

const head = (status: string, ...lines: string[]): string => `HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n`
const GOOD = '{"app":{"name":"x"},"duration":"1ms"}'
const json = (body: string, length = Buffer.byteLength(body)): string =>
  head('200 OK', 'content-type: application/json', `content-length: ${length}`, 'connection: close') + body

async function ask(answer: (socket: Socket) => void): Promise<string> {
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const clock = new ManualClock()
  const api = new Api({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: 'K',
    userId: 'ann',
    clientName: 'x',
    tokens: createTokenManager({ kind: 'static', token: 'T' }),
    serverClock: createServerClock(clock),
    ports: { clock, ids: seededIds(), http: nodeHttp(), log: silentSink },
  })
  try {
    const reply = await api.send(getApp, {})
    return `ok ${reply.app.name}`
  } catch (error) {
    return error instanceof ApiError
      ? `${error.class} ${error.code}${error.outcomeUnknown ? ' unknown' : ''}`
      : String(error)
  }
}

function slices(socket: Socket, text: string): void {
  const bytes = Buffer.from(text)
  let at = 0
  const next = (): void => {
    if (at === bytes.length) return void socket.end()
    socket.write(bytes.subarray(at, (at += 1)), next)
  }
  next()
}

test.each<[string, (socket: Socket) => void, string]>([
  ['a whole answer', (socket) => socket.end(json(GOOD)), 'ok x'],
  ['an answer in slices of one byte', (socket) => slices(socket, json(GOOD)), 'ok x'],
  [
    'an answer of the wrong type that is right all the same',
    (socket) => socket.end(json(GOOD).replace('application/json', 'text/plain')),
    'ok x',
  ],
  ['a reset', (socket) => socket.resetAndDestroy(), 'network network/offline unknown'],
  ['an end without a word', (socket) => socket.end(), 'network network/offline unknown'],
  ['an end in the middle of the head', (socket) => socket.end('HTTP/1.1 200 O'), 'network network/offline unknown'],
  ['an end in the middle of the body', (socket) => socket.end(json('{"app":', 500)), 'network network/offline unknown'],
  ['no HTTP at all', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'network network/offline unknown'],
  [
    'JSON that is cut but says it is whole',
    (socket) => socket.end(json(GOOD.slice(0, 20))),
    'network network/portal unknown',
  ],
  ['a captive portal', (socket) => socket.end(json('<html>sign in</html>')), 'network network/portal unknown'],
  ['an empty body', (socket) => socket.end(json('')), 'network network/portal unknown'],
  ['no content', (socket) => socket.end(head('204 No Content', 'connection: close')), 'network network/portal unknown'],
  [
    'bytes that are no text',
    (socket) =>
      socket.end(Buffer.concat([Buffer.from(head('200 OK', 'content-length: 4')), Buffer.from([0xff, 0xfe, 0, 1])])),
    'network network/portal unknown',
  ],
  [
    'a redirect',
    (socket) => socket.end(head('302 Found', 'location: https://evil.example/', 'content-length: 0')),
    'network network/redirect',
  ],
  [
    'a redirect to itself',
    (socket) => socket.end(head('307 Temporary Redirect', 'location: /app', 'content-length: 0')),
    'network network/redirect',
  ],
  [
    'a proxy out of order',
    (socket) => socket.end(head('502 Bad Gateway', 'content-length: 4') + 'busy'),
    'server server/unavailable',
  ],
  [
    'a proxy that wants a password',
    (socket) => socket.end(head('407 Proxy Authentication Required', 'content-length: 0')),
    'network network/proxy-sign-in',
  ],
  [
    'a refusal with numbers as text',
    (socket) => socket.end(json('{"code":"17","message":9}').replace('200 OK', '403 Forbidden')),
    'auth server/refused',
  ],
])('%s', async (_name, answer, outcome) => {
  expect(await ask(answer)).toBe(outcome)
})

test('a body over the limit is aborted, not read to its end', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 0x20)
  let written = 0
  const outcome = await ask((socket) => {
    socket.write(head('200 OK', 'content-type: application/json'))
    const more = (): void => {
      if (socket.destroyed || written > 200) return
      written += 1
      socket.write(chunk, () => setImmediate(more))
    }
    more()
  })
  expect(outcome).toBe('invalid network/answer-too-large unknown')
  expect(written).toBeLessThan(60)
})

test('a gzip bomb is never unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  const outcome = await ask((socket) => {
    socket.write(head('200 OK', 'content-encoding: gzip', `content-length: ${bomb.length}`))
    socket.end(bomb)
  })
  expect(outcome).toBe('network network/portal unknown')
})

test('a closed port is a network failure, and nothing was sent', async () => {
  const unused = createServer()
  unused.listen(0, '127.0.0.1')
  await once(unused, 'listening')
  const { port } = unused.address() as AddressInfo
  unused.close()
  await once(unused, 'close')
  const answer = nodeHttp().request({
    method: 'GET',
    url: `http://127.0.0.1:${port}/app`,
    headers: {},
    timeoutMs: 1_000,
  })
  await expect(answer).rejects.toMatchObject({ kind: 'network', sent: false })
})
