import { lookup } from 'node:dns/promises'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createGunzip } from 'node:zlib'
import { LinkRefused, type Net, type NetAnswer } from './fetch.ts'

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
