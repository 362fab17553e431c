import * as v from 'valibot'
import { LONGPOLL_CLOSE_MS, LONGPOLL_CONNECT_MS, LONGPOLL_TIMEOUT_MS } from '#shared/constants.ts'
import { backoffMs } from '#shared/rules/server/retry.ts'
import { CLOSE_CODES, slotMsOf, type StaggeredClose } from '#shared/wire/connect.ts'
import { pause, type Clock } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import { logger, type LogSink } from '#main/lib/logger.ts'
import { classify, type Failure } from '../api/errors.ts'
import { queryText } from '../api/client.ts'
import { type HttpResponse, type HttpPort, TransportError } from '../ports.ts'
import type { Dial, TransportConnection, TransportHandlers, Transport } from './transport.ts'

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
