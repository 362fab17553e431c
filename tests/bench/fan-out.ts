import { join } from 'node:path'
import { WebSocket } from 'ws'
import { benchFolder, removeFolder } from './folders.ts'
import { cpuOf, root, startNode, startServerProcess, tokenFor } from './processes.ts'
import { channelCid, channelId, personId, type SeedSize } from './seeds.ts'
import { API_KEY, SECRET, seedServer } from './server-seed.ts'
import { round } from './stats.ts'

/** Receivers of one channel: within what the server lets in (256 connections, 10 a person). */
const RECEIVERS = 50
const FAN_SEED: SeedSize = { name: 'S', people: RECEIVERS + 1, messages: [20] }

export type FanOut = {
  /** Processor time of the server for each delivery, request and storing included. */
  readonly cpuMicros: number
  /** The same for a bare `ws` server that only repeats the frame to everybody with `send`. */
  readonly bareCpuMicros: number
  readonly perSecond: number
  readonly barePerSecond: number
  readonly frameBytes: number
}

export async function measureFanOut(messages: number): Promise<FanOut> {
  const ours = await fanOutOfServer(messages)
  const bare = await fanOutOfBare(messages, ours.frame)
  return {
    cpuMicros: round(ours.cpuMicros),
    bareCpuMicros: round(bare.cpuMicros),
    perSecond: round(ours.perSecond),
    barePerSecond: round(bare.perSecond),
    frameBytes: ours.frame.length,
  }
}

type Run = { readonly cpuMicros: number; readonly perSecond: number; readonly frame: string }

async function fanOutOfServer(messages: number): Promise<Run> {
  const folder = benchFolder('fan-out')
  await seedServer(folder, { ...FAN_SEED, people: 30 })
  const server = await startServerProcess(folder, 0)
  try {
    const receivers = await Promise.all(
      Array.from({ length: RECEIVERS }, (_, index) => openReceiver(server.url, personId(1 + (index % 29)))),
    )
    const sender = await tokenFor(personId(0))
    const heard = hearing(receivers, messages, 'message.new')
    const startedAt = performance.now()
    const cpuBefore = cpuOf(server.pid)
    for (let index = 0; index < messages; index += 8) {
      const some = Array.from({ length: Math.min(8, messages - index) }, (_, each) =>
        send(server.url, sender, index + each),
      )
      await Promise.all(some)
    }
    const frame = await heard
    const ms = performance.now() - startedAt
    const cpuMs = cpuOf(server.pid) - cpuBefore
    for (const socket of receivers) socket.terminate()
    return { ...runOf(messages, cpuMs, ms), frame }
  } finally {
    await server.stop()
    removeFolder(folder)
  }
}

async function fanOutOfBare(messages: number, frame: string): Promise<Run> {
  const server = await startNode([join(root, 'tests/bench/bare-ws.ts')])
  try {
    const url = server.url.replace('http', 'ws')
    const receivers = await Promise.all(Array.from({ length: RECEIVERS }, () => openSocket(url)))
    const sender = await openSocket(`${url}/sender`)
    const heard = hearing(receivers, messages, '')
    const startedAt = performance.now()
    const cpuBefore = cpuOf(server.pid)
    for (let index = 0; index < messages; index += 1) sender.send(frame)
    await heard
    const ms = performance.now() - startedAt
    const cpuMs = cpuOf(server.pid) - cpuBefore
    for (const socket of [...receivers, sender]) socket.terminate()
    return { ...runOf(messages, cpuMs, ms), frame }
  } finally {
    await server.stop()
  }
}

const runOf = (messages: number, cpuMs: number, ms: number): { cpuMicros: number; perSecond: number } => ({
  cpuMicros: (cpuMs * 1_000) / (messages * RECEIVERS),
  perSecond: (messages * RECEIVERS * 1_000) / ms,
})

function openSocket(url: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Connected, and watching channel 0. */
async function openReceiver(url: string, userId: string): Promise<WebSocket> {
  const token = await tokenFor(userId)
  const query = new URLSearchParams({
    json: JSON.stringify({ user_id: userId, user_details: { id: userId } }),
    api_key: API_KEY,
    authorization: token,
    'stream-auth-type': 'jwt',
  })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/connect?${query.toString()}`, { perMessageDeflate: false })
  const connectionId = await new Promise<string>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('message', (data: Buffer) => {
      resolve((JSON.parse(data.toString()) as { connection_id: string }).connection_id)
    })
  })
  await call(`${url}/channels/team/${channelId(0)}/query`, token, { watch: true, state: false }, connectionId)
  return socket
}

const send = (url: string, token: string, index: number): Promise<void> =>
  call(`${url}/channels/team/${channelId(0)}/message`, token, {
    message: { id: `fan-${index}`, text: `message ${index} to everybody in ${channelCid(0)}, of an ordinary length` },
  })

async function call(url: string, token: string, body: object, connectionId = ''): Promise<void> {
  const query = new URLSearchParams({ api_key: API_KEY, ...(connectionId ? { connection_id: connectionId } : {}) })
  const answer = await fetch(`${url}?${query.toString()}`, {
    method: 'POST',
    headers: { authorization: token, 'stream-auth-type': 'jwt', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 300)} (secret ${SECRET.length})`)
}

/** Resolves with one frame once every receiver has heard all messages. */
function hearing(sockets: readonly WebSocket[], messages: number, type: string): Promise<string> {
  return new Promise((resolve) => {
    let missing = sockets.length * messages
    for (const socket of sockets) {
      socket.on('message', (data: Buffer) => {
        if (type !== '' && !data.subarray(0, 60).includes(type)) return
        missing -= 1
        if (missing === 0) resolve(data.toString())
      })
    }
  })
}
