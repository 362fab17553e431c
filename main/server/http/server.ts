import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer } from '#main/lib/node-http.ts'
import type { Identity } from './auth/identify.ts'
import type { GroupCommit } from '../store/group-commit.ts'
import type { Services } from '../work.ts'
import { countCall, identifyCaller, openCall, successStatus, toRefusal, checkOrigin } from './calls.ts'
import { jsonBytes, MAX_BODY_BYTES, parseBody, parseQuery, type Json } from './json.ts'
import { addressOf, rateHeaders, type Rate } from './limits.ts'
import { durationText, errorBody, Refusal, refuse } from './refusal.ts'
import { Later, type Match } from './router.ts'
import type { Duplex } from 'node:stream'
import { type Socket, isIP } from 'node:net'
import { endOfTurn } from '#main/lib/clock.ts'

const MAX_HEADER_BYTES = 16 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const BODY_TIMEOUT_MS = 30_000
const REQUESTS_PER_CONNECTION = 1_000
/** How often Node checks for overdue headers; its default is half a minute. */
const CHECK_EVERY_MS = 2_000
/** The rest of a refused body is read and dropped for this long, so that the sender can read the response. */
const LINGER_MS = 5_000

/** A request as it is passed to a {@link Special}. */
export type Incoming = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  readonly query: Json
  /** Identifies the caller by token and counts one call of the operation. */
  readonly admit: (operation: string) => Identity
  /** Counts a call of a caller that is already identified. */
  readonly count: (who: Identity, operation: string) => void
}

/** A call whose body or response is not JSON: downloads, uploads, long polling. `undefined` for another path. */
export type Special = (
  incoming: Incoming,
) => { readonly operation: string; readonly run: () => Promise<void> | void } | undefined

type HttpOptions = {
  readonly services: Services
  /** Runs the requests of one event-loop turn in one transaction. */
  readonly groupCommit: GroupCommit
  readonly find: (method: string, path: string) => Match | undefined
  readonly specials: readonly Special[]
  readonly allowedOrigins: ReadonlySet<string>
  /** Certificate and key (PEM) of a port that is not on loopback. */
  readonly tls?: { readonly cert: string; readonly key: string }
}

export function createHttpServer(options: HttpOptions): Server {
  const { services, tls } = options
  const settings = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    // Bodies have their own limits: JSON by time, uploads by speed.
    requestTimeout: 0,
    connectionsCheckingInterval: CHECK_EVERY_MS,
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    measure(request, response, services)
    answer(request, response, options)
      .catch((error: unknown) => {
        services.log.error('answer-failed', { reason: error instanceof Error ? error.name : 'unknown' })
        response.destroy()
      })
      .finally(() => dropRest(request, services))
  }
  const server = tls
    ? createTlsServer({ ...settings, ...tls, minVersion: 'TLSv1.3', handshakeTimeout: HEADERS_TIMEOUT_MS }, onRequest)
    : createServer(settings, onRequest)
  server.maxRequestsPerSocket = REQUESTS_PER_CONNECTION
  refuseBrokenRequests(server, services)
  return server
}

/** Long polls are held on purpose. */
function measure(request: IncomingMessage, response: ServerResponse, { clock, meter }: Services): void {
  if (request.url?.startsWith('/longpoll')) return
  const started = clock.monotonic()
  response.once('close', () => {
    if (response.headersSent) meter.add(response.statusCode, (clock.monotonic() - started) / 1_000)
  })
}

async function answer(request: IncomingMessage, response: ServerResponse, options: HttpOptions): Promise<void> {
  const { services } = options
  const started = services.clock.monotonic()
  const elapsed = () => durationText(services.clock.monotonic() - started)
  let operation = 'Request'
  try {
    checkBeforeRouting(request, response, options)
    if (request.method === 'OPTIONS') return answerPreflight(response)
    const incoming = incomingOf(request, response, services)
    const special = firstOf(options.specials, incoming)
    if (special) {
      operation = special.operation
      return await special.run()
    }
    const match = options.find(request.method ?? 'GET', incoming.url.pathname)
    if (!match) throw new Refusal('doesNotExist', `${incoming.url.pathname.slice(0, 200)} is not served here`)
    operation = match.route.operation
    const reply = await runRoute(match, incoming, options)
    sendJson(response, successStatus(match.route), { ...reply, duration: elapsed() })
  } catch (error) {
    if (isSignInFailure(error)) setRate(response, signInFailed(request, services))
    sendError(response, services, error, operation, elapsed())
  }
}

/** What is checked of every request before it is routed. */
function checkBeforeRouting(request: IncomingMessage, response: ServerResponse, options: HttpOptions): void {
  const { services } = options
  const rate = services.limits.arrive(callerOf(request, services))
  setRate(response, rate)
  checkOrigin(request, services, options.allowedOrigins)
  allowOrigin(request, response)
  if (!rate.allowed) refuse('rateLimit', 'too many requests: wait a little')
  const blocked = services.limits.blocked(callerOf(request, services))
  if (!blocked) return
  setRate(response, blocked)
  refuse('rateLimit', 'too many refused sign-ins: wait a minute')
}

function incomingOf(request: IncomingMessage, response: ServerResponse, services: Services): Incoming {
  const url = urlOf(request.url)
  const query = parseQuery(url.searchParams)
  const count = (who: Identity, operation: string): void =>
    countCall(who, operation, services, (rate) => setRate(response, rate))
  return {
    request,
    response,
    url,
    query,
    count,
    admit(operation) {
      const who = identifyCaller({ query, headers: request.headers }, services, { operation })
      count(who, operation)
      return who
    },
  }
}

/** Accepts a path only: neither another host nor a target that is not a valid URL. */
function urlOf(target: string | undefined): URL {
  const url = target?.startsWith('/') === true ? URL.parse(`http://127.0.0.1${target}`) : null
  return url ?? refuse('input', 'the address is not valid')
}

function firstOf(specials: readonly Special[], incoming: Incoming): ReturnType<Special> {
  for (const special of specials) {
    const found = special(incoming)
    if (found) return found
  }
  return undefined
}

function setRate(response: ServerResponse, rate: Rate): void {
  for (const [name, value] of Object.entries(rateHeaders(rate))) response.setHeader(name, value)
}

/** Counts a refused sign-in; too many of them block the address for a minute. */
export function signInFailed(request: IncomingMessage, services: Services): Rate {
  const rate = services.limits.fail(callerOf(request, services))
  if (rate.remaining === 0) services.log.warn('sign-ins-blocked')
  return rate
}

/** A wrong key or signature counts as guessing; an expired token does not. */
export const isSignInFailure = (error: unknown): boolean =>
  error instanceof Refusal && ['accessKey', 'authentication', 'tokenSignature'].includes(error.codeName)

/**
 * Calls that many users make at once. Calls that change who watches are not among them: the recipients of an event are
 * chosen when it is made, and must still be right when it is sent.
 */
const GROUP_COMMITTED: ReadonlySet<string> = new Set([
  'SendMessage',
  'UpdateMessage',
  'UpdateMessagePartial',
  'DeleteMessage',
  'SendReaction',
  'DeleteReaction',
  'MarkRead',
])

async function runRoute(match: Match, incoming: Incoming, { services, groupCommit }: HttpOptions): Promise<object> {
  const { request, query } = incoming
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) refuse('payloadTooBig', 'the body is too big')
  const run = openCall(match, { query, headers: request.headers }, services, (rate) => setRate(incoming.response, rate))
  const body = hasBody(request) ? parseBody(await readBody(request, services)) : {}
  const reply = GROUP_COMMITTED.has(match.route.operation)
    ? await groupCommit((within) => run(body, within))
    : run(body)
  return reply instanceof Later ? reply.finish() : reply
}

function hasBody(request: IncomingMessage): boolean {
  const { method } = request
  const type = request.headers['content-type']
  // A DELETE may carry its arguments in a JSON body; a body of another type is ignored.
  if (method === 'GET' || (method === 'DELETE' && !isJson(type))) return false
  const empty = request.headers['content-length'] === '0' || (!type && !request.headers['transfer-encoding'])
  if (empty && !type) return false
  if (type && !isJson(type)) refuse('input', 'the body must be application/json')
  return true
}

const isJson = (type: string | undefined): boolean => /^application\/json[ \t]*(?:;|$)/i.test(type ?? '')

/** The JSON body of a {@link Special}. */
export async function readJson(request: IncomingMessage, services: Services): Promise<Json> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) refuse('payloadTooBig', 'the body is too big')
  return hasBody(request) ? parseBody(await readBody(request, services)) : {}
}

/** The body of a {@link Special}, whatever its type is. */
export async function readText(request: IncomingMessage, services: Services, maxBytes: number): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) refuse('payloadTooBig', 'the body is too big')
  return readBody(request, services, maxBytes)
}

function readBody(request: IncomingMessage, services: Services, maxBytes = MAX_BODY_BYTES): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    const stop = services.clock.after(BODY_TIMEOUT_MS, () =>
      reject(new Refusal('requestTimeout', 'the body took too long')),
    )
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size > maxBytes) reject(new Refusal('payloadTooBig', 'the body is too big'))
      else parts.push(part)
    })
    const onCut = () => {
      stop()
      reject(new Refusal('requestTimeout', 'the request was cut off'))
    }
    request.on('error', onCut)
    request.on('close', onCut)
    request.on('end', () => {
      stop()
      // Every request closes; an error that nobody gets is still made with its stack.
      request.off('close', onCut)
      resolve(Buffer.concat(parts).toString('utf8'))
    })
  })
}

/**
 * After the response, the rest of an unfinished request is read and dropped for a while, then the connection is cut.
 */
function dropRest(request: IncomingMessage, services: Services): void {
  if (request.complete || request.destroyed) return
  const stop = services.clock.after(LINGER_MS, () => request.socket.destroy())
  request.once('close', stop)
  request.unpipe()
  request.resume()
}

export const sendJson = (response: ServerResponse, status: number, body: object): void =>
  sendBytes(response, status, jsonBytes(body))

/** Sends text that is already JSON. */
export const sendText = (response: ServerResponse, status: number, json: string): void =>
  sendBytes(response, status, Buffer.from(json))

function sendBytes(response: ServerResponse, status: number, bytes: Buffer): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
  })
  response.end(bytes)
}

function sendError(
  response: ServerResponse,
  services: Services,
  error: unknown,
  operation: string,
  duration: string,
): void {
  const refusal = toRefusal(error, services, operation)
  if (refusal.codeName === 'rateLimit') {
    const seconds = Number(response.getHeader('X-Ratelimit-Reset')) - services.clock.now() / 1_000
    response.setHeader('Retry-After', String(Math.max(1, Math.ceil(seconds))))
  }
  sendJson(response, refusal.status, errorBody(refusal, operation, duration))
}

const ALLOWED_HEADERS = 'Authorization, Content-Type, stream-auth-type, X-Stream-Client, x-client-request-id'

function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': ALLOWED_HEADERS,
    'Access-Control-Max-Age': '600',
  })
  response.end()
}

/** The origin was already checked, so echoing it is safe. Native clients send none and need no headers. */
function allowOrigin(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.origin === undefined) return
  response.setHeader('Access-Control-Allow-Origin', request.headers.origin)
  response.setHeader('Access-Control-Expose-Headers', 'X-Ratelimit-Limit, X-Ratelimit-Remaining, X-Ratelimit-Reset')
  response.setHeader('Vary', 'Origin')
}

/**
 * Responds to what Node's HTTP parser rejects before a request exists: headers too big or too slow, and bytes that are not
 * HTTP.
 */
function refuseBrokenRequests(server: Server, services: Services): void {
  const answering = new WeakSet<Duplex>()
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    answering.add(socket)
    response.once('close', () => answering.delete(socket))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // A second response in the middle of another one would be read as part of it.
    if (!socket.writable || error.code === 'ECONNRESET' || answering.has(socket)) return void socket.destroy()
    const rate = services.limits.arrive(addressOf((socket as Socket).remoteAddress))
    writeRefusal(socket, refusalOf(error), 'Request', rateHeaders(rate))
  })
}

function refusalOf({ code }: NodeJS.ErrnoException): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal('headerTooBig', 'the headers are too big')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('requestTimeout', 'the headers took too long')
  return new Refusal('input', 'this is not a request')
}

/** Writes a whole response on a bare socket and ends it. */
export function writeRefusal(
  socket: Duplex,
  refusal: Refusal,
  operation: string,
  headers: Readonly<Record<string, string>>,
): void {
  const body = JSON.stringify(errorBody(refusal, operation, durationText(0)))
  const lines = Object.entries({
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${refusal.status} Refused\r\n${lines.join('')}\r\n${body}`)
}

/** Requests that are running when the server stops may take this long to finish. */
const STOP_WAIT_MS = 3_000

/** Accepts nothing new, lets running requests finish, and cuts those that are too slow. */
export async function drained(http: Server, { clock, log }: Pick<Services, 'clock' | 'log'>): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  // Before all other listeners: one that responds at once leaves no time to set another header.
  http.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  http.on('request', (_request, response) => response.once('close', () => endOfTurn(() => http.closeIdleConnections())))
  http.closeIdleConnections()
  const giveUp = clock.after(STOP_WAIT_MS, () => {
    log.warn('cut-at-stop')
    http.closeAllConnections()
  })
  await closed
  giveUp()
}

/** Proxies whose `X-Forwarded-For` is believed, by their addresses as {@link plainAddress} writes them. */
export type Proxies = Pick<ReadonlySet<string>, 'has'>

/** An IPv4 address that a socket of both families shows as IPv6, as IPv4. */
export const plainAddress = (remote: string | undefined): string => (remote ?? '').replace(/^::ffff:/i, '')

/**
 * The address that the limits count. Behind a proxy it is the last one in `X-Forwarded-For` that is no proxy of ours:
 * those before it are only what the caller says about itself. From anyone else the header means nothing.
 */
export function callerOf(
  request: Pick<IncomingMessage, 'socket' | 'headersDistinct'>,
  { door }: Pick<Services, 'door'>,
): string {
  const proxies = door?.proxies
  const { remoteAddress } = request.socket
  if (!proxies?.has(plainAddress(remoteAddress))) return addressOf(remoteAddress)
  const forwarded = (request.headersDistinct['x-forwarded-for'] ?? []).join(',').split(',')
  const last = forwarded.map((each) => plainAddress(each.trim())).findLast((each) => !proxies.has(each))
  return addressOf(last !== undefined && isIP(last) !== 0 ? last : remoteAddress)
}
