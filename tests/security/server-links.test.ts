import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createGzip, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#kit/manual-clock.ts'
import {
  guardedGet,
  type Net,
  type NetAnswer,
  pinnedGet,
  systemNet,
  checkLink,
  isPublicAddress,
} from '#main/server/og/fetch.ts'
import { readHead, Previews } from '#main/server/og/previews.ts'
import { queryChannel } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import { getOg } from '#shared/wire/app.ts'
import { startTestServer } from '../contract/kit.ts'

/** Links in messages never lead the server to its own machine or network. */

/**
 * The IANA special-purpose registries of 2025, complete, and multicast. `global` ones are refused too: they host no
 * pages.
 */
const IANA: readonly (readonly [prefix: string, first: string, last: string])[] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255'],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255'],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255'],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255'],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255'],
  ['::1/128', '::1', '::1'],
  ['::/128', '::', '::'],
  ['::/96', '::', '::ffff:ffff'],
  ['::ffff:0:0/96', '::ffff:0:0', '::ffff:ffff:ffff'],
  ['64:ff9b::/96', '64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::/48', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::/64', '100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::/64', '100:0:0:1::', '100::1:ffff:ffff:ffff:ffff'],
  ['2001::/23', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001::/32', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:2::/48', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['2001:3::/32', '2001:3::', '2001:3:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:4:112::/48', '2001:4:112::', '2001:4:112:ffff:ffff:ffff:ffff:ffff'],
  ['2001:10::/28', '2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:20::/28', '2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:30::/28', '2001:30::', '2001:3f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::/16', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::/48', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::/20', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::/16', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::/7', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::/10', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::/10', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::/8', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
]

describe('SRV-30 addresses', () => {
  test.each(IANA)('SRV-30 %s is refused from its first to its last address', (_prefix, first, last) => {
    expect(isPublicAddress(first)).toBe(false)
    expect(isPublicAddress(last)).toBe(false)
    const host = (address: string) => (address.includes(':') ? `[${address}]` : address)
    expect([first, last].map((each) => typeof checkLink(`http://${host(each)}/`))).toEqual(['string', 'string'])
  })

  test('SRV-30 the machine’s own addresses are refused in every notation', () => {
    const own = new Set(['2a00:1450:4001:80b::200e', '8.8.8.8', '2a00:1450:4001:80b::1%eth0'])
    for (const address of [
      '8.8.8.8',
      '2a00:1450:4001:80b::200e',
      '2A00:1450:4001:080B:0:0:0:200E',
      '2a00:1450:4001:80b:0000:0000:0000:200e',
      '2a00:1450:4001:80b::1',
    ]) {
      expect(isPublicAddress(address, own), address).toBe(false)
    }
    expect(isPublicAddress('2a00:1450:4001:80b::200f', own)).toBe(true)
  })

  test('SRV-30 every address of every interface of this machine counts as its own', () => {
    const here = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address))
    const own = systemNet.ownAddresses()
    expect(here.filter((address) => !own.has(address) || isPublicAddress(address, own))).toEqual([])
    expect(here.length).toBeGreaterThan(0)
  })
})

test('SRV-31 the real resolver returns every address of a name, so that each is checked', async () => {
  const found = await systemNet.resolve('localhost')
  expect(found.length).toBeGreaterThan(0)
  expect(found.some((address) => isPublicAddress(address))).toBe(false)
  expect(await systemNet.resolve('127.0.0.1')).toEqual(['127.0.0.1'])
})

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
})
/** A page server on this machine, under a public name. Also reports the end of each of its connections. */
async function pages(listener: RequestListener): Promise<Net> {
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
const outcome = (read: Promise<unknown>) =>
  read.then(
    () => 'read',
    (error: Error) => `${error.name}: ${error.message}`,
  )
const HTML = { 'Content-Type': 'text/html' }

test.each([
  ['before its head', () => undefined],
  ['after its head', (response: Parameters<RequestListener>[1]) => response.writeHead(200, HTML).flushHeaders()],
  [
    'in the middle of its body',
    (response: Parameters<RequestListener>[1]) => void response.writeHead(200, HTML).write('<title>'),
  ],
])('SRV-33 a page that stops %s is aborted after eight seconds, and its connection is closed', async (_name, begin) => {
  const clock = new ManualClock()
  let cut: () => void = () => undefined
  const closed = new Promise<void>((resolve) => (cut = resolve))
  let requested: () => void = () => undefined
  const arrived = new Promise<void>((resolve) => (requested = resolve))
  const net = await pages((request, response) => {
    request.socket.once('close', cut)
    begin(response)
    requested()
  })
  const read = outcome(guardedGet('http://slow.example/', net, clock, 1_000))
  await arrived
  await clock.advance(7_999)
  expect(clock.pending).toBe(1)
  await clock.advance(1)
  expect(await read).toBe('LinkRefused: the page took too long')
  await closed
  expect(clock.pending).toBe(0)
})

test('SRV-33 a body without an end is read up to the limit, and its connection is closed', async () => {
  let written = 0
  let cut: () => void = () => undefined
  const closed = new Promise<void>((resolve) => (cut = resolve))
  const net = await pages((request, response) => {
    request.socket.once('close', cut)
    response.writeHead(200, HTML)
    const more = (): void => {
      written += 1
      if (!response.destroyed) response.write('x'.repeat(10_000), more)
    }
    more()
  })
  const page = await guardedGet('http://endless.example/', net, new ManualClock(), 50_000)
  await closed
  expect(page.bytes.length).toBe(50_000)
  expect(written * 10_000).toBeLessThan(20_000_000)
})

/** Requests more than any page may have, so that the limits of the connection itself are reached. */
const WANT = 100 * 1024 * 1024

test.each<[string, RequestListener]>([
  [
    'more than 1 MB on the wire',
    (_request, response) => void response.writeHead(200, HTML).end(Buffer.alloc(1024 * 1024 + 1)),
  ],
  [
    'less on the wire that grows to more than 5 MB',
    (_request, response) =>
      void response
        .writeHead(200, { ...HTML, 'Content-Encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(5 * 1024 * 1024 + 1))),
  ],
  [
    'a packed body without an end',
    (_request, response) => {
      const gzip = createGzip()
      gzip.pipe(response.writeHead(200, { ...HTML, 'Content-Encoding': 'gzip' }))
      const zeros = Buffer.alloc(100_000)
      const more = (): void => {
        if (!response.destroyed) gzip.write(zeros, () => setImmediate(more))
      }
      more()
    },
  ],
  [
    'a body packed twice over',
    (_request, response) =>
      void response.writeHead(200, { ...HTML, 'Content-Encoding': 'gzip, gzip' }).end(gzipSync(gzipSync('x'))),
  ],
  [
    'a broken packing',
    (_request, response) => void response.writeHead(200, { ...HTML, 'Content-Encoding': 'gzip' }).end('no gzip'),
  ],
])('SRV-34 %s is refused', async (_name, listener) => {
  const net = await pages(listener)
  const found = await outcome(guardedGet('http://bomb.example/', net, new ManualClock(), WANT))
  expect(found).toMatch(/^LinkRefused: /)
})

test.each([
  ['elements', '<div>'.repeat(60_000)],
  ['links to itself in refreshes', '<meta http-equiv="refresh" content="0;url=http://x.example/">'.repeat(4_000)],
  ['entities in entities', `<meta name="a" content="${'&amp;'.repeat(40_000)}amp;">`],
  ['attributes', `<meta ${'a="b" '.repeat(40_000)}>`],
  ['attributes without values', `<meta ${'/ = '.repeat(60_000)}>`],
  ['comments in comments', '<!-- <!-- '.repeat(25_000)],
  ['titles', '<title>'.repeat(35_000)],
])('SRV-35 a head of many %s takes time in proportion', (_name, html) => {
  const spent = (text: string): number => {
    const before = process.cpuUsage()
    readHead(text)
    const { user } = process.cpuUsage(before)
    return user / 1_000
  }
  spent(html)
  const whole = Math.min(spent(html), spent(html), spent(html))
  expect(whole).toBeLessThan(150)
})

const answer = (contentType: string, text = ''): NetAnswer => ({
  status: 200,
  location: undefined,
  contentType,
  body: (async function* () {
    yield await Promise.resolve(Buffer.from(text))
  })(),
})
/** Pages by address; other addresses do not exist. Records every request. */
function web(found: Readonly<Record<string, () => NetAnswer>>) {
  const requested: string[] = []
  const net: Net = {
    resolve: (host) => Promise.resolve([host.endsWith('.inside') ? '10.0.0.7' : '93.184.216.34']),
    ownAddresses: () => new Set(),
    get(url) {
      requested.push(url.href)
      return Promise.resolve(found[url.href]?.() ?? { ...answer('text/html'), status: 404 })
    },
  }
  return { net, requested }
}
const withImage = (image: string) => `<title>t</title><meta property="og:image" content="${image}">`

describe('SRV-36 pictures of pages', () => {
  test.each([
    ['http://127.0.0.1/x.png', []],
    ['http://169.254.169.254/latest/meta-data/', []],
    ['http://[::ffff:7f00:1]/x.png', []],
    ['file:///etc/passwd', []],
    ['http://x.example:22/', []],
    ['http://user:pass@x.example/', []],
    ['https://printer.inside/x.png', []],
    ['data:image/png;base64,AAAA', []],
    ['https://pic.example/page', ['https://pic.example/page']],
    ['https://pic.example/away', ['https://pic.example/away']],
  ])('SRV-36 the picture %s is left out, and requested only where it is allowed', async (image, requested) => {
    const { net, requested: all } = web({
      'https://a.example/': () => answer('text/html', withImage(image)),
      'https://pic.example/page': () => answer('text/html', 'not a picture'),
      'https://pic.example/away': () => ({
        ...answer('image/png'),
        status: 302,
        location: 'https://printer.inside/x.png',
      }),
    })
    const found = await new Previews(net, new ManualClock()).find('https://a.example/')
    expect(found.title).toBe('t')
    expect(found.image_url).toBeUndefined()
    expect(found.thumb_url).toBeUndefined()
    expect(all.slice(1)).toEqual(requested)
  })

  test('SRV-36 an allowed picture is named and not read; players that a page names are never requested', async () => {
    const html = `${withImage('/x.png')}<meta property="og:video" content="https://v.example/v.mp4">
      <link rel="alternate" type="application/json+oembed" href="https://o.example/oembed">`
    let read = 0
    const { net, requested } = web({
      'https://a.example/': () => answer('text/html', html),
      'https://a.example/x.png': () => ({
        ...answer('image/png'),
        body: (async function* () {
          read += 1
          yield await Promise.resolve(Buffer.alloc(10))
        })(),
      }),
    })
    const found = await new Previews(net, new ManualClock()).find('https://a.example/')
    expect(found.image_url).toBe('https://a.example/x.png')
    expect(requested).toEqual(['https://a.example/', 'https://a.example/x.png'])
    expect(read).toBe(0)
  })
})

test('SRV-37 at most four links are loaded at a time; a failed one is not retried for ten minutes', async () => {
  const clock = new ManualClock()
  const waiting: (() => void)[] = []
  let most = 0
  let requested = 0
  const { net } = web({})
  const previews = new Previews(
    {
      ...net,
      get: () =>
        new Promise((resolve) => {
          requested += 1
          waiting.push(() => resolve({ ...answer('text/html'), status: 404 }))
          most = Math.max(most, waiting.length)
        }),
    },
    clock,
  )
  const lookups = Array.from({ length: 9 }, (_each, at) => outcome(previews.find(`https://s.example/${at}`)))
  for (let turns = 0; turns < 9; turns += 1) {
    await clock.settle()
    waiting.shift()?.()
  }
  await Promise.all(lookups)
  expect(most).toBe(4)
  expect(requested).toBe(9)
  await outcome(previews.find('https://s.example/0'))
  await clock.advance(10 * 60_000 - 1)
  await outcome(previews.find('https://s.example/0'))
  expect(requested).toBe(9)
  await clock.advance(1)
  const again = outcome(previews.find('https://s.example/0'))
  await clock.settle()
  waiting.shift()?.()
  await again
  expect(requested).toBe(10)
})

test('SRV-38 links are loaded ten times a minute and user, including those of sent messages', async () => {
  const { net, requested } = web({})
  const server = await startTestServer({ net, enrichSent: true, clock: new ManualClock() })
  try {
    const ann = await server.connect('ann')
    const room = { type: 'messaging', id: 'links' }
    await ann.call(queryChannel, room, { body: { data: { members: ['ann'] } } })
    for (const part of ['a', 'b', 'c']) {
      const text = [1, 2, 3].map((at) => `https://s.example/${part}${at}`).join(' ')
      await ann.call(sendMessage, room, { body: { message: { text } } })
    }
    const codes: (number | undefined)[] = []
    for (const part of ['x', 'y']) {
      codes.push((await ann.call(getOg, {}, { query: { url: `https://s.example/${part}` } })).body.code)
    }
    expect(codes).toEqual([16, 9])
    expect(requested.filter((url) => !url.endsWith('/y')).length).toBeLessThanOrEqual(10)
  } finally {
    await server.stopAll()
  }
})

test('SRV-39 proxies named by the environment are not used', async () => {
  const before = process.env['HTTP_PROXY']
  process.env['HTTP_PROXY'] = 'http://127.0.0.1:9'
  process.env['http_proxy'] = 'http://127.0.0.1:9'
  try {
    const net = await pages((_request, response) => void response.writeHead(200, HTML).end('direct'))
    const page = await guardedGet('http://direct.example/', net, new ManualClock(), 1_000)
    expect(page.bytes.toString()).toBe('direct')
  } finally {
    delete process.env['http_proxy']
    if (before === undefined) delete process.env['HTTP_PROXY']
    else process.env['HTTP_PROXY'] = before
  }
})
