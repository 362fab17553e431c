import { createServer, request, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { NO_CHOICE, type ProxyChoice } from '../rules/network/proxy.ts'
import { createProxies } from './network.ts'
import { nodeSockets, nodeHttp } from './ports.ts'

/** A server that only the proxy knows the way to: its name is in no directory. */
const HOST = 'chat.test'

let server: Server
let proxy: Server
let requests: string[]
let open: Socket[]

beforeEach(async () => {
  requests = []
  open = []
  server = createServer((incoming, answer) => answer.end(JSON.stringify({ path: incoming.url })))
  new WebSocketServer({ server }).on('connection', (socket) => socket.send('hello'))
  await listening(server)
  proxy = createServer((incoming, answer) => {
    requests.push(`${incoming.method} ${incoming.url} ${incoming.headers['proxy-authorization'] ?? '-'}`)
    if (refuses(incoming.headers['proxy-authorization'])) return void answer.writeHead(407).end()
    const { pathname } = new URL(incoming.url ?? '')
    request({ port: portOf(server), path: pathname }, (inner) => inner.pipe(answer)).end()
  })
  proxy.on('connect', (incoming, socket: Socket) => {
    requests.push(`CONNECT ${incoming.url} ${incoming.headers['proxy-authorization'] ?? '-'}`)
    const inner = connect(portOf(server), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(inner).pipe(socket)
    })
    open.push(socket, inner)
  })
  await listening(proxy)
})

afterEach(async () => {
  for (const socket of open) socket.destroy()
  server.closeAllConnections()
  proxy.closeAllConnections()
  await Promise.all([server, proxy].map((each) => new Promise((done) => each.close(done))))
})

let wanted: string | undefined
const refuses = (given: string | undefined): boolean => wanted !== undefined && given !== wanted
afterEach(() => (wanted = undefined))

const listening = (each: Server) => new Promise<void>((done) => each.listen(0, '127.0.0.1', done))
const portOf = (each: Server): number => (each.address() as AddressInfo).port
const proxyUrl = (): string => `http://127.0.0.1:${portOf(proxy)}`

function via(choice: Partial<ProxyChoice>, system?: (url: string) => Promise<string>) {
  const proxies = createProxies(system)
  proxies.set({ ...NO_CHOICE, ...choice })
  const get = (url: string) => nodeHttp(proxies).request({ method: 'GET', url, headers: {} })
  const firstFrame = (url: string) =>
    new Promise<string>((done) => {
      const socket = nodeSockets(proxies).open(url, {
        onOpen: () => undefined,
        onFrame: (text) => {
          done(text)
          socket.terminate()
        },
        onClose: (code) => done(`closed ${code}`),
      })
    })
  return { get, firstFrame }
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

describe('a request is sent', () => {
  test('through the proxy that was entered by hand', async () => {
    const { text } = await via({ mode: 'manual', url: proxyUrl() }).get(`http://${HOST}/app`)
    expect(text).toBe('{"path":"/app"}')
    expect(requests).toEqual([`GET http://${HOST}/app -`])
  })

  test('with the name and password of the proxy', async () => {
    wanted = basic('ola:p@ss')
    const choice = { mode: 'manual', url: proxyUrl(), user: 'ola' } as const
    expect((await via({ ...choice, password: 'p@ss' }).get(`http://${HOST}/`)).status).toBe(200)
    expect((await via({ ...choice, password: 'wrong' }).get(`http://${HOST}/`)).status).toBe(407)
  })

  test('through the proxy of the script', async () => {
    const script = `function FindProxyForURL(url, host) { return host === "${HOST}" ? "PROXY 127.0.0.1:${portOf(proxy)}" : "DIRECT" }`
    const url = `data:application/x-ns-proxy-autoconfig,${encodeURIComponent(script)}`
    wanted = basic('ola:secret')
    const { get } = via({ mode: 'pac', url, user: 'ola', password: 'secret' })
    expect((await get(`http://${HOST}/a`)).status).toBe(200)
    expect(requests).toEqual([`GET http://${HOST}/a ${wanted}`])
  })

  test('through the proxy of the system', async () => {
    const { get } = via({}, async () => proxyUrl())
    expect((await get(`http://${HOST}/a`)).status).toBe(200)
    expect(requests).toHaveLength(1)
  })

  test('straight to this device, whatever was chosen', async () => {
    const { get } = via({ mode: 'manual', url: 'http://127.0.0.1:1' })
    expect((await get(`http://127.0.0.1:${portOf(server)}/x`)).status).toBe(200)
  })
})

test('a realtime connection uses the same proxy', async () => {
  expect(await via({ mode: 'manual', url: proxyUrl() }).firstFrame(`ws://${HOST}/connect`)).toBe('hello')
  expect(requests).toEqual([`CONNECT ${HOST}:80 -`])
})

test('a proxy that is not there is a failing network, not a crash', async () => {
  const { get, firstFrame } = via({ mode: 'manual', url: 'http://127.0.0.1:1' })
  await expect(get(`http://${HOST}/`)).rejects.toMatchObject({ kind: 'network' })
  expect(await firstFrame(`ws://${HOST}/`)).toBe('closed 1006')
})

test('another choice holds from the next request on', async () => {
  const proxies = createProxies()
  proxies.set({ ...NO_CHOICE, mode: 'manual', url: 'http://127.0.0.1:1' })
  const http = nodeHttp(proxies)
  proxies.set({ ...NO_CHOICE, mode: 'manual', url: proxyUrl() })
  expect((await http.request({ method: 'GET', url: `http://${HOST}/`, headers: {} })).status).toBe(200)
})
