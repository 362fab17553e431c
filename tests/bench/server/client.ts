import { Agent, request } from 'node:http'
import { WebSocket } from 'ws'
import { tokenFor } from '../processes.ts'
import { API_KEY } from '../server-seed.ts'

const PING_MS = 25_000

/** A client that calls the local server over kept-alive connections, as a client of the contract does. */
export type Caller = {
  /** The body of the response. Throws with the server's message when it is not a success. */
  call(method: string, path: string, input?: object): Promise<Record<string, unknown>>
  close(): void
}

/** @param sockets connections kept open, and so calls in flight */
export async function callerOf(url: string, userId: string, sockets = 1): Promise<Caller> {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })
  const token = await tokenFor(userId)
  return {
    async call(method, path, input) {
      const { status, text } = await answerOf(agent, url, token, method, path, input)
      if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 300)}`)
      return JSON.parse(text) as Record<string, unknown>
    },
    close: () => agent.destroy(),
  }
}

type Answer = { readonly status: number; readonly text: string }

/** A connection that the server closed while it was idle is not a response: the call is sent once more. */
async function answerOf(...args: Parameters<typeof askOnce>): Promise<Answer> {
  try {
    return await askOnce(...args)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    return askOnce(...args)
  }
}

function askOnce(
  agent: Agent,
  url: string,
  token: string,
  method: string,
  path: string,
  input: object | undefined,
): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const body = input === undefined || method === 'GET' ? '' : JSON.stringify(input)
  const payload = method === 'GET' && input ? `&payload=${encodeURIComponent(JSON.stringify(input))}` : ''
  const mark = path.includes('?') ? '&' : '?'
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        method,
        hostname,
        port,
        path: `${path}${mark}api_key=${API_KEY}${payload}`,
        headers: {
          authorization: token,
          'stream-auth-type': 'jwt',
          ...(body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** A plain websocket, open. */
export function openSocket(url: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false })
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** A signed-in websocket of a user that watches these channels. */
export async function openWatcher(url: string, userId: string, ...channelPaths: readonly string[]): Promise<WebSocket> {
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
      const first = JSON.parse(data.toString()) as { connection_id?: string }
      if (first.connection_id === undefined) reject(new Error(`no connection: ${data.toString().slice(0, 300)}`))
      else resolve(first.connection_id)
    })
  })
  const caller = await callerOf(url, userId)
  const request = { watch: true, state: false, members: { limit: 0 } }
  for (const path of channelPaths) await caller.call('POST', `${path}/query?connection_id=${connectionId}`, request)
  caller.close()
  // As every client of the contract does: a connection that is silent for a minute and a half is closed.
  const pinging = setInterval(() => socket.send('[{"type":"health.check"}]'), PING_MS)
  socket.once('close', () => clearInterval(pinging))
  return socket
}
