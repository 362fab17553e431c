/** The limit of the fan-out: repeats what the sender says to everybody else with `ws.send`. Nothing is stored. */
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
const receivers = new Set<WebSocket>()
server.on('connection', (socket, request) => {
  if (request.url !== '/sender') return void receivers.add(socket)
  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    for (const receiver of receivers) receiver.send(text)
  })
})
server.on('listening', () => {
  console.log(JSON.stringify({ event: 'listening', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
})
