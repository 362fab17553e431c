import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { queryChannel } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import { forkedServer, localServers } from '#main/hosts/node/local-server.ts'
import { systemDisk, type Disk } from '#main/server/store/blobs.ts'
import { API_KEY, callAs, connectUrl, SECRET, startTestServer, tokenOf, type TestServer } from '../kit.ts'

const ENTRY = fileURLToPath(new URL('../../../main/entry/server.ts', import.meta.url))
const PARAMS = { type: 'messaging', id: 'room' }
const folders: string[] = []
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-operation-'))
  folders.push(folder)
  return folder
}
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

const send = (url: string, text: string) =>
  callAs(url, { userId: 'ann' }, sendMessage, PARAMS, { body: { message: { text } } })

async function aRoom(server: TestServer): Promise<void> {
  const ann = await server.connect('ann', { name: 'Ann Kowalska' })
  await ann.call(queryChannel, PARAMS, { body: { data: { members: ['ann'] }, watch: true } })
}

async function upload({ url }: { url: string }): Promise<{ status: number; text: string }> {
  const form = new FormData()
  form.set('file', new Blob(['some words'], { type: 'text/plain' }), 'private-name.txt')
  const answer = await fetch(`${url}/channels/messaging/room/file?api_key=${API_KEY}`, {
    method: 'POST',
    headers: { authorization: tokenOf('ann'), 'stream-auth-type': 'jwt' },
    body: form,
  })
  return { status: answer.status, text: await answer.text() }
}

const healthOf = async (url: string): Promise<{ status: number; body: Record<string, unknown> }> => {
  const answer = await fetch(`${url}/health`)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('health needs no token, reports the state, and reveals nothing else', async () => {
  const server = await startTestServer()
  await aRoom(server)
  const { status, body } = await healthOf(server.url)
  expect(status).toBe(200)
  expect(body).toEqual({
    status: 'ok',
    store: 'ok',
    disk: 'ok',
    schema: expect.any(Number) as number,
    connections: 1,
    uptime_seconds: expect.any(Number) as number,
  })
  const answer = await statusWithHost(server.url, 'evil.example')
  expect(answer).toBe(421)
  await server.stopAll()
})

function statusWithHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${url}/health`, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

test('a full disk refuses writes, ends nothing, and recovers when there is room', async () => {
  const logged: string[] = []
  const server = await startTestServer({ log: (level, _area, event) => void logged.push(`${level} ${event}`) })
  await aRoom(server)
  await send(server.url, 'before')
  const { db } = server.services
  const pages = Number(db.pragma('page_count'))
  db.pragma(`max_page_count = ${pages}`)
  const refused = []
  for (let n = 0; n < 40; n += 1) {
    const answer = await send(server.url, 'x'.repeat(4_000))
    if (answer.status !== 201) refused.push(answer)
  }
  expect(refused.length).toBeGreaterThan(10)
  expect(refused[0]?.status).toBe(500)
  expect(refused[0]?.body.message).toBe('SendMessage failed with error: "the disk of the server is full"')
  const page = await callAs(server.url, { userId: 'ann' }, queryChannel, PARAMS, { body: { messages: { limit: 100 } } })
  expect(page.body.messages?.[0]?.text).toBe('before')
  db.pragma('max_page_count = 1000000')
  expect((await send(server.url, 'after')).status).toBe(201)
  expect(logged).toContain('error request-failed')
  await server.stopAll()
})

test('a server whose database cannot be written is alive and not ready', async () => {
  const server = await startTestServer({ log: () => undefined })
  const { db } = server.services
  db.pragma('query_only = ON')
  const [alive, ready] = await Promise.all(['/healthz', '/readyz'].map((path) => server.request(path)))
  db.pragma('query_only = OFF')
  const again = await server.request('/readyz')
  await server.stopAll()

  expect([alive, ready, again].map((answer) => [answer?.status, answer?.text])).toEqual([
    [200, '{"status":"ok"}'],
    [503, '{"status":"degraded"}'],
    [200, expect.stringMatching(/"(ok|degraded)"/)],
  ])
})

const diskWith = (change: Partial<Disk>): Disk => ({ ...systemDisk, ...change })
const GB = 1024 ** 3

test.each([
  ['less than 1 GB', { bytes: GB - 1, share: 0.5 }, 413, 'low'],
  ['less than 5 %', { bytes: 50 * GB, share: 0.049 }, 413, 'low'],
  ['just enough', { bytes: GB, share: 0.05 }, 201, 'ok'],
])('with %s free an upload returns %j', async (_name, free, status, disk) => {
  const server = await startTestServer({ disk: diskWith({ free: () => Promise.resolve(free) }) })
  await aRoom(server)
  const answer = await upload(server)
  expect(answer.status).toEqual(status)
  expect((await healthOf(server.url)).body['disk']).toEqual(disk)
  await server.stopAll()
})

test.each(['append', 'sync'] as const)(
  'a disk that fills up at %s of an upload leaves nothing of it, and the next one works',
  async (step) => {
    let isFull = true
    const noRoom = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    const server = await startTestServer({
      disk: diskWith({
        async create(path) {
          const file = await systemDisk.create(path)
          return { ...file, [step]: (part: Buffer) => (isFull ? Promise.reject(noRoom) : file[step](part)) }
        },
      }),
    })
    await aRoom(server)
    const answer = await upload(server)
    expect(answer.status).toBe(500)
    expect(answer.text.includes('the disk of the server is full')).toBe(true)
    expect(readdirSync(join(server.folder, 'uploads'))).toEqual(['incoming'])
    expect(readdirSync(join(server.folder, 'uploads', 'incoming'))).toEqual([])
    isFull = false
    expect((await upload(server)).status).toBe(201)
    await server.stopAll()
  },
)

type Started = { url: string; log: () => string; ended: Promise<number | null>; kill: (signal: NodeJS.Signals) => void }

function startProcess(folder: string, text: readonly string[] = []): Promise<Started> {
  const child = spawn(process.execPath, [ENTRY, '--data', folder, '--api-key', API_KEY, ...text], {
    env: { ...process.env, PARLOR_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (part: Buffer) => (log += part.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return new Promise((resolve) => {
    child.stdout.once('data', (part: Buffer) => {
      const { url } = JSON.parse(part.toString()) as { url: string }
      resolve({ url, log: () => log, ended, kill: (signal) => void child.kill(signal) })
    })
  })
}

test('a stop tells sockets when to reconnect, leaves one file behind and ends with 0; its log contains no names and no texts', async () => {
  const folder = newFolder()
  const server = await startProcess(folder, ['--log-level', 'debug'])
  const socket = new WebSocket(connectUrl(server.url, 'ann', { details: { name: 'Ann Kowalska' } }))
  await new Promise((resolve) => socket.once('message', resolve))
  const closed = new Promise<string>((resolve) =>
    socket.once('close', (code, reason) => resolve(`${code} ${reason.toString()}`)),
  )
  await callAs(server.url, { userId: 'ann' }, queryChannel, PARAMS, {
    body: { data: { members: ['ann'], name: 'Secret plans' } },
  })
  await send(server.url, 'meet me at midnight')
  await upload(server)
  await send(server.url, '/giphy moonlight')
  // Refused requests are where a careless log would quote.
  await fetch(`${server.url}/channels?api_key=${API_KEY}`, {
    method: 'POST',
    headers: { authorization: tokenOf('ann'), 'stream-auth-type': 'jwt', 'content-type': 'application/json' },
    body: '{"text":"meet me at midn',
  })
  await fetch(`${server.url}/app?api_key=wrong-key-of-a-guest`, { headers: { authorization: tokenOf('ann') } })
  server.kill('SIGTERM')
  expect(await closed).toBe('1012 come back after 0 ms')
  expect(await server.ended).toBe(0)
  expect(readdirSync(folder).filter((name) => name.startsWith('server.db'))).toEqual(['server.db'])
  const lines = server.log().trimEnd().split('\n')
  const events = lines.map((line) => (JSON.parse(line) as { event: string }).event)
  expect(events).toEqual(expect.arrayContaining(['listening', 'stopping', 'stopped']))
  const secrets = [
    'midn',
    'moonlight',
    'Kowalska',
    'Secret plans',
    'private-name',
    SECRET,
    tokenOf('ann'),
    'wrong-key',
    API_KEY,
  ]
  expect(secrets.filter((text) => server.log().includes(text))).toEqual([])
})

test('a request that hangs does not delay a stop', async () => {
  const server = await startProcess(newFolder())
  const hanging = request(`${server.url}/channels?api_key=${API_KEY}`, {
    method: 'POST',
    headers: {
      authorization: tokenOf('ann'),
      'stream-auth-type': 'jwt',
      'content-type': 'application/json',
      'content-length': 1_000,
    },
  })
  hanging.on('error', () => undefined)
  hanging.write('{')
  expect((await healthOf(server.url)).status).toBe(200)
  server.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

test('a request that was being sent when the server began to stop gets its response, and ends that connection', async () => {
  const server = await startTestServer()
  const { host, hostname, port } = new URL(server.url)
  const line = connect(Number(port), hostname)
  let answer = ''
  line.on('data', (part: Buffer) => (answer += part.toString()))
  const over = new Promise((resolve) => line.once('close', resolve))
  await new Promise((resolve) => line.write(`GET /health HTTP/1.1\r\nHost: ${host}\r\n`, resolve))
  // Returned after the half request above has arrived.
  await healthOf(server.url)
  const stopped = server.stop()
  line.write('\r\n')
  await Promise.all([stopped, over])
  expect(answer).toMatch(/^HTTP\/1\.1 503 [^]*Connection: close[^]*"status":"stopping"/)
})

test('the server’s process may not grow beyond its heap', async () => {
  const entry = join(newFolder(), 'greedy.mjs')
  writeFileSync(
    entry,
    `import v8 from 'node:v8'
     const { heap_size_limit: limit } = v8.getHeapStatistics()
     console.log(JSON.stringify({ event: 'listening', url: 'http://127.0.0.1:1/' + Math.round(limit / 1048576) }))
     process.on('message', () => process.exit(0))`,
  )
  const server = await localServers(forkedServer(entry)).start({
    dataFolder: '-',
    seed: 'none',
    apiKey: 'k',
    secret: 's',
    port: 0,
  })
  // 512 MB of old space, and the young space that V8 adds.
  expect(Number(new URL(server.url).pathname.slice(1))).toBeLessThanOrEqual(768)
  await server.stop()
})
