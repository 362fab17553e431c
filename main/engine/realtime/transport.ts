import * as v from 'valibot'
import type { Connection } from '#shared/domain/session.ts'
import type { UnknownEvent, WireEvent } from '#shared/wire/events.ts'
import type { WireOwnUser, WireUser } from '#shared/wire/objects.ts'
import {
  INITIAL_CONNECT_MS,
  INITIAL_CONNECT_WITH_FALLBACK_MS,
  LONGPOLL_CONNECT_MS,
  CLOSE_WAIT_MS,
  LONGPOLL_CLOSE_MS,
  LONGPOLL_TIMEOUT_MS,
} from '#shared/constants.ts'
import { CLOSE_CODES, slotMsOf, type StaggeredClose } from '#shared/wire/connect.ts'
import { backoffMs } from '#shared/rules/server/retry.ts'
import { type Clock, pause } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import { logger, type LogSink } from '#main/lib/logger.ts'
import { type Ports, type Socket, type SocketPort, type HttpResponse, type HttpPort, TransportError } from '../ports.ts'
import type { ServerClock } from '../session/server-clock.ts'
import type { TokenManager } from '../session/token.ts'
import { queryText } from '../api/client.ts'
import { classify, type Failure } from '../api/errors.ts'

/** A way to hold a live connection to the server: a websocket, or long-polling. */
type Transport = {
  readonly kind: 'websocket' | 'longpoll'
  /**
   * Connects at once. Exactly one `onLost` follows when the connection ends, unless `drop` or `close` was called
   * first.
   */
  open(dial: Dial, handlers: TransportHandlers): TransportConnection
}

export type Dial = {
  readonly token: string
  readonly authType: 'jwt' | 'anonymous'
  /** The `json` parameter. See docs/wire.md 2.2. */
  readonly payload: string
}

type TransportHandlers = {
  /** One parsed frame with unchecked content. */
  onFrame(frame: unknown): void
  onLost(loss: Loss): void
}

export type Loss = {
  /** `ended`: the server ended the session permanently (close code 1000); otherwise it may be tried again. */
  readonly kind: 'ended' | 'lost'
  readonly code: number
  readonly reason: string
}

export type TransportConnection = {
  /** Keep-alive; does nothing if the transport needs none. */
  ping(clientId: string): void
  /** Closes properly; resolves when the peer has responded, or after the close timeout. */
  close(): Promise<void>
  /** Ends at once; no callback follows. */
  drop(): void
}

/** Passed each time the connection became healthy. `first` is false after a reconnect: then recovery is due. */
export type Healthy = {
  /** The own user with its counts; absent only if the server omitted it. */
  readonly me: WireOwnUser | undefined
  readonly connectionId: string
  readonly first: boolean
}

export type ConnectionHandlers = {
  /**
   * The whole entity, at every change. `offline` already includes the 5 s delay. `silentMs`: how long nothing was received
   * before a connection was dropped that did not report its end.
   */
  onState(connection: Connection, silentMs?: number): void
  /** Called before any event of this connection. Events of the previous connection have been passed on already. */
  onHealthy(healthy: Healthy): void
  /** Whether a window of this account has the focus. */
  isFocused?(): boolean
  /** All events of one turn, in order of arrival. Health checks are not among them. */
  onEvents(events: readonly (WireEvent | UnknownEvent)[]): void
}

export type ConnectionOptions = {
  readonly ports: Pick<Ports, 'clock' | 'ids' | 'log'>
  readonly transport: Transport
  /** Used while the first transport cannot get through; the first is tried again in the background. */
  readonly fallback?: Transport
  /** Whether the server's address responds, by the cheapest request there is. Called only while a window is focused. */
  readonly probe?: () => Promise<boolean>
  readonly tokens: TokenManager
  readonly serverClock: ServerClock
  /** Sent as `user_details`; the server upserts the user from it. At least `id`. */
  readonly user: WireUser
  readonly handlers: ConnectionHandlers
}

export type ConnectionControl = {
  /** Begins to connect; returns at once. Throws `session/connect-twice` if it was started and not stopped. */
  start(): void
  /** Closes the connection properly and clears all timers. */
  stop(): Promise<void>
  /** Tries now instead of at the planned time; also ends a block. */
  reconnectNow(): void
  /** The user is active (focused a window, pressed a key): a delayed attempt is made now, at a limited rate. */
  onActivity(): void
  /** The device lost its network: only a hint, the connection may still work. */
  networkOffline(): void
  /** The device has a network again. */
  networkOnline(): void
  /** The device woke from sleep. */
  resumed(): void
  state(): Connection
  /** Number of skipped frames that were neither an event nor an error. */
  malformedFrames(): number
}

/** Failed attempts with the first transport in a row before the fallback is tried. */
const DIALS_BEFORE_FALLBACK = 2

/** Chooses the transport: the first, and the fallback where the first does not get through. */
export class TransportChoice {
  readonly first: Transport
  readonly #fallback: Transport | undefined
  #now: Transport
  #failedDials = 0

  constructor(first: Transport, fallback: Transport | undefined) {
    this.first = first
    this.#fallback = fallback
    this.#now = first
  }

  get now(): Transport {
    return this.#now
  }

  get onFallback(): boolean {
    return this.#now !== this.first
  }

  /** Time limit of one connection attempt. */
  get dialLimitMs(): number {
    if (!this.#fallback) return INITIAL_CONNECT_MS
    return this.onFallback ? LONGPOLL_CONNECT_MS : INITIAL_CONNECT_WITH_FALLBACK_MS
  }

  /**
   * A connection attempt failed. Returns true if the fallback should be tried at once, after enough failures of the first
   * transport. If the fallback fails too, it returns to the first one, with back-off.
   */
  dialFailed(): boolean {
    if (!this.#fallback) return false
    this.#failedDials += 1
    if (this.onFallback) {
      this.#now = this.first
      this.#failedDials = 0
      return false
    }
    if (this.#failedDials < DIALS_BEFORE_FALLBACK) return false
    this.#now = this.#fallback
    return true
  }

  forgetFailures(): void {
    this.#failedDials = 0
  }

  /** The first transport works again. */
  back(): void {
    this.#now = this.first
  }
}

type WebsocketOptions = {
  /** http or https; the scheme is replaced. A function if the address can change; read for every attempt. */
  readonly baseUrl: string | (() => string)
  readonly apiKey: string
  readonly clientName: string
  readonly sockets: SocketPort
  readonly clock: Clock
}

/** The realtime websocket. See docs/wire.md 2.1, 2.5, 2.6. */
export function websocketTransport(options: WebsocketOptions): Transport {
  return { kind: 'websocket', open: (dial, handlers) => openSocket(options, dial, handlers) }
}

function openSocket(options: WebsocketOptions, dial: Dial, handlers: TransportHandlers): TransportConnection {
  let silent = false
  let ended: (() => void) | undefined
  const socket: Socket = options.sockets.open(addressOf(options, dial), {
    onOpen: () => {},
    onFrame: (text) => {
      if (!silent) handlers.onFrame(parsed(text))
    },
    onClose: (code, reason) => {
      ended?.()
      if (!silent) handlers.onLost({ kind: code === CLOSE_CODES.normal ? 'ended' : 'lost', code, reason })
      silent = true
    },
  })
  return {
    ping: (clientId) => socket.send(JSON.stringify([{ type: 'health.check', client_id: clientId }])),
    close() {
      silent = true
      return new Promise((resolve) => {
        const stop = options.clock.after(CLOSE_WAIT_MS, () => {
          resolve()
          socket.terminate()
        })
        ended = () => {
          stop()
          resolve()
        }
        socket.close(CLOSE_CODES.normal, 'the person signed out or left')
      })
    },
    drop() {
      silent = true
      socket.terminate()
    },
  }
}

function addressOf(options: WebsocketOptions, dial: Dial): string {
  const query = queryText({
    json: dial.payload,
    api_key: options.apiKey,
    authorization: dial.token,
    'stream-auth-type': dial.authType,
    'X-Stream-Client': options.clientName,
  })
  const baseUrl = typeof options.baseUrl === 'string' ? options.baseUrl : options.baseUrl()
  return `${baseUrl.replace(/^http/, 'ws')}/connect?${query}`
}

/** `undefined` for text that is not JSON: the connection counts it as malformed. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A truncated or foreign frame. The next one may be complete again.
    return undefined
  }
}

type LongpollOptions = {
  readonly baseUrl: string | (() => string)
  readonly apiKey: string
  readonly userId: string
  readonly clientName: string
  readonly http: HttpPort
  readonly clock: Clock
  readonly ids: Ids
  readonly log: LogSink
}

/** For networks that block websockets. See docs/wire.md 2.8. */
export function longpollTransport(options: LongpollOptions): Transport {
  return {
    kind: 'longpoll',
    open(dial, handlers) {
      const connection = new LongpollConnection(options, dial, handlers)
      void connection.run()
      return connection
    },
  }
}

type Answered =
  | {
      readonly ok: true
      readonly body: { readonly event?: unknown; readonly events?: unknown; readonly close?: unknown }
    }
  | { readonly ok: false; readonly failure: Failure; readonly error?: unknown }

/**
 * ```
 *   INIT ──run──▶ CONNECTING ──first health check──▶ CONNECTED ⟲ poll
 *                     │ refused, no response             │ code 46: lost, the next connection asks for a new id (DISCONNECTED)
 *                     ▼                                  │ another final refusal: ended
 *                   CLOSED ◀── close, drop ──────────────┘ network, server in trouble: back-off, poll again
 * ```
 */
class LongpollConnection implements TransportConnection {
  readonly #options: LongpollOptions
  readonly #dial: Dial
  readonly #handlers: TransportHandlers
  readonly #abort = new AbortController()
  #connectionId: string | undefined

  constructor(options: LongpollOptions, dial: Dial, handlers: TransportHandlers) {
    this.#options = options
    this.#dial = dial
    this.#handlers = handlers
  }

  /** Not needed: polling keeps the connection alive. */
  ping(): void {}

  drop(): void {
    this.#abort.abort()
  }

  async close(): Promise<void> {
    this.drop()
    if (this.#connectionId === undefined) return
    const parsed = await this.#ask({ close: true, connection_id: this.#connectionId }, LONGPOLL_CLOSE_MS, undefined)
    if (!parsed.ok) logger('longpoll', this.#options.log).info('close-failed', { kind: parsed.failure.kind })
  }

  async run(): Promise<void> {
    const answer = await this.#ask({ json: this.#dial.payload }, LONGPOLL_CONNECT_MS, this.#abort.signal)
    if (this.#abort.signal.aborted) return
    if (!answer.ok) return this.#refused(answer)
    this.#connectionId = connectionIdOf(answer.body.event)
    this.#handlers.onFrame(answer.body.event)
    if (this.#connectionId === undefined) return
    await this.#pollUntilLost(this.#connectionId)
  }

  async #pollUntilLost(connectionId: string): Promise<void> {
    let failures = 0
    while (!this.#abort.signal.aborted) {
      const answer = await this.#ask({ connection_id: connectionId }, LONGPOLL_TIMEOUT_MS, this.#abort.signal)
      if (this.#abort.signal.aborted) return
      if (answer.ok) {
        failures = 0
        this.#deliver(answer.body.events, connectionId)
        const close = staggeredCloseOf(answer.body.close)
        if (close && !this.#abort.signal.aborted) return this.#lost(close.code, close.reason)
        continue
      }
      const verdict = classify(answer.failure)
      if (verdict.class === 'connection-id') return this.#lost(46, 'connection id not found')
      if (verdict.class === 'token') return this.#refused(answer)
      if (!verdict.retryable)
        return this.#handlers.onLost({ kind: 'ended', code: CLOSE_CODES.normal, reason: verdict.code })
      failures += 1
      await pause(this.#options.clock, backoffMs(failures, this.#options.ids.random()), this.#abort.signal)
    }
  }

  /** A response without events still proves that the connection is alive, like the pong of a websocket. */
  #deliver(events: unknown, connectionId: string): void {
    for (const event of Array.isArray(events) ? events : []) {
      if (this.#abort.signal.aborted) return
      this.#handlers.onFrame(event)
    }
    if (!this.#abort.signal.aborted) this.#handlers.onFrame({ type: 'health.check', connection_id: connectionId })
  }

  /** A rejection is passed on like the error frame of a websocket; anything else is a lost connection. */
  #refused(answer: Extract<Answered, { ok: false }>): void {
    if (answer.failure.kind === 'answer' && answer.error !== undefined) this.#handlers.onFrame({ error: answer.error })
    else this.#lost(0, answer.failure.kind)
  }

  #lost(code: number, reason: string): void {
    this.#handlers.onLost({ kind: 'lost', code, reason })
  }

  async #ask(query: Record<string, unknown>, timeoutMs: number, signal: AbortSignal | undefined): Promise<Answered> {
    const { baseUrl, apiKey, userId, clientName, http, ids } = this.#options
    const base = typeof baseUrl === 'string' ? baseUrl : baseUrl()
    try {
      const answer = await http.request({
        method: 'GET',
        url: `${base}/longpoll?${queryText({ ...query, api_key: apiKey, user_id: userId })}`,
        headers: {
          ...(this.#dial.token === '' ? {} : { authorization: this.#dial.token }),
          'stream-auth-type': this.#dial.authType,
          'x-stream-client': clientName,
          'x-client-request-id': ids.uuid(),
          accept: 'application/json',
        },
        timeoutMs,
        signal,
      })
      return read(answer)
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      return { ok: false, failure: { kind: 'transport', transport: error.kind, sent: error.sent } }
    }
  }
}

function read({ status, text }: HttpResponse): Answered {
  const body = jsonObject(text)
  if (status >= 200 && status < 300) {
    return body ? { ok: true, body } : { ok: false, failure: { kind: 'foreign-answer', status } }
  }
  const wireCode = body?.['code']
  const failure = { kind: 'answer' as const, status, wireCode: typeof wireCode === 'number' ? wireCode : undefined }
  return { ok: false, failure, ...(body ? { error: body } : {}) }
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    // A proxy sent something else: the caller treats it as a foreign response.
    return undefined
  }
}

const ending = v.object({ code: v.number(), reason: v.string() })

/** The server closes in an orderly way and says when to reconnect; other values of this field are ignored. */
function staggeredCloseOf(value: unknown): StaggeredClose | undefined {
  const parsed = v.safeParse(ending, value)
  return parsed.success && slotMsOf(parsed.output) !== undefined ? parsed.output : undefined
}

function connectionIdOf(event: unknown): string | undefined {
  const id: unknown = typeof event === 'object' && event !== null && 'connection_id' in event ? event.connection_id : ''
  return typeof id === 'string' && id !== '' ? id : undefined
}
