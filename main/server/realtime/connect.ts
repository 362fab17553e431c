import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocket, WebSocketServer, type RawData } from 'ws'
import type { Stop } from '#main/lib/clock.ts'
import { CLOSE_CODES, type StaggeredClose } from '#shared/wire/connect.ts'
import { writeRefusal, isSignInFailure, signInFailed, callerOf } from '../http/server.ts'
import { toRefusal, checkOrigin } from '../http/calls.ts'
import { rateHeaders, type Rate } from '../http/limits.ts'
import { durationText, errorBody, Refusal, refuse } from '../http/refusal.ts'
import type { Services } from '../work.ts'
import { frameSink } from './connection.ts'
import { openSession, readHandshake, type Handshake } from './session.ts'

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
