import { silentSink, logger } from '#main/lib/logger.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { HttpAnswer, HttpRequest } from '#main/engine/ports.ts'
import { CLOSE_CODES } from '#shared/wire/connect.ts'
import { UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import { Budget } from '#main/server/http/budget.ts'
import { UPLOADS_PER_MINUTE } from '#main/server/http/uploads.ts'
import { identify, type Identity } from '#main/server/auth/identify.ts'
import { parseBody, parseQuery, type Json } from '#main/server/http/json.ts'
import { errorBody } from '#main/server/http/refusal.ts'
import { makeRouter } from '#main/server/http/router.ts'
import { toRefusal } from '#main/server/http/server.ts'
import { readHandshake } from '#main/server/realtime/connect.ts'
import type { Connection } from '#main/server/realtime/connection.ts'
import { Hub } from '#main/server/realtime/hub.ts'
import { arrive, depart, Presence } from '#main/server/realtime/presence.ts'
import { routes } from '#main/server/routes/index.ts'
import { openBlobs } from '#main/server/store/blobs.ts'
import { openStore } from '#main/server/store/open.ts'
import type { Services } from '#main/server/work.ts'

export const SIM_URL = 'http://127.0.0.1:9999'
export const SIM_KEY = 'sim-key'
export const SIM_SECRET = 'a-secret-of-at-least-thirty-two-characters'

/** The far end of one socket, inside the server's process. */
export type ServerSocket = { receive(text: string): void; closed(): void }
type SocketOut = { frame(text: string): void; close(code: number, reason: string): void }

/**
 * The real local server without its sockets: the same routes, store and fan-out, driven by the test's clock. A crash
 * keeps what was committed and forgets the rest, as a killed process does.
 */
export class SimServer {
  readonly #options: { readonly clock: Clock; readonly ids: Ids; readonly folder: string }
  readonly #find = makeRouter(routes)
  #services: Services | undefined
  readonly #sockets = new Set<{ connection: Connection; out: SocketOut }>()

  constructor(options: { clock: Clock; ids: Ids; folder: string }) {
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
    const { clock, ids, folder } = this.#options
    const hub = new Hub()
    const presence = new Presence()
    this.#services = {
      db: openStore(`${folder}/server.db`),
      blobs: openBlobs(`${folder}/uploads`),
      hub,
      presence,
      clock,
      ids,
      log: logger('server', silentSink),
      apiKey: SIM_KEY,
      secret: SIM_SECRET,
      baseUrl: () => SIM_URL,
      uploadConfig: {
        allowed_file_extensions: [],
        blocked_file_extensions: [],
        allowed_mime_types: [],
        blocked_mime_types: [],
        size_limit: UPLOAD_LIMIT_BYTES,
      },
      uploadBudget: new Budget(clock, UPLOADS_PER_MINUTE),
      isOnline: (userId) => hub.ofUser(userId).size > 0 || presence.isLeaving(userId),
    }
  }

  /** Ends without a goodbye. */
  crash(): void {
    if (!this.#services) return
    this.#services.presence.stop()
    this.#services.db.close()
    this.#services = undefined
    for (const { out } of this.#sockets) out.close(1006, '')
    this.#sockets.clear()
  }

  request(request: HttpRequest): HttpAnswer {
    const url = new URL(request.url)
    let operation = 'Request'
    try {
      const match = this.#find(request.method, url.pathname)
      if (!match) throw new Error(`no endpoint for ${request.method} ${url.pathname}`)
      operation = match.route.operation
      const query = parseQuery(url.searchParams)
      const body = typeof request.body === 'string' ? parseBody(request.body) : {}
      const who = match.route.open ? NOBODY : acting(this.#identify(request, query), body)
      const connectionId = typeof query['connection_id'] === 'string' ? query['connection_id'] : undefined
      const reply = match.route.run({ params: match.params, query, body, raw: body, who, connectionId }, this.services)
      const status = match.route.method === 'POST' || match.route.method === 'PUT' ? 201 : 200
      return this.#answer(status, { ...(reply as object), duration: '0.00ms' })
    } catch (error) {
      const refusal = toRefusal(error, this.services, operation)
      return this.#answer(refusal.status, errorBody(refusal, operation, '0.00ms'))
    }
  }

  #identify(request: HttpRequest, query: Json): Identity {
    const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
    const { db, apiKey, secret, clock } = this.services
    return identify(
      {
        apiKey: text(query['api_key']),
        authType: request.headers['stream-auth-type'],
        token: request.headers['authorization'],
        userId: text(query['user_id']),
      },
      { db, apiKey, secret, nowMs: clock.now() },
    )
  }

  #answer(status: number, body: object): HttpAnswer {
    const date = new Date(this.#options.clock.now()).toUTCString()
    return { status, headers: { 'content-type': 'application/json; charset=utf-8', date }, text: JSON.stringify(body) }
  }

  /** A websocket handshake. Throws nothing: a refusal is an error frame and close 1000, as on the wire. */
  connect(url: string, out: SocketOut): ServerSocket {
    try {
      const { who, details } = readHandshake(
        { url: new URL(url).pathname + new URL(url).search, headers: {} } as never,
        this.services,
      )
      const connection: Connection = {
        id: this.#options.ids.uuid(),
        userId: who.userId,
        sink: sinkTo(out),
        watching: new Set(),
        presenceOf: new Set(),
      }
      const entry = { connection, out }
      this.#sockets.add(entry)
      arrive(this.services, connection, details)
      if (who.expiresAtMs !== undefined) this.#endAt(who.expiresAtMs, out)
      return {
        receive: (text) => this.#receive(connection, text),
        closed: () => {
          this.#sockets.delete(entry)
          if (this.#services) depart(this.#services, connection)
        },
      }
    } catch (error) {
      const refusal = toRefusal(error, this.services, 'Connect')
      out.frame(JSON.stringify({ error: errorBody(refusal, 'Connect', '0.00ms') }))
      out.close(1000, refusal.codeName)
      return { receive: () => undefined, closed: () => undefined }
    }
  }

  #endAt(expiresAtMs: number, out: SocketOut): void {
    const { clock } = this.#options
    clock.after(expiresAtMs - clock.now(), () => out.close(CLOSE_CODES.tokenExpired, 'token expired'))
  }

  #receive(connection: Connection, text: string): void {
    if (!text.includes('health.check') || !this.#services) return
    connection.sink.push(
      {
        jsonWith: () =>
          JSON.stringify({
            type: 'health.check',
            connection_id: connection.id,
            cid: '*',
            created_at: new Date(this.#options.clock.now()).toISOString(),
          }),
      } as never,
      undefined,
    )
  }
}

const NOBODY: Identity = { userId: '', role: 'anonymous', banned: false, server: false, expiresAtMs: undefined }

/** Pushes at once: in the simulation the network decides when bytes arrive. */
function sinkTo(out: SocketOut): Connection['sink'] {
  return {
    push: (event, extra) => out.frame(event.jsonWith(extra)),
    flush: () => undefined,
    close: (code, reason) => out.close(code, reason),
  }
}

function acting(who: Identity, body: Json): Identity {
  const named = body['user_id']
  return who.server && who.userId === '' && typeof named === 'string' ? { ...who, userId: named } : who
}
