/**
 * The limits of the fan-out: repeats what the sender sends to every other client. Nothing is stored. `each`: `ws.send`
 * to each socket; `joined`: one frame for all, and the frames of one turn of the event loop in one write for each
 * socket.
 */
import type { AddressInfo } from 'node:net'
import type { Socket } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { textFrame } from '#main/server/realtime/hub.ts'

const joined = process.argv[2] === 'joined'
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
const receivers = new Map<WebSocket, Socket>()
let waiting: Buffer[] = []

function flush(): void {
  const bytes = Buffer.concat(waiting)
  waiting = []
  for (const socket of receivers.values()) socket.write(bytes)
}

function repeat(text: string): void {
  if (!joined) {
    for (const receiver of receivers.keys()) receiver.send(text)
    return
  }
  if (waiting.length === 0) setImmediate(flush)
  waiting.push(textFrame(text))
}

server.on('connection', (socket, request) => {
  if (request.url !== '/sender') {
    request.socket.setNoDelay(true)
    receivers.set(socket, request.socket)
    return
  }
  socket.on('message', (data: Buffer) => repeat(data.toString()))
})
server.on('listening', () => {
  console.log(JSON.stringify({ event: 'listening', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
})
