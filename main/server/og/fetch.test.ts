import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '#main/lib/clock.ts'
import { ManualClock } from '../../../tests/kit/manual-clock.ts'
import { guardedGet, LinkRefused, type Net, type NetAnswer, pinnedGet } from './fetch.ts'

const HTML = 'text/html'
async function* bytes(text: string) {
  yield Buffer.from(text)
}
const page = (text: string, more: Partial<NetAnswer> = {}): NetAnswer => ({
  status: 200,
  location: undefined,
  contentType: HTML,
  body: bytes(text),
  ...more,
})
const redirect = (location: string) => page('', { status: 302, location })

/** A network of responses by URL; every name is public unless listed. Records the requests. */
function fakeNet(answers: Record<string, NetAnswer>, names: Record<string, (readonly string[])[]> = {}) {
  const requests: string[] = []
  const net: Net = {
    resolve: (host) => {
      const turn = names[host]
      return Promise.resolve(turn ? ((turn.length > 1 ? turn.shift() : turn[0]) ?? []) : ['93.184.216.34'])
    },
    ownAddresses: () => new Set(),
    get: (url, address) => {
      requests.push(`${url.href} @ ${address}`)
      const answer = answers[url.href]
      return answer ? Promise.resolve(answer) : Promise.reject(new Error('no such page'))
    },
  }
  return { net, requests }
}

const get = (net: Net, link = 'https://a.example/') => guardedGet(link, net, new ManualClock(), 1_000)

test('SRV-31 a page is requested from the checked address, and its name is resolved once', async () => {
  const { net, requests } = fakeNet(
    { 'https://a.example/': page('hello') },
    { 'a.example': [['93.184.216.34'], ['127.0.0.1']] },
  )
  expect((await get(net)).bytes.toString()).toBe('hello')
  expect(requests).toEqual(['https://a.example/ @ 93.184.216.34'])
})

test.each([
  ['points to this machine', ['127.0.0.1']],
  ['has one private address among public ones', ['93.184.216.34', '10.0.0.1']],
  ['has no address', []],
])('SRV-31 a name that %s is refused before any request', async (_name, addresses) => {
  const { net, requests } = fakeNet({ 'https://a.example/': page('x') }, { 'a.example': [addresses] })
  await expect(get(net)).rejects.toThrow(LinkRefused)
  expect(requests).toEqual([])
})

test('SRV-31 a name that cannot be resolved is refused', async () => {
  const { net } = fakeNet({})
  await expect(get({ ...net, resolve: () => Promise.reject(new Error('ENOTFOUND')) })).rejects.toThrow(LinkRefused)
})

test('SRV-31 each redirect is checked again: a later change to a private address is refused', async () => {
  const answers = { 'https://a.example/': redirect('https://a.example/b') }
  const { net, requests } = fakeNet(answers, { 'a.example': [['93.184.216.34'], ['127.0.0.1']] })
  await expect(get(net)).rejects.toThrow('not public')
  expect(requests).toHaveLength(1)
})

test.each([
  ['to an address of this machine', 'http://127.0.0.1/'],
  ['from https to http', 'http://b.example/'],
  ['to another scheme', 'file:///etc/passwd'],
  ['to another port', 'https://b.example:8443/'],
  ['to nowhere', 'https://'],
])('SRV-32 a redirect %s is refused', async (_name, location) => {
  const { net } = fakeNet({ 'https://a.example/': redirect(location), 'http://b.example/': page('x') })
  await expect(get(net)).rejects.toThrow(LinkRefused)
})

test('SRV-32 three redirects are followed, a fourth is not', async () => {
  const chain = (n: number) => ({
    'http://a.example/': redirect('/1'),
    'http://a.example/1': redirect('/2'),
    'http://a.example/2': redirect('/3'),
    'http://a.example/3': n === 3 ? page('end') : redirect('/4'),
    'http://a.example/4': page('end'),
  })
  expect((await get(fakeNet(chain(3)).net, 'http://a.example/')).url.pathname).toBe('/3')
  await expect(get(fakeNet(chain(4)).net, 'http://a.example/')).rejects.toThrow('too often')
})

test.each([
  ['another type', page('{}', { contentType: 'application/json' })],
  ['a failure', page('', { status: 500 })],
])('%s is refused', async (_name, answer) => {
  await expect(get(fakeNet({ 'https://a.example/': answer }).net)).rejects.toThrow(LinkRefused)
})

test('SRV-33 reading stops at the allowed size, and a page that never responds fails after eight seconds', async () => {
  async function* endless() {
    for (;;) yield Buffer.alloc(600, 'a')
  }
  const { net } = fakeNet({ 'https://a.example/': page('', { body: endless() }) })
  expect((await get(net)).bytes.length).toBe(1_000)
  const clock = new ManualClock()
  const never = guardedGet('https://a.example/', { ...net, get: () => new Promise(() => undefined) }, clock, 1_000)
  const failed = never.then(
    () => 'read',
    (error: Error) => error.message,
  )
  await clock.advance(8_000)
  expect(await failed).toContain('took too long')
})

let servers: Server[] = []
afterEach(async () => {
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    ),
  )
  servers = []
})
/** A real page server on this machine; the guard takes its address for public. */
async function realNet(listener: RequestListener): Promise<Net> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    resolve: () => Promise.resolve(['93.184.216.34']),
    ownAddresses: () => new Set(),
    get: (url, _address, signal) => pinnedGet(url, '127.0.0.1', signal, port),
  }
}
const real = async (listener: RequestListener) =>
  guardedGet('http://a.example/x', await realNet(listener), systemClock, 256 * 1024)

test('the pinned request keeps the host name and sends neither cookie nor referrer', async () => {
  let headers: Record<string, unknown> = {}
  const found = await real((request, response) => {
    headers = request.headers
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Encoding': 'gzip' })
    response.end(gzipSync('<title>packed</title>'))
  })
  expect(found.bytes.toString()).toBe('<title>packed</title>')
  expect(headers['host']).toMatch(/^a\.example/)
  expect(headers['cookie']).toBeUndefined()
  expect(headers['referer']).toBeUndefined()
  expect(headers['authorization']).toBeUndefined()
})

test('SRV-34 a small body that expands without end is read up to the limit only', async () => {
  const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
  const found = await real((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' })
    response.end(bomb)
  })
  expect(found.bytes.length).toBe(256 * 1024)
})

test('SRV-34 a body with another encoding and a broken connection are refused', async () => {
  const packed = real((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'br' })
    response.end('x')
  })
  await expect(packed).rejects.toThrow(LinkRefused)
  await expect(real((request) => void request.socket.destroy())).rejects.toThrow(LinkRefused)
})
