import { request as requestHttp } from '#main/lib/node-http.ts'
import type { Clock } from '#main/lib/clock.ts'
import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, BlockList } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createGunzip } from 'node:zlib'

/** The network functions of the guard. Tests use an implementation that stays on this machine. */
export type Net = {
  /** Every address of a name; rejects when there is none. */
  resolve(host: string): Promise<readonly string[]>
  /** Addresses of this machine. */
  ownAddresses(): ReadonlySet<string>
  /** Requests exactly this address with the URL's host name. Follows no redirects, sends no cookie and no referrer. */
  get(url: URL, address: string, signal: AbortSignal): Promise<NetAnswer>
}

export type NetAnswer = {
  readonly status: number
  readonly location: string | undefined
  /** Lower case, without parameters. */
  readonly contentType: string
  /** Expanded bytes; reading stops when the loop is left. Throws when more arrives than is allowed. */
  readonly body: AsyncIterable<Uint8Array>
}

/** The link cannot be previewed; the message may be shown to users. */
export class LinkRefused extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'LinkRefused'
  }
}

const MAX_REDIRECTS = 3
const TOTAL_MS = 8_000

export type Page = { readonly url: URL; readonly contentType: string; readonly bytes: Buffer }

/**
 * Gets a page or a picture of the public network: resolves each name once, checks all its addresses, and requests the
 * checked one. Each redirect is checked again. Fails closed.
 *
 * @param maxBytes reading stops there: only the head of a page is needed
 */
export async function guardedGet(text: string, net: Net, clock: Clock, maxBytes: number): Promise<Page> {
  const abort = new AbortController()
  const stop = clock.after(TOTAL_MS, () => abort.abort(new LinkRefused('the page took too long')))
  try {
    return await follow(text, net, abort.signal, maxBytes)
  } catch (error) {
    if (error instanceof LinkRefused) throw error
    throw abort.signal.reason instanceof LinkRefused
      ? abort.signal.reason
      : new LinkRefused('the page could not be read')
  } finally {
    stop()
    abort.abort()
  }
}

async function follow(text: string, net: Net, signal: AbortSignal, maxBytes: number): Promise<Page> {
  let url = openLink(text)
  for (let hops = 0; ; hops += 1) {
    const answer = await within(signal, net.get(url, await checkedAddress(url, net, signal), signal))
    if (answer.status < 300 || answer.status > 399) return readPage(url, answer, signal, maxBytes)
    if (hops === MAX_REDIRECTS || answer.location === undefined) throw new LinkRefused('the link leads on too often')
    url = redirected(url, answer.location)
  }
}

function openLink(text: string): URL {
  const url = checkLink(text)
  if (typeof url === 'string') throw new LinkRefused(url)
  return url
}

function redirected(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw new LinkRefused('the link is not a URL')
  const url = openLink(new URL(location, from.href).href)
  if (from.protocol === 'https:' && url.protocol === 'http:') throw new LinkRefused('the link leads to an open line')
  return url
}

/** All addresses of the name must be public; the first one is requested. */
async function checkedAddress(url: URL, net: Net, signal: AbortSignal): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = await within(signal, net.resolve(host))
  const own = net.ownAddresses()
  const [first] = addresses
  if (first === undefined || addresses.some((address) => !isPublicAddress(address, own))) {
    throw new LinkRefused('the address is not public')
  }
  return first
}

async function readPage(url: URL, answer: NetAnswer, signal: AbortSignal, maxBytes: number): Promise<Page> {
  const { contentType } = answer
  if (answer.status < 200 || answer.status > 299) throw new LinkRefused('the page is not there')
  if (contentType !== 'text/html' && !contentType.startsWith('image/')) {
    throw new LinkRefused('the link leads to no page and no picture')
  }
  if (contentType !== 'text/html') return { url, contentType, bytes: Buffer.alloc(0) }
  return { url, contentType, bytes: await within(signal, readUpTo(answer.body, maxBytes)) }
}

async function readUpTo(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    parts.push(part)
    size += part.length
    if (size >= maxBytes) break
  }
  return Buffer.concat(parts).subarray(0, maxBytes)
}

/** Rejects a step that takes longer than the time limit. */
function within<T>(signal: AbortSignal, step: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    step.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

const CONNECT_MS = 3_000
const MAX_WIRE_BYTES = 1024 * 1024
const MAX_EXPANDED_BYTES = 5 * 1024 * 1024

/** The real network. Proxy variables of the environment are not used: Node's requests ignore them. */
export const systemNet: Net = {
  async resolve(host) {
    if (isIP(host) !== 0) return [host]
    return (await lookup(host, { all: true, verbatim: true })).map((each) => each.address)
  },
  ownAddresses: () =>
    new Set(Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map((one) => one.address))),
  get: (url, address, signal) => pinnedGet(url, address, signal),
}

/**
 * One request to one address: the name is not resolved again, host and SNI are those of the URL.
 *
 * @param port for tests that listen on this machine
 */
export function pinnedGet(url: URL, address: string, signal: AbortSignal, port?: number): Promise<NetAnswer> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const family = isIP(address)
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: 'GET',
        agent: false,
        signal,
        timeout: CONNECT_MS,
        port,
        headers: { Accept: 'text/html, image/*', 'Accept-Encoding': 'gzip', 'User-Agent': 'Parlor link preview' },
        lookup: (_host, options, done) =>
          options.all ? done(null, [{ address, family }]) : done(null, address, family),
      },
      (incoming) => resolve(answerOf(incoming)),
    )
    outgoing.on('timeout', () => outgoing.destroy(new LinkRefused('the page took too long')))
    outgoing.on('error', reject)
    outgoing.end()
  })
}

function answerOf(incoming: IncomingMessage): NetAnswer {
  const [contentType = ''] = (incoming.headers['content-type'] ?? '').toLowerCase().split(';', 1)
  return {
    status: incoming.statusCode ?? 0,
    location: incoming.headers.location,
    contentType: contentType.trim(),
    body: expanded(incoming),
  }
}

/** Limits the received and the expanded bytes: a small body must not expand into a big one. */
async function* expanded(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  const encoding = incoming.headers['content-encoding'] ?? 'identity'
  try {
    if (encoding === 'identity') return yield* capped(incoming, MAX_WIRE_BYTES)
    if (encoding !== 'gzip') throw new LinkRefused('the page is packed in an unknown way')
    const gunzip = createGunzip()
    incoming.on('error', (error) => gunzip.destroy(error))
    let wire = 0
    incoming.on('data', (part: Buffer) => {
      wire += part.length
      if (wire > MAX_WIRE_BYTES) gunzip.destroy(new LinkRefused('the page is too big'))
    })
    incoming.pipe(gunzip)
    yield* capped(gunzip, MAX_EXPANDED_BYTES)
  } finally {
    incoming.destroy()
  }
}

async function* capped(body: AsyncIterable<Uint8Array>, max: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > max) throw new LinkRefused('the page is too big')
    yield part
  }
}

/**
 * Which addresses a link may lead to. All networks of the IANA special-purpose registries are refused, and for IPv6
 * everything outside global unicast: only addresses known to be public are allowed.
 */
const REFUSED_4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['255.255.255.255', 32],
]

const GLOBAL_6 = ['2000::', 3] as const

/** Networks that are not public. Everything outside global unicast is refused anyway. */
const REFUSED_6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['100:0:0:1::', 64],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

export const REFUSED_PREFIXES = REFUSED_4.length + REFUSED_6.length

const refused4 = new BlockList()
for (const [network, bits] of REFUSED_4) refused4.addSubnet(network, bits, 'ipv4')
const refused6 = new BlockList()
for (const [network, bits] of REFUSED_6) refused6.addSubnet(network, bits, 'ipv6')
const global6 = new BlockList()
global6.addSubnet(GLOBAL_6[0], GLOBAL_6[1], 'ipv6')

/**
 * True for an address of the public network.
 *
 * @param own addresses of this machine's own interfaces, in the notation of the system
 */
export function isPublicAddress(address: string, own: ReadonlySet<string> = new Set()): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%') || isOneOf(own, address, family)) return false
  if (family === 4) return !refused4.check(address, 'ipv4')
  return global6.check(address, 'ipv6') && !refused6.check(address, 'ipv6')
}

/** Compares addresses, not texts: an IPv6 address has many notations. */
function isOneOf(own: ReadonlySet<string>, address: string, family: number): boolean {
  const list = new BlockList()
  for (const each of own) {
    const [plain = ''] = each.split('%', 1)
    if (isIP(plain) === family) list.addAddress(plain, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

const PORTS: ReadonlySet<string> = new Set(['', '80', '443'])
const MAX_HOST = 253
const MAX_URL = 2_048

/** The URL of a link that may be followed, or the reason why not. Its resolved addresses are checked separately. */
export function checkLink(text: string): URL | string {
  if (text.length > MAX_URL || !URL.canParse(text)) return 'the link is not a URL'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'only http and https links are followed'
  if (url.username !== '' || url.password !== '') return 'links with a user name are not followed'
  if (!PORTS.has(url.port)) return 'only ports 80 and 443 are followed'
  if (url.hostname === '' || url.hostname.length > MAX_HOST) return 'the host is not valid'
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) return 'the address is not public'
  return url
}
