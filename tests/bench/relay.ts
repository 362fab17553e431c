import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'

/** Stands between the app and its server, and adds frames to what the server sends on the realtime connection. */
export type Relay = {
  readonly url: string
  /** Sends these texts to the app as frames of the server. */
  add(frames: readonly string[]): void
  stop(): Promise<void>
}

export async function startRelay(serverUrl: string): Promise<Relay> {
  const { hostname, port } = new URL(serverUrl)
  const connections = new Set<WebSocket>()
  const own = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const relay = createServer((incoming, outgoing) => passOn(incoming, outgoing, { hostname, port }))
  relay.on('upgrade', (incoming, socket: Duplex, head) => {
    const server = new WebSocket(`ws://${hostname}:${port}${incoming.url ?? ''}`, { perMessageDeflate: false })
    server.on('error', () => socket.destroy())
    server.once('open', () => own.handleUpgrade(incoming, socket, head, (app) => join(app, server, connections)))
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    add(frames) {
      for (const app of connections) for (const frame of frames) app.send(frame)
    },
    async stop() {
      for (const app of connections) app.terminate()
      relay.closeAllConnections()
      await new Promise((resolve) => relay.close(resolve))
    },
  }
}

/** A request with its own `Host`: the server serves no other. */
function passOn(incoming: IncomingMessage, outgoing: ServerResponse, to: { hostname: string; port: string }): void {
  const { method, url: path, headers } = incoming
  const passed = request(
    { ...to, method, path, headers: { ...headers, host: `${to.hostname}:${to.port}` } },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    },
  )
  passed.on('error', () => outgoing.destroy())
  incoming.pipe(passed)
}

function join(app: WebSocket, server: WebSocket, connections: Set<WebSocket>): void {
  connections.add(app)
  app.on('message', (data: Buffer, isBinary) => server.send(data, { binary: isBinary }))
  server.on('message', (data: Buffer, isBinary) => app.send(data, { binary: isBinary }))
  app.on('close', () => {
    connections.delete(app)
    server.terminate()
  })
  server.on('close', () => app.terminate())
}
