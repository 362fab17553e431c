import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { AUTHORITY, PERSON, SERVER } from '#kit/certificates.ts'
import { readIdentity } from '#main/settings/certificates.ts'
import { NO_CHOICE } from '../rules/network/proxy.ts'
import { createProxies, nodeNetwork } from './network.ts'
import { nodeSockets, nodeHttp } from './ports.ts'

/** A server whose certificate is signed by a private authority, as in many organizations. */
let server: Server
let address: string

beforeEach(async () => {
  server = createServer(SERVER, (_request, answer) => answer.end('hello'))
  new WebSocketServer({ server }).on('connection', (socket) => socket.send('hello'))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  nodeNetwork(createProxies()).setAuthorities([])
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

function outside() {
  const proxies = createProxies()
  proxies.set(NO_CHOICE)
  const ask = (): Promise<string> =>
    nodeHttp(proxies)
      .request({ method: 'GET', url: `https://${address}/`, headers: {} })
      .then(
        ({ text }) => text,
        (error: { kind: string }) => error.kind,
      )
  const line = () =>
    new Promise<string>((done) => {
      const socket = nodeSockets(proxies).open(`wss://${address}/`, {
        onOpen: () => undefined,
        onFrame(text) {
          done(text)
          socket.terminate()
        },
        onClose: (code) => done(`closed ${code}`),
      })
    })
  return { ask, line, network: nodeNetwork(proxies) }
}

test('what an added authority signed is trusted by requests and realtime lines, until it is taken away', async () => {
  const { ask, line, network } = outside()
  expect(await ask()).toBe('certificate')
  expect(await line()).toBe('closed 1006')
  network.setAuthorities([AUTHORITY])
  expect(await ask()).toBe('hello')
  expect(await line()).toBe('hello')
  network.setAuthorities([])
  expect(await ask()).toBe('certificate')
  expect(await line()).toBe('closed 1006')
})

describe('a server that requires a client certificate', () => {
  const person = readIdentity(PERSON.p12, PERSON.passphrase).identity

  /** Returns the name in the client certificate, and accepts realtime connections only with one. */
  async function strict() {
    await new Promise((done) => server.close(done))
    const asks = { ...SERVER, ca: PERSON.cert, requestCert: true, rejectUnauthorized: false }
    server = createServer(asks, (request, answer) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate()
      answer.end(String(subject?.CN ?? 'nobody'))
    })
    new WebSocketServer({
      server,
      verifyClient: ({ req }: { req: IncomingMessage }) => (req.socket as TLSSocket).authorized,
    }).on('connection', (socket) => socket.send('hello'))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const made = outside()
    made.network.setAuthorities([AUTHORITY])
    return made
  }

  test('is shown the person’s certificate by requests and realtime lines, until it is taken away', async () => {
    const { ask, line, network } = await strict()
    expect(await ask()).toBe('nobody')
    expect(await line()).toBe('closed 1006')
    network.setClientCertificate('127.0.0.1', person)
    expect(await ask()).toBe('Ola Nowak')
    expect(await line()).toBe('hello')
    network.setClientCertificate('127.0.0.1', undefined)
    expect(await ask()).toBe('nobody')
    expect(await line()).toBe('closed 1006')
  })

  test('is shown nothing where another one was named', async () => {
    const { ask, network } = await strict()
    network.setClientCertificate('chat.example', person)
    expect(await ask()).toBe('nobody')
  })
})
