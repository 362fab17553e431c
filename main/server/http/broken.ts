import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import type { Services } from '../work.ts'
import { addressOf, rateHeaders } from './limits.ts'
import { durationText, errorBody, Refusal } from './refusal.ts'

/**
 * Answers what Node's HTTP parser rejects before a request exists: headers too big or too slow, and bytes that are not
 * HTTP.
 */
export function refuseBrokenRequests(server: Server, services: Services): void {
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
