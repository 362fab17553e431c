import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import type { Stop } from '#main/lib/clock.ts'
import { CLOSE_CODES } from '#shared/wire/connect.ts'
import { toRefusal } from '../http/calls.ts'
import { checkOrigin } from '../http/origin.ts'
import { durationText, errorBody, refuse } from '../http/refusal.ts'
import type { Services } from '../work.ts'
import { frameSink } from './connection.ts'
import { openSession, readHandshake, type Handshake } from './session.ts'

/** Source: reliability paper 5.7 and wire contract 2.5. */
const MAX_FRAME_BYTES = 64 * 1024
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
    const handshake = readHandshake(request, services)
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

/** A message of several fragments comes as one buffer: the library joins them. */
function textOf(data: RawData): string {
  return Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data as Buffer).toString()
}
