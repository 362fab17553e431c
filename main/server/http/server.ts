import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { WIRE_CODES } from '#shared/wire/errors.ts'
import type { Identity } from '../auth/identify.ts'
import type { Services } from '../work.ts'
import { identifyCaller, openCall, successStatus, toRefusal, type Asked } from './calls.ts'
import { MAX_BODY_BYTES, parseBody, parseQuery, type Json } from './json.ts'
import { rateHeaders } from './limits.ts'
import { checkOrigin } from './origin.ts'
import { durationText, errorBody, Refusal, refuse } from './refusal.ts'
import type { Match } from './router.ts'

/** Source: reliability paper 5.7. */
const MAX_HEADER_BYTES = 16 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const REQUESTS_PER_CONNECTION = 1_000

/** A request as the pipeline hands it on. */
export type Incoming = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  readonly query: Json
}

/** Paths that are no JSON calls (downloads, uploads, long poll). Answers false for what is not theirs. */
export type Special = (incoming: Incoming, identifyCaller: () => Identity) => Promise<boolean> | boolean

export type HttpOptions = {
  readonly services: Services
  readonly find: (method: string, path: string) => Match | undefined
  readonly specials: readonly Special[]
  readonly allowedOrigins: ReadonlySet<string>
}

export function makeHttpServer(options: HttpOptions): Server {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      answer(request, response, options).catch((error: unknown) => {
        options.services.log.error('answer-failed', { reason: error instanceof Error ? error.name : 'unknown' })
        response.destroy()
      })
    },
  )
  server.maxRequestsPerSocket = REQUESTS_PER_CONNECTION
  server.on('clientError', onClientError)
  return server
}

async function answer(request: IncomingMessage, response: ServerResponse, options: HttpOptions): Promise<void> {
  const { services } = options
  const started = services.clock.monotonic()
  const elapsed = () => durationText(services.clock.monotonic() - started)
  let operation = 'Request'
  try {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    checkOrigin(request, services.baseUrl(), options.allowedOrigins)
    if (request.method === 'OPTIONS') return answerPreflight(request, response)
    if (services.limits.isBlocked(addressOf(request))) refuse('rateLimit', 'too many refused sign-ins: wait a minute')
    const incoming: Incoming = { request, response, url, query: parseQuery(url.searchParams) }
    allowOrigin(request, response)
    for (const special of options.specials) {
      if (await special(incoming, () => identifyCaller(askedOf(incoming), services))) return
    }
    const match = options.find(request.method ?? 'GET', url.pathname)
    if (!match) throw new Refusal('doesNotExist', 'there is no such endpoint')
    operation = match.route.operation
    const reply = await runRoute(match, incoming, services)
    sendJson(response, services, successStatus(match.route), { ...reply, duration: elapsed() })
  } catch (error) {
    if (isSignInFailure(error)) services.limits.fail(addressOf(request))
    sendError(response, services, error, operation, elapsed())
  }
}

const addressOf = (request: IncomingMessage): string => request.socket.remoteAddress ?? ''

/** An expired token is an honest person's; a wrong key or signature is a guess. */
const isSignInFailure = (error: unknown): boolean =>
  error instanceof Refusal && ['accessKey', 'authentication', 'tokenSignature'].includes(error.codeName)

async function runRoute(match: Match, incoming: Incoming, services: Services): Promise<object> {
  const { request } = incoming
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) refuse('payloadTooBig', 'the body is too big')
  const run = openCall(match, askedOf(incoming), services, (rate) => {
    for (const [name, value] of Object.entries(rateHeaders(rate))) incoming.response.setHeader(name, value)
  })
  return run(hasBody(request) ? parseBody(await readBody(request)) : {})
}

const askedOf = ({ request, query }: Incoming): Asked => ({ query, headers: request.headers })

function hasBody(request: IncomingMessage): boolean {
  if (request.method === 'GET' || request.method === 'DELETE') return false
  const type = request.headers['content-type']
  const empty = request.headers['content-length'] === '0' || (!type && !request.headers['transfer-encoding'])
  if (empty && !type) return false
  if (type && !/^application\/json\b/i.test(type)) refuse('input', 'the body must be application/json')
  return true
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size > MAX_BODY_BYTES) return reject(new Refusal('payloadTooBig', 'the body is too big'))
      parts.push(part)
    })
    request.on('end', () => resolve(Buffer.concat(parts).toString('utf8')))
    request.on('error', reject)
    request.on('aborted', () => reject(new Refusal('requestTimeout', 'the request was cut off')))
  })
}

export const sendJson = (response: ServerResponse, services: Services, status: number, body: object): void =>
  sendText(response, services, status, JSON.stringify(body))

/** Answers what is JSON already. */
export function sendText(response: ServerResponse, services: Services, status: number, json: string): void {
  if (response.headersSent || response.destroyed) return
  const bytes = Buffer.from(json)
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(response.hasHeader('X-Ratelimit-Limit') ? {} : noRate(services)),
  })
  response.end(bytes)
}

/** Of an answer to nobody in particular. Source: wire contract 1.9. */
function noRate(services: Services): Record<string, string> {
  const nextMinute = (Math.floor(services.clock.now() / 60_000) + 1) * 60
  return {
    'X-Ratelimit-Limit': '10000',
    'X-Ratelimit-Remaining': '9999',
    'X-Ratelimit-Reset': String(nextMinute),
  }
}

export function sendError(
  response: ServerResponse,
  services: Services,
  error: unknown,
  operation: string,
  duration: string,
): void {
  const refusal = toRefusal(error, services, operation)
  if (WIRE_CODES[refusal.codeName].status === 413) response.setHeader('Connection', 'close')
  sendJson(response, services, refusal.status, errorBody(refusal, operation, duration))
}

const ALLOWED_HEADERS = 'Authorization, Content-Type, stream-auth-type, X-Stream-Client, x-client-request-id'

function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  allowOrigin(request, response)
  response.writeHead(204, {
    'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': ALLOWED_HEADERS,
    'Access-Control-Max-Age': '600',
  })
  response.end()
}

/** The origin was checked before: naming it is safe. Without one there is nothing to allow. */
function allowOrigin(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.origin === undefined) return
  response.setHeader('Access-Control-Allow-Origin', request.headers.origin)
  response.setHeader('Access-Control-Expose-Headers', 'X-Ratelimit-Limit, X-Ratelimit-Remaining, X-Ratelimit-Reset')
  response.setHeader('Vary', 'Origin')
}

/** What Node's parser refuses before a request exists. */
function onClientError(error: NodeJS.ErrnoException, socket: import('node:stream').Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const tooBig = error.code === 'HPE_HEADER_OVERFLOW'
  const refusal = tooBig ? new Refusal('headerTooBig', 'the headers are too big') : new Refusal('input', 'bad request')
  const body = JSON.stringify(errorBody(refusal, 'Request', durationText(0)))
  socket.end(
    `HTTP/1.1 ${refusal.status} Refused\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
