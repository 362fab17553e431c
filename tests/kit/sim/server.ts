import { silentSink } from '#main/lib/logger.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { HttpResponse, HttpRequest } from '#main/engine/ports.ts'
import { openCall, successStatus, toRefusal } from '#main/server/http/calls.ts'
import { parseBody, parseQuery } from '#main/server/http/json.ts'
import { rateHeaders, type CallLimits } from '#main/server/http/limits.ts'
import { errorBody } from '#main/server/http/refusal.ts'
import { createRouter, InSteps } from '#main/server/http/router.ts'
import { type Sink, createStaggeredClose } from '#main/server/realtime/hub.ts'
import { openSession, readHandshake, type SocketSession } from '#main/server/realtime/connect.ts'
import { routes } from '#main/server/routes.ts'
import { openServices } from '#main/server/app.ts'
import type { Services } from '#main/server/work.ts'
import { simLongpoll, type SimLongpoll } from './longpoll.ts'

export const SIM_URL = 'http://127.0.0.1:9999'
export const SIM_KEY = 'sim-key'
export const SIM_SECRET = 'a-secret-of-at-least-thirty-two-characters'

/** The far end of one socket, inside the server's process. */
export type ServerSocket = { receive(text: string): void; closed(): void }
type SocketOut = { frame(text: string): void; close(code: number, reason: string): void }

export type SimServerOptions = {
  readonly clock: Clock
  readonly ids: Ids
  readonly folder: string
  /** Calls per minute, where they differ from the default of a local server. */
  readonly limits?: Partial<CallLimits>
}

/**
 * The real local server without its sockets: the same routes, store and fan-out, driven by the test's clock. A crash
 * preserves what was committed and loses the rest, as with a killed process.
 */
export class SimServer {
  readonly #options: SimServerOptions
  readonly #find = createRouter(routes)
  #services: Services | undefined
  #longpoll: SimLongpoll | undefined
  #kill: () => void = () => undefined
  readonly #sockets = new Set<{ session: SocketSession; out: SocketOut }>()

  constructor(options: SimServerOptions) {
    this.#options = options
    this.start()
  }

  get running(): boolean {
    return this.#services !== undefined
  }

  get services(): Services {
    if (!this.#services) throw new Error('The server is down')
    return this.#services
  }

  start(): void {
    const { ids, folder, limits = {} } = this.#options
    const clock = mortal(this.#options.clock)
    this.#kill = () => clock.die()
    this.#services = openServices({
      dataFolder: folder,
      apiKey: SIM_KEY,
      secret: SIM_SECRET,
      clock,
      ids,
      log: silentSink,
      localUrl: () => SIM_URL,
      limits,
    })
  }

  /** Where websockets are blocked: returns when there are events. */
  poll(request: HttpRequest): Promise<HttpResponse> {
    this.#longpoll ??= simLongpoll(this.services)
    return this.#longpoll.ask(request)
  }

  /** Ends without close frames. */
  crash(): void {
    if (!this.#services) return
    this.#longpoll = undefined
    this.#kill()
    this.#services.db.close()
    this.#services = undefined
    for (const { out } of this.#sockets) out.close(1006, '')
    this.#sockets.clear()
  }

  /** A normal stop: every client gets a time to reconnect. */
  stop(): void {
    const close = createStaggeredClose(this.#sockets.size + (this.#longpoll?.size() ?? 0))
    for (const { out } of this.#sockets) {
      const { code, reason } = close()
      out.close(code, reason)
    }
    this.#longpoll?.stop(close)
    this.crash()
  }

  request(request: HttpRequest): HttpResponse {
    const url = new URL(request.url)
    let operation = 'Request'
    let rate: Record<string, string> = {}
    try {
      const match = this.#find(request.method, url.pathname)
      if (!match) throw new Error(`no endpoint for ${request.method} ${url.pathname}`)
      operation = match.route.operation
      const input = { query: parseQuery(url.searchParams), headers: request.headers }
      const run = openCall(match, input, this.services, (now) => (rate = rateHeaders(now)))
      const reply = atOnce(run(typeof request.body === 'string' ? parseBody(request.body) : {}))
      return this.#answer(successStatus(match.route), { ...reply, duration: '0.00ms' }, rate)
    } catch (error) {
      const refusal = toRefusal(error, this.services, operation)
      return this.#answer(refusal.status, errorBody(refusal, operation, '0.00ms'), rate)
    }
  }

  #answer(status: number, body: object, rate: Readonly<Record<string, string>>): HttpResponse {
    const date = new Date(this.#options.clock.now()).toUTCString()
    const limits = Object.fromEntries(Object.entries(rate).map(([name, value]) => [name.toLowerCase(), value]))
    const headers = { 'content-type': 'application/json; charset=utf-8', date, ...limits }
    return { status, headers, text: JSON.stringify(body) }
  }

  /** A websocket handshake. Throws nothing: a refusal is an error frame and close 1000, as on the wire. */
  connect(url: string, out: SocketOut): ServerSocket {
    try {
      const { pathname, search } = new URL(url)
      const handshake = readHandshake({ url: pathname + search, headers: {} }, this.services)
      const session = openSession(this.services, handshake, sinkTo(out))
      const entry = { session, out }
      this.#sockets.add(entry)
      return {
        receive: (text) => session.onText(text),
        closed: () => this.#sockets.delete(entry) && session.onClosed(),
      }
    } catch (error) {
      const refusal = toRefusal(error, this.services, 'Connect')
      out.frame(JSON.stringify({ error: errorBody(refusal, 'Connect', '0.00ms') }))
      out.close(1000, refusal.codeName)
      return { receive: () => undefined, closed: () => undefined }
    }
  }
}

/** A clock whose timers end with the process they belong to. */
function mortal(clock: Clock): Clock & { die(): void } {
  let isDead = false
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms, fn) => clock.after(ms, () => (isDead ? undefined : fn())),
    die: () => {
      isDead = true
    },
  }
}

/** Pushes at once: in the simulation the network decides when bytes arrive. */
function sinkTo(out: SocketOut): Sink {
  return {
    push: (event, extra) => out.frame(event.jsonWith(extra)),
    flush: () => undefined,
    close: (code, reason) => out.close(code, reason),
  }
}

/** Calls take no time here, so nobody is answered between the steps of one. */
function atOnce(reply: object): object {
  if (!(reply instanceof InSteps)) return reply
  for (;;) {
    const step = reply.steps.next()
    if (step.done === true) return step.value
  }
}
