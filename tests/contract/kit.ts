import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket, type RawData } from 'ws'
import { systemClock } from '#main/lib/clock.ts'
import { systemIds } from '#main/lib/ids.ts'
import type { LogSink } from '#main/lib/logger.ts'
import { startServer, type RunningServer, type ServerOptions } from '#main/server/app.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import type { Endpoint, ParamsOf, QueryOf, ReplyOf } from '#shared/wire/endpoint.ts'
import type { WireErrorBody } from '#shared/wire/errors.ts'
import type { UnknownEvent } from '#shared/wire/events.ts'

export const SECRET = 'a-secret-for-tests-of-more-than-32-bytes'
export const API_KEY = 'test-key'

/** A response: the status, and the body as the endpoint table types it or as an error. */
export type Answer<E> = { readonly status: number; readonly body: ReplyOf<E> & Partial<WireErrorBody> }

export type Client = {
  readonly userId: string
  readonly connectionId: string
  readonly first: UnknownEvent
  /** All events since the first frame, in order. */
  readonly events: UnknownEvent[]
  call<E extends Endpoint>(
    endpoint: E,
    params: ParamsOf<E>,
    input?: { query?: Partial<QueryOf<E>> | Record<string, unknown>; body?: unknown },
  ): Promise<Answer<E>>
  /** A round trip over the socket: every event sent before it has arrived afterwards. */
  settle(): Promise<void>
  /** Types of the events received since the last call, after settling. */
  takeEventTypes(): Promise<string[]>
  close(): Promise<void>
}

export type TestServer = RunningServer & {
  readonly folder: string
  connect(userId: string, details?: Record<string, unknown>): Promise<Client>
  request(path: string, init?: RequestInit): Promise<{ status: number; headers: Headers; text: string }>
  stopAll(): Promise<void>
}

/** What the server would only log is a failure here. */
const loud: LogSink = (level, _area, event, fields) => {
  if (level === 'error' && event === 'step-failed') throw new Error(`${event} ${JSON.stringify(fields)}`)
}

export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const folder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'parlor-server-'))
  const server = await startServer({
    port: 0,
    dataFolder: folder,
    apiKey: API_KEY,
    secret: SECRET,
    clock: systemClock,
    ids: systemIds,
    log: loud,
    ...options,
  })
  const open: Client[] = []
  return {
    ...server,
    folder,
    async connect(userId, details = {}) {
      const client = await connectTo(server.url, userId, details)
      open.push(client)
      return client
    },
    async request(path, init) {
      const response = await fetch(server.url + path, init)
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
    async stopAll() {
      await Promise.all(open.map((client) => client.close()))
      await server.stop()
      if (options.dataFolder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A frame as text. */
export function frameText(data: RawData): string {
  return Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data as Buffer).toString()
}

export function tokenOf(userId: string): string {
  return createToken({ userId }, SECRET)
}

export function connectUrl(
  base: string,
  userId: string,
  options: { token?: string; apiKey?: string; details?: Record<string, unknown> } = {},
): string {
  const url = new URL(`${base.replace('http', 'ws')}/connect`)
  url.searchParams.set('json', JSON.stringify({ user_id: userId, user_details: { id: userId, ...options.details } }))
  url.searchParams.set('api_key', options.apiKey ?? API_KEY)
  url.searchParams.set('authorization', options.token ?? tokenOf(userId))
  url.searchParams.set('stream-auth-type', 'jwt')
  return url.href
}

/** A user over real loopback sockets. */
export async function connectTo(base: string, userId: string, details: Record<string, unknown> = {}): Promise<Client> {
  const socket = new WebSocket(connectUrl(base, userId, { details }))
  const events: UnknownEvent[] = []
  const waiting: ((event: UnknownEvent) => void)[] = []
  const next = () => new Promise<UnknownEvent>((resolve) => waiting.push(resolve))
  const firstFrame = next()
  socket.on('message', (data) => {
    const event = JSON.parse(frameText(data)) as UnknownEvent
    if (event.type === 'health.check' || 'error' in event) waiting.shift()?.(event)
    else events.push(event)
  })
  const first = await Promise.race([
    firstFrame,
    new Promise<never>((_resolve, reject) => {
      socket.once('error', reject)
      socket.once('close', (code) => reject(new Error(`closed with ${code}`)))
    }),
  ])
  let takenCount = 0
  const client: Client = {
    userId,
    connectionId: String(first['connection_id']),
    first,
    events,
    call: (endpoint, params, input = {}) =>
      callAs(base, { userId, connectionId: String(first['connection_id']) }, endpoint, params, input),
    async settle() {
      const pong = new Promise<UnknownEvent>((resolve) => waiting.push(resolve))
      socket.send(JSON.stringify([{ type: 'health.check', client_id: `${userId}--1` }]))
      await pong
    },
    async takeEventTypes() {
      await client.settle()
      const types = events.slice(takenCount).map((event) => event.type)
      takenCount = events.length
      return types
    },
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      socket.close(1000)
      await closed
    },
  }
  return client
}

/** One request of the endpoint table. */
export async function callAs<E extends Endpoint>(
  base: string,
  who: { userId: string; connectionId?: string; token?: string },
  endpoint: E,
  params: ParamsOf<E>,
  input: { query?: object; body?: unknown } = {},
): Promise<Answer<E>> {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent((params as Record<string, string>)[name] ?? ''),
  )
  const url = new URL(base + path)
  url.searchParams.set('api_key', API_KEY)
  url.searchParams.set('user_id', who.userId)
  if (who.connectionId) url.searchParams.set('connection_id', who.connectionId)
  for (const [key, value] of Object.entries(input.query ?? {})) {
    url.searchParams.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  const response = await fetch(url, {
    method: endpoint.method,
    headers: {
      Authorization: who.token ?? tokenOf(who.userId),
      'stream-auth-type': 'jwt',
      'Content-Type': 'application/json',
    },
    ...(endpoint.method === 'GET' || endpoint.method === 'DELETE' ? {} : { body: JSON.stringify(input.body ?? {}) }),
  })
  return { status: response.status, body: (await response.json()) as Answer<E>['body'] }
}
