import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { every, type Stop } from '#main/lib/clock.ts'
import { CLOSE_CODES } from '#shared/wire/connect.ts'
import { identify, type Identity } from '../auth/identify.ts'
import { isObject, parseQuery, type Json } from '../http/json.ts'
import { checkOrigin } from '../http/origin.ts'
import { durationText, errorBody, refuse } from '../http/refusal.ts'
import { toRefusal } from '../http/server.ts'
import { MS, toText } from '../time.ts'
import type { Services } from '../work.ts'
import { frameSink, type Connection } from './connection.ts'
import { Encoded } from './frames.ts'
import { arrive, depart } from './presence.ts'

/** Source: reliability paper 5.7 and wire contract 2.5. */
const MAX_FRAME_BYTES = 64 * 1024
const HEALTH_CHECK_MS = 30_000
const IDLE_MS = 90_000
/** After asking a socket to close we wait this long before cutting it. */
const CLOSE_WAIT_MS = 1_000

export type Realtime = {
  /** Closes every connection with "going away". */
  stop(): void
}

/** Takes websocket upgrades on /connect. */
export function acceptSockets(server: Server, services: Services, allowedOrigins: ReadonlySet<string>): Realtime {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false })
  const open = new Set<WebSocket>()
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    if (!mayUpgrade(request, socket, services, allowedOrigins)) return
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      open.add(webSocket)
      webSocket.on('close', () => open.delete(webSocket))
      greet(webSocket, socket as Socket, request, services)
    })
  })
  return {
    stop() {
      for (const webSocket of open) {
        webSocket.close(CLOSE_CODES.goingAway, 'the server stops')
        services.clock.after(CLOSE_WAIT_MS, () => webSocket.terminate())
      }
    },
  }
}

function mayUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  services: Services,
  allowedOrigins: ReadonlySet<string>,
): boolean {
  const path = (request.url ?? '').split('?', 1)[0]
  try {
    checkOrigin(request, services.baseUrl(), allowedOrigins)
    if (path !== '/connect') refuse('doesNotExist', 'there is no such endpoint')
    return true
  } catch (error) {
    const { status } = toRefusal(error, services, 'Connect')
    socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    return false
  }
}

/** The handshake: a first frame with `me`, or an error frame and close 1000. Source: wire contract 2.3 and 2.4. */
function greet(webSocket: WebSocket, socket: Socket, request: IncomingMessage, services: Services): void {
  webSocket.on('error', () => webSocket.terminate())
  try {
    const { who, details } = readHandshake(request, services)
    socket.setNoDelay(true)
    serve(webSocket, socket, who, details, services)
  } catch (error) {
    const refusal = toRefusal(error, services, 'Connect')
    webSocket.send(JSON.stringify({ error: errorBody(refusal, 'Connect', durationText(0)) }))
    webSocket.close(CLOSE_CODES.normal, refusal.codeName)
    services.clock.after(CLOSE_WAIT_MS, () => webSocket.terminate())
  }
}

export function readHandshake(request: IncomingMessage, services: Services): { who: Identity; details: Json } {
  const query = parseQuery(new URL(request.url ?? '/', 'http://127.0.0.1').searchParams)
  const payload = query['json']
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const asked = isObject(payload) ? payload : undefined
  const who = identify(
    {
      apiKey: text(query['api_key']),
      authType: text(query['stream-auth-type']),
      token: text(query['authorization']) ?? request.headers.authorization,
      userId: text(asked?.['user_id']),
    },
    { db: services.db, apiKey: services.apiKey, secret: services.secret, nowMs: services.clock.now() },
  )
  if (!asked || who.userId === '') return refuse('input', 'json must be an object with a user_id')
  const details = asked['user_details']
  return { who, details: isObject(details) ? details : {} }
}

function serve(webSocket: WebSocket, socket: Socket, who: Identity, details: Json, services: Services): void {
  const { clock } = services
  const timers: Stop[] = []
  let lastInbound = clock.monotonic()
  const sink = frameSink({
    waiting: () => socket.writableLength,
    write: (bytes, done) => void socket.write(bytes, () => done()),
    close(code, reason) {
      webSocket.close(code, reason)
      timers.push(clock.after(CLOSE_WAIT_MS, () => webSocket.terminate()))
    },
  })
  const connection: Connection = {
    id: services.ids.uuid(),
    userId: who.userId,
    sink,
    watching: new Set(),
    presenceOf: new Set(),
  }
  const health = () => services.hub.push(connection, healthCheck(connection, services))
  webSocket.on('message', (data, isBinary) => {
    lastInbound = clock.monotonic()
    if (!isBinary && isPing(textOf(data))) health()
  })
  webSocket.on('pong', () => {
    lastInbound = clock.monotonic()
  })
  webSocket.on('close', () => {
    for (const stop of timers) stop()
    depart(services, connection)
  })
  arrive(services, connection, details)
  timers.push(
    every(clock, HEALTH_CHECK_MS, () => {
      if (clock.monotonic() - lastInbound > IDLE_MS) return sink.close(CLOSE_CODES.idle, 'idle')
      return health()
    }),
  )
  if (who.expiresAtMs !== undefined)
    timers.push(atExpiry(who.expiresAtMs, services, () => sink.close(CLOSE_CODES.tokenExpired, 'token expired')))
}

/** Longest single timer of the platform. */
const MAX_TIMER_MS = 2_000_000_000

function atExpiry(at: number, services: Services, close: () => void): Stop {
  const left = at - services.clock.now()
  if (left > MAX_TIMER_MS) return services.clock.after(MAX_TIMER_MS, () => undefined)
  return services.clock.after(Math.max(0, left), close)
}

function healthCheck(connection: Connection, services: Services): Encoded {
  const at = toText(Math.round(services.clock.now() * MS))
  return new Encoded(JSON.stringify({ type: 'health.check', connection_id: connection.id, cid: '*', created_at: at }))
}

/** A message of several fragments comes as one buffer: the library joins them. */
function textOf(data: RawData): string {
  return Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data as Buffer).toString()
}

/** `[{"type":"health.check","client_id":"…"}]`; a single object is taken too. */
function isPing(text: string): boolean {
  if (text.length > 1_000) return false
  try {
    const value: unknown = JSON.parse(text)
    const first: unknown = Array.isArray(value) ? value[0] : value
    return isObject(first) && first['type'] === 'health.check'
  } catch {
    return false
  }
}
