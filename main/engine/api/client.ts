import { HTTP_TIMEOUT_MS } from '#shared/constants.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { callRefusal } from '#shared/rules/server/call-refusals.ts'
import { backoffMs } from '#shared/rules/server/retry.ts'
import type { Endpoint, None, Params } from '#shared/wire/endpoint.ts'
import { WIRE_CODES } from '#shared/wire/errors.ts'
import type { UploadReply } from '#shared/wire/uploads.ts'
import { pause, type Clock } from '#main/lib/clock.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import {
  type HttpResponse,
  type HttpFileBody,
  type HttpPort,
  type HttpRequest,
  type Ports,
  TransportError,
} from '../ports.ts'
import type { ServerClock } from '../session/server-clock.ts'
import { isSecureAddress, mayDownload } from '../session/server-url.ts'
import type { TokenManager } from '../session/token.ts'
import { mismatchIn, type Call } from './answers.ts'
import { ApiError, type Failure } from './errors.ts'

type Part<Name extends string, T> = [T] extends [None]
  ? { readonly [K in Name]?: undefined }
  : Partial<T> extends T
    ? { readonly [K in Name]?: T }
    : { readonly [K in Name]: T }

/** Arguments of one endpoint: parameters, query and body exactly where the endpoint declares them. */
type ApiRequest<Path extends string, Query, Body> = ([keyof Params<Path>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: Params<Path> }) &
  Part<'query', Query> &
  Part<'body', Body> & {
    readonly signal?: AbortSignal
    /** The channel of the object, if neither path nor body names it: the response must not name another. */
    readonly cid?: string
  }

/** Query values as the contract encodes them: undefined omitted, objects as JSON, `null` as text. docs/wire.md 1.2. */
export function queryText(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    query.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return query.toString()
}

/** The endpoint's path with its parameters percent-encoded. Throws if one is missing, a bug of the caller. */
function pathOf(endpoint: Endpoint, params: Readonly<Record<string, string>> = {}): string {
  return endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') throw new Error(`Impossible: ${endpoint.operation} without ${name}`)
    return encodeURIComponent(value)
  })
}

/** An address for the log without query, fragment and credentials: they contain tokens and search terms. */
function printableUrl(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.protocol}//${parsed.host}${parsed.pathname}` : '<not an address>'
}

type ApiOptions = {
  /**
   * Checked by `checkServerUrl`: no trailing slash, https or loopback. A function if the address can change (a local server
   * that was restarted); it is called after the token is ready.
   */
  readonly baseUrl: string | (() => string)
  readonly apiKey: string
  /** Absent for calls with a server token. */
  readonly userId?: string
  /** `X-Stream-Client`: free text, for example `parlor-v0.1.0`. */
  readonly clientName: string
  readonly tokens: TokenManager
  readonly serverClock: ServerClock
  readonly ports: Pick<Ports, 'clock' | 'ids' | 'http' | 'log'>
}

type UploadRequest = {
  /** The channel of the file; absent: none. */
  readonly params?: { readonly type: string; readonly id: string }
  readonly file: HttpFileBody
  readonly signal?: AbortSignal
}

type DownloadRequest = { readonly maxBytes: number; readonly signal?: AbortSignal }
type Downloaded = { readonly mimeType: string; readonly sizeBytes: number }

/** Attempts of one call inside the client: the first, and one after a new token, a rate limit or a clock error. */
const MAX_TRIES = 3
/** A `Date` header is cut to full seconds: the middle of the second is the best estimate. */
const DATE_HEADER_ERROR_MS = 500
/** Limit for a whole download. At the maximum size this is about 3 Mbit/s; slower downloads are tried again. */
const DOWNLOAD_TIMEOUT_MS = 300_000

/** A rejected token is replaced before the next call, but at most this often. */
const DOUBT_EVERY_MS = 10_000
/** An upload without progress, or without a response after its last byte, is aborted after this time. */
export const STALL_MS = 30_000
/** Allowance beyond the host's own time limit. */
const GRACE_MS = 5_000

type Repeat = { token: string; operation: string; attempt: number; signal: AbortSignal | undefined }

/**
 * Typed calls to one server as one user. All reject with an {@link ApiError} or the token manager's error. A call with
 * missing parts is a bug of the caller: it is never sent, and rejects with the text of `callRefusal`.
 */
export class Api {
  readonly #options: ApiOptions
  readonly #clock: Clock
  readonly #log: Logger
  readonly #gate: RateGate
  #connectionId: string | undefined
  #consecutiveFailures = 0
  #doubted: string | undefined
  #replacedAt = -Infinity

  constructor(options: ApiOptions) {
    this.#options = options
    const { clock, ids, log } = options.ports
    this.#clock = clock
    this.#log = logger('api', log)
    this.#gate = createRateGate(clock, () => ids.random())
  }

  async send<Path extends string, Query, Body, Reply>(
    endpoint: Endpoint<Path, Query, Body, Reply>,
    request: ApiRequest<Path, Query, Body>,
  ): Promise<Reply> {
    const refusal = callRefusal(endpoint.operation, request)
    if (refusal !== undefined) throw new AppError('internal', { detail: refusal })
    return this.#perform<Reply>(endpoint.operation, request, (token) => ({
      method: endpoint.method,
      url: this.#address(pathOf(endpoint, request.params), request.query ?? {}),
      headers: {
        ...this.#headers(token),
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      timeoutMs: HTTP_TIMEOUT_MS,
      signal: request.signal,
    }))
  }

  /** Streams a staged file as the multipart part `file`. It may take any time as long as it makes progress. */
  upload(endpoint: Endpoint<string, None, None, UploadReply>, request: UploadRequest): Promise<UploadReply> {
    return this.#perform<UploadReply>(endpoint.operation, request, (token) => ({
      method: endpoint.method,
      url: this.#address(pathOf(endpoint, request.params ?? {}), {}),
      headers: this.#headers(token),
      body: request.file,
      signal: request.signal,
    }))
  }

  /**
   * Fetches bytes into a file. The token goes only to the server itself; other hosts must be public and https, anything
   * else rejects with `media/address-refused`.
   */
  async download(url: string, toPath: string, request: DownloadRequest): Promise<Downloaded> {
    const ready = await this.#readyToken('Download')
    const decision = mayDownload(url, this.#baseUrl())
    if (!decision.ok) throw decision.error
    const token = decision.value === 'own' ? ready : ''
    return downloadTo(this.#options, { url, toPath, request, token })
  }

  /** The realtime connection that watching binds to; absent while there is none. */
  setConnectionId(id: string | undefined): void {
    this.#connectionId = id
  }

  #baseUrl(): string {
    return typeof this.#options.baseUrl === 'string' ? this.#options.baseUrl : this.#options.baseUrl()
  }

  #address(path: string, query: Readonly<Record<string, unknown>>): string {
    const { apiKey, userId } = this.#options
    // Without a user, which is with a server token, the request may name one.
    const who = userId === undefined ? {} : { user_id: userId }
    const common = { api_key: apiKey, ...who, connection_id: this.#connectionId }
    return `${this.#baseUrl()}${path}?${queryText({ ...query, ...common })}`
  }

  #headers(token: string): Record<string, string> {
    return {
      ...(token === '' ? {} : { authorization: token }),
      'stream-auth-type': this.#options.tokens.authType,
      'x-stream-client': this.#options.clientName,
      'x-client-request-id': this.#options.ports.ids.uuid(),
      accept: 'application/json',
    }
  }

  /** Repeats where the contract leaves that to the client: after a new token, a rate limit or a clock error. */
  async #perform<Reply>(
    operation: string,
    call: Omit<Call, 'me'>,
    build: (token: string) => HttpRequest,
  ): Promise<Reply> {
    for (let attempt = 1; ; attempt += 1) {
      const token = await this.#readyToken(operation)
      const request = build(token)
      await this.#waitForTurn(operation, request.signal)
      const outcome = await this.#once(operation, call, request)
      if (!(outcome instanceof ApiError)) {
        this.#consecutiveFailures = 0
        return outcome as Reply
      }
      this.#consecutiveFailures += 1
      if (outcome.class === 'auth' && outcome.wireCode !== WIRE_CODES.authentication.code) this.#doubted = token
      this.#log.debug('refused', { operation, code: outcome.code, attempt, url: printableUrl(request.url) })
      if (
        attempt >= MAX_TRIES ||
        !(await this.#prepareRepeat(outcome, { token, operation, attempt, signal: request.signal }))
      )
        throw outcome
    }
  }

  async #once(operation: string, call: Omit<Call, 'me'>, request: HttpRequest): Promise<object | ApiError> {
    let answer: HttpResponse
    try {
      answer = await limited(this.#clock, this.#options.ports.http, request)
    } catch (cause) {
      return new ApiError(transportFailure(cause), { operation, cause })
    }
    this.#noteServerTime(answer)
    const reply = replyOf(answer)
    if (!('kind' in reply)) {
      const stray = mismatchIn(operation, { ...call, me: this.#options.userId }, reply.body)
      if (stray === undefined) return reply.body
      this.#log.warn('wrong-answer', { operation, stray })
      return new ApiError({ kind: 'wrong-answer', status: answer.status, stray }, { operation })
    }
    const retryAfterMs = answer.status === 429 ? this.#pauseOperation(operation, answer) : undefined
    return new ApiError(reply, { operation, retryAfterMs })
  }

  async #prepareRepeat(error: ApiError, call: Repeat): Promise<boolean> {
    const { token, operation, attempt, signal } = call
    if (error.class === 'rate') return attempt === 1 && (error.retryAfterMs ?? Infinity) <= RATE_WAIT_CAP_MS
    if (error.class === 'token') {
      if (!this.#options.tokens.renewable || attempt > 1) return false
      await this.#renew(token, operation)
      return true
    }
    if (error.class !== 'clock') return false
    await this.#backOff(signal)
    if (this.#options.tokens.renewable) await this.#renew(token, operation)
    return !signal?.aborted
  }

  async #readyToken(operation: string): Promise<string> {
    if (this.#doubted !== undefined && this.#clock.monotonic() - this.#replacedAt >= DOUBT_EVERY_MS) {
      const spent = this.#doubted
      this.#doubted = undefined
      this.#replacedAt = this.#clock.monotonic()
      await this.#options.tokens.replace(spent)
    }
    try {
      return await this.#options.tokens.ready()
    } catch (cause) {
      throw new ApiError({ kind: 'no-token' }, { operation, cause })
    }
  }

  async #renew(spent: string, operation: string): Promise<void> {
    try {
      await this.#options.tokens.renew(spent)
    } catch (cause) {
      throw new ApiError({ kind: 'no-token' }, { operation, cause })
    }
  }

  #backOff(signal: AbortSignal | undefined): Promise<void> {
    return pause(this.#clock, backoffMs(this.#consecutiveFailures, this.#options.ports.ids.random()), signal)
  }

  async #waitForTurn(operation: string, signal: AbortSignal | undefined): Promise<void> {
    const left = this.#gate.leftMs(operation)
    if (left > RATE_WAIT_CAP_MS) {
      throw new ApiError({ kind: 'answer', status: 429, wireCode: 9 }, { operation, retryAfterMs: left })
    }
    if (left > 0) await pause(this.#clock, left, signal)
    if (signal?.aborted) throw new ApiError({ kind: 'transport', transport: 'aborted', sent: false }, { operation })
  }

  #pauseOperation(operation: string, answer: HttpResponse): number {
    return this.#gate.pause(
      operation,
      resetInMs(answer.headers, this.#options.serverClock.now()) ??
        backoffMs(this.#consecutiveFailures + 1, this.#options.ports.ids.random()),
    )
  }

  #noteServerTime(answer: HttpResponse): void {
    const date = Date.parse(answer.headers['date'] ?? '')
    if (!Number.isNaN(date)) this.#options.serverClock.note(date + DATE_HEADER_ERROR_MS, DATE_HEADER_ERROR_MS)
  }
}

async function downloadTo(
  options: ApiOptions,
  job: { url: string; toPath: string; request: DownloadRequest; token: string },
): Promise<Downloaded> {
  const operation = 'Download'
  const request: HttpRequest = {
    method: 'GET',
    url: job.url,
    headers: job.token !== '' && isSecureAddress(job.url) ? { authorization: job.token } : {},
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    stallMs: STALL_MS,
    signal: job.request.signal,
  }
  let answer: { status: number; mimeType: string; sizeBytes: number }
  try {
    answer = await options.ports.http.download(request, job.toPath, job.request.maxBytes)
  } catch (cause) {
    throw new ApiError(transportFailure(cause), { operation, cause })
  }
  if (answer.status < 200 || answer.status > 299) throw new ApiError(statusFailure(answer.status), { operation })
  return { mimeType: answer.mimeType, sizeBytes: answer.sizeBytes }
}

/**
 * Ensures that every request ends, whatever the network does: an upload when it stops making progress, anything else a
 * little after the time limit that the host was given.
 */
function limited(clock: Clock, http: HttpPort, request: HttpRequest): Promise<HttpResponse> {
  const { body, timeoutMs = HTTP_TIMEOUT_MS } = request
  const limitMs = typeof body === 'object' ? STALL_MS : timeoutMs + GRACE_MS
  const over = new AbortController()
  return new Promise((resolve, reject) => {
    let stop = clock.after(limitMs, end)
    function end(): void {
      reject(new TransportError('timeout', true))
      over.abort()
    }
    const onProgress = (sentBytes: number): void => {
      if (over.signal.aborted || typeof body !== 'object') return
      stop()
      stop = clock.after(limitMs, end)
      body.onProgress(sentBytes)
    }
    const tracked = typeof body === 'object' ? watched(request, { ...body, onProgress }, over.signal) : request
    void http
      .request(tracked)
      .then(resolve, reject)
      .finally(() => stop())
  })
}

const watched = ({ signal, ...request }: HttpRequest, body: HttpFileBody, over: AbortSignal): HttpRequest => ({
  ...request,
  body,
  signal: signal ? AbortSignal.any([signal, over]) : over,
})

function transportFailure(cause: unknown): Failure {
  if (!(cause instanceof TransportError)) throw cause
  return { kind: 'transport', transport: cause.kind, sent: cause.sent }
}

const statusFailure = (status: number): Failure =>
  status >= 300 && status < 400 ? { kind: 'redirect', status } : { kind: 'answer', status }

/** A JSON object with 2xx is the reply; everything else is a failure with as much as could be read. */
function replyOf(answer: HttpResponse): { body: object } | Failure {
  const { status } = answer
  const body = jsonObject(answer.text)
  if (status >= 200 && status < 300) return body ? { body } : { kind: 'foreign-answer', status }
  if (status >= 300 && status < 400) return { kind: 'redirect', status }
  const { code, message, unrecoverable } = (body ?? {}) as Record<string, unknown>
  return {
    kind: 'answer',
    status,
    wireCode: typeof code === 'number' ? code : undefined,
    message: typeof message === 'string' ? message : undefined,
    unrecoverable: unrecoverable === true,
  }
}

function jsonObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    // Not JSON: proxies and captive portals send HTML or plain text.
    return undefined
  }
}

/** The longest a call itself waits; for longer pauses it fails at once with the time left. See docs/wire.md 1.9. */
const RATE_WAIT_CAP_MS = 25_000
/** Random spread of the first calls after a reset. */
const JITTER_MS = 1_000
/** A larger value in the header is invalid. */
const PAUSE_CAP_MS = 10 * 60_000
/** Smaller numbers are seconds from now, larger ones a time in epoch seconds. */
const EPOCH_SECONDS_FROM = 1_000_000_000

/**
 * Milliseconds until the limit resets, from `X-RateLimit-Reset` (epoch seconds) or `Retry-After` (seconds). Both also
 * occur as `300, 300` and with invalid values: the first number counts; without one the result is `undefined`.
 */
function resetInMs(headers: Readonly<Record<string, string>>, serverNow: number): number | undefined {
  const text = headers['x-ratelimit-reset'] ?? headers['retry-after']
  const seconds = Number(/^\s*(\d{1,12})/.exec(text ?? '')?.[1] ?? Number.NaN)
  if (!Number.isFinite(seconds)) return undefined
  const waitMs = seconds >= EPOCH_SECONDS_FROM ? seconds * 1_000 - serverNow : seconds * 1_000
  return Math.min(Math.max(0, waitMs), PAUSE_CAP_MS)
}

/** Which operations are paused, and for how long. One paused operation does not stop the others. */
type RateGate = {
  pause(operation: string, waitMs: number): number
  /** Milliseconds left, jitter included; 0 when the operation may be called. */
  leftMs(operation: string): number
}

function createRateGate(clock: Clock, random: () => number): RateGate {
  const until = new Map<string, number>()
  return {
    pause(operation, waitMs) {
      const total = waitMs + Math.floor(random() * JITTER_MS)
      until.set(operation, clock.monotonic() + total)
      return total
    },
    leftMs(operation) {
      const left = (until.get(operation) ?? 0) - clock.monotonic()
      if (left > 0) return left
      until.delete(operation)
      return 0
    },
  }
}
