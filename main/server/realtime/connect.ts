import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocket, WebSocketServer, type RawData } from 'ws'
import { type Stop, every } from '#main/lib/clock.ts'
import { CLOSE_CODES, type StaggeredClose } from '#shared/wire/connect.ts'
import { writeRefusal, isSignInFailure, signInFailed, callerOf } from '../http/server.ts'
import { toRefusal, checkOrigin, refuseAtDoor } from '../http/calls.ts'
import { rateHeaders, type Rate } from '../http/limits.ts'
import { durationText, errorBody, Refusal, refuse } from '../http/refusal.ts'
import type { Services } from '../work.ts'
import { frameSink, type Connection, type Sink, Encoded } from './hub.ts'
import { arrive, depart } from './presence.ts'
import { identify, type Identity } from '../http/auth/identify.ts'
import { isObject, parseQuery, type Json } from '../http/json.ts'
import { read } from '../http/shapes.ts'
import { userInput } from '../users/users.ts'
import { MS, toText } from '../store/time.ts'
import { sendMissedReminders } from '../reminders/reminder-routes.ts'

const MAX_FRAME_BYTES = 64 * 1024
const MAX_FRAGMENTS = 64
/** How long a socket may take to close after the close frame, before it is cut. */
const CLOSE_WAIT_MS = 1_000

export type Realtime = {
  /** Sockets that are still open, without those that are closing. */
  size(): number
  /** Sends each of them a close frame with the time to reconnect. */
  stop(close: () => StaggeredClose): void
  /** Ends all of them now. */
  cut(): void
}

/** The close code of the library for a message in too many fragments, and the one that clients expect. */
const POLICY_VIOLATION = 1008
const TOO_BIG = 1009

/** Reports a message in too many fragments as too big. Nothing else here closes with a policy violation. */
class FragmentLimitSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code === POLICY_VIOLATION ? TOO_BIG : code, reason)
  }
}

/** Accepts websocket upgrades on /connect. */
export function acceptSockets(
  server: Server,
  services: Services,
  allowedOrigins: ReadonlySet<string>,
  onSession?: (userId: string, webSocket: WebSocket, address: string) => void,
): Realtime {
  const sockets = new WebSocketServer({
    noServer: true,
    WebSocket: FragmentLimitSocket,
    maxPayload: MAX_FRAME_BYTES,
    maxFragments: MAX_FRAGMENTS,
    perMessageDeflate: false,
  })
  const open = new Set<WebSocket>()
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const call = checkUpgrade(request, services, allowedOrigins)
    if (call.handshake instanceof Refusal && call.beforeUpgrade) {
      return writeRefusal(socket, call.handshake, 'Connect', rateHeaders(call.rate))
    }
    const rate = rateHeaders(call.rate)
    const addRate = (lines: string[]): void => {
      for (const [name, value] of Object.entries(rate)) lines.push(`${name}: ${value}`)
    }
    const refuseUpgrade = (): void =>
      writeRefusal(socket, new Refusal('input', 'this asks for no websocket'), 'Connect', rate)
    sockets.once('headers', addRate).once('wsClientError', refuseUpgrade)
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      open.add(webSocket)
      webSocket.on('close', () => open.delete(webSocket))
      greet(webSocket, socket as Socket, call.handshake, services)
      if (call.handshake instanceof Refusal || webSocket.readyState !== WebSocket.OPEN) return
      onSession?.(call.handshake.who.userId, webSocket, callerOf(request, services))
    })
    sockets.off('headers', addRate).off('wsClientError', refuseUpgrade)
  })
  const staying = (): WebSocket[] => [...open].filter(({ readyState }) => readyState === WebSocket.OPEN)
  return {
    size: () => staying().length,
    stop(close) {
      for (const webSocket of staying()) {
        const { code, reason } = close()
        webSocket.close(code, reason)
      }
      services.clock.after(CLOSE_WAIT_MS, () => open.forEach((webSocket) => webSocket.terminate()))
    },
    cut: () => open.forEach((webSocket) => webSocket.terminate()),
  }
}

type Opened = {
  readonly handshake: Handshake | Refusal
  /** The origin, the path or a rate limit refuses: the response is plain HTTP, so that clients wait. */
  readonly beforeUpgrade: boolean
  readonly rate: Rate
}

/** Checks a websocket request before the upgrade. */
function checkUpgrade(request: IncomingMessage, services: Services, allowedOrigins: ReadonlySet<string>): Opened {
  const { limits } = services
  const address = callerOf(request, services)
  let rate = limits.arrive(address)
  let beforeUpgrade = true
  try {
    checkOrigin(request, services, allowedOrigins)
    if ((request.url ?? '').split('?', 1)[0] !== '/connect') refuse('doesNotExist', 'there is no such endpoint')
    rate = limits.blocked(address) ?? rate
    if (!rate.allowed) refuse('rateLimit', 'too many requests: wait a minute')
    beforeUpgrade = false
    const handshake = readHandshake(request, services)
    rate = limits.take(handshake.who, 'Connect')
    beforeUpgrade = !rate.allowed
    if (!rate.allowed) refuse('rateLimit', 'too many connections a minute: wait a little')
    return { handshake, beforeUpgrade, rate }
  } catch (error) {
    if (isSignInFailure(error)) rate = signInFailed(request, services)
    return { handshake: toRefusal(error, services, 'Connect'), beforeUpgrade, rate }
  }
}

/** The handshake: a first frame with `me`, or an error frame and close 1000. See docs/wire.md 2.3 and 2.4. */
function greet(webSocket: WebSocket, socket: Socket, handshake: Handshake | Refusal, services: Services): void {
  webSocket.on('error', () => webSocket.terminate())
  try {
    if (handshake instanceof Refusal) throw handshake
    socket.setNoDelay(true)
    serve(webSocket, socket, handshake, services)
  } catch (error) {
    const refusal = toRefusal(error, services, 'Connect')
    webSocket.send(JSON.stringify({ error: errorBody(refusal, 'Connect', durationText(0)) }))
    webSocket.close(CLOSE_CODES.normal, refusal.codeName)
    services.clock.after(CLOSE_WAIT_MS, () => webSocket.terminate())
  }
}

function serve(webSocket: WebSocket, socket: Socket, handshake: Handshake, services: Services): void {
  let cut: Stop | undefined
  const sink = frameSink({
    waiting: () => socket.writableLength,
    write: (bytes, done) => void socket.write(bytes, () => done()),
    close(code, reason) {
      webSocket.close(code, reason)
      cut = services.clock.after(CLOSE_WAIT_MS, () => webSocket.terminate())
    },
  })
  const session = openSession(services, handshake, sink)
  webSocket.on('message', (data, isBinary) => {
    if (isBinary) session.onAlive()
    else session.onText(textOf(data))
  })
  webSocket.on('pong', () => session.onAlive())
  webSocket.on('close', () => {
    cut?.()
    session.onClosed()
  })
}

/** The library joins the fragments of a message into one buffer. */
function textOf(data: RawData): string {
  return Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data as Buffer).toString()
}

const HEALTH_CHECK_MS = 30_000
const IDLE_MS = 90_000
/** Longest single timer of the platform. */
const MAX_TIMER_MS = 2_000_000_000

/** A connecting user: identity by token, and the details they send about themselves. */
type Handshake = { readonly who: Identity; readonly details: Json; readonly device?: Json }

/** Reads the handshake of /connect and /longpoll. See docs/wire.md 2.1, 2.2 and 2.4. */
export function readHandshake(
  request: { readonly url?: string; readonly headers: { readonly authorization?: string } },
  services: Services,
): Handshake {
  const query = parseQuery(new URL(request.url ?? '/', 'http://127.0.0.1').searchParams)
  const payload = query['json']
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const input = isObject(payload) ? payload : undefined
  const who = identify(
    {
      apiKey: text(query['api_key']),
      authType: text(query['stream-auth-type']),
      token: text(query['authorization']) ?? request.headers.authorization,
      userId: text(input?.['user_id']),
    },
    {
      db: services.db,
      apiKey: services.apiKey,
      secret: services.secret,
      nowMs: services.clock.now(),
      anonymous: services.door ? 'never' : 'ifAllowed',
    },
  )
  refuseAtDoor(who, services)
  if (!input || who.userId === '') return refuse('input', 'json must be an object with a user_id')
  const { user_details: details, device } = input
  return {
    who,
    details: isObject(details) ? read(userInput, details) : {},
    device: isObject(device) ? device : undefined,
  }
}

/** One open socket of a user, whatever transport carries its frames. */
export type SocketSession = {
  readonly connection: Connection
  /** A text frame arrived. */
  onText(text: string): void
  /** Any frame arrived. */
  onAlive(): void
  onClosed(): void
}

export const createConnection = (services: Services, userId: string, sink: Sink): Connection => ({
  id: services.ids.uuid(),
  userId,
  sink,
  watching: new Set(),
  presenceOf: new Set(),
})

/**
 * The user comes online and gets the first frame; pings get a response, and an idle socket or one whose token has expired
 * is closed. Refuses when there are too many connections. See docs/wire.md 2.3 to 2.6.
 */
export function openSession(services: Services, handshake: Handshake, sink: Sink): SocketSession {
  const { clock } = services
  const { who } = handshake
  let lastInbound = clock.monotonic()
  const connection = createConnection(services, who.userId, sink)
  const health = () => services.hub.push(connection, healthCheck(connection, services))
  arrive(services, connection, { ...handshake, role: who.role })
  sendMissedReminders(services, who.userId)
  const timers: Stop[] = [
    every(clock, HEALTH_CHECK_MS, () => {
      if (clock.monotonic() - lastInbound > IDLE_MS) return sink.close(CLOSE_CODES.idle, 'idle')
      return health()
    }),
  ]
  if (who.expiresAtMs !== undefined) {
    timers.push(atExpiry(who.expiresAtMs, services, () => sink.close(CLOSE_CODES.tokenExpired, 'token expired')))
  }
  return {
    connection,
    onAlive() {
      lastInbound = clock.monotonic()
    },
    onText(text) {
      lastInbound = clock.monotonic()
      if (isPing(text)) health()
    },
    onClosed() {
      for (const stop of timers) stop()
      depart(services, connection)
    },
  }
}

function atExpiry(at: number, services: Services, close: () => void): Stop {
  const left = at - services.clock.now()
  if (left > MAX_TIMER_MS) return services.clock.after(MAX_TIMER_MS, () => undefined)
  return services.clock.after(Math.max(0, left), close)
}

function healthCheck(connection: Connection, services: Services): Encoded {
  const at = toText(Math.round(services.clock.now() * MS))
  return new Encoded(JSON.stringify({ type: 'health.check', connection_id: connection.id, cid: '*', created_at: at }))
}

/** `[{"type":"health.check","client_id":"…"}]`; a single object is accepted too. */
function isPing(text: string): boolean {
  if (text.length > 1_000) return false
  try {
    const value: unknown = JSON.parse(text)
    const first: unknown = Array.isArray(value) ? value[0] : value
    return isObject(first) && first['type'] === 'health.check'
  } catch {
    // Not JSON, so not a ping; clients send nothing else.
    return false
  }
}
