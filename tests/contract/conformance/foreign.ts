import { createHmac, randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'

/**
 * A client of the contract that knows nothing of Parlor: plain HTTP, a plain websocket, its own tokens. It sends what
 * the public clients send, so it gets what they get. See docs/wire.md 1.2 to 1.5 and 2.
 */
export type Server = { readonly url: string; readonly apiKey: string; readonly secret: string }

export type Json = Readonly<Record<string, unknown>>

export type Reply = { readonly status: number; readonly headers: Headers; readonly body: Json }

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Request = {
  readonly method: Method
  /** With its ids filled in, percent-encoded. */
  readonly path: string
  readonly query?: Json
  readonly body?: unknown
  readonly form?: FormData
  readonly headers?: Readonly<Record<string, string>>
}

/** A caller: a user, a server token, or a server token on a user's behalf. */
export type Caller = {
  readonly userId: string
  send(request: Request): Promise<Reply>
  get(path: string, query?: Json): Promise<Reply>
  post(path: string, body?: Json, query?: Json): Promise<Reply>
  put(path: string, body?: Json, query?: Json): Promise<Reply>
  patch(path: string, body?: Json, query?: Json): Promise<Reply>
  delete(path: string, query?: Json): Promise<Reply>
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** HS256, as any JWT library makes them. See docs/wire.md 1.5. */
export function sign(claims: object, secret: string, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const text = `${part(header)}.${part(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

/** Objects and lists as JSON, everything else as its text. See docs/wire.md 1.2. */
export function queryText(values: Json): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined) search.set(key, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return search.toString()
}

export type Credentials = { readonly userId: string; readonly token?: string; readonly connectionId?: string }

/** @param onReply receives every response, so that what was created can be cleaned up */
export function caller(
  server: Server,
  who: Credentials,
  onReply: (request: Request, reply: Reply) => void = () => undefined,
): Caller {
  async function send(request: Request): Promise<Reply> {
    const query = queryText({
      ...(who.userId === '' ? {} : { user_id: who.userId }),
      ...(who.connectionId === undefined ? {} : { connection_id: who.connectionId }),
      api_key: server.apiKey,
      ...request.query,
    })
    const hasBody = request.method !== 'GET' && request.form === undefined
    const answer = await fetch(`${server.url}${request.path}?${query}`, {
      method: request.method,
      headers: {
        ...(who.token === undefined ? {} : { Authorization: who.token }),
        'stream-auth-type': who.token === undefined ? 'anonymous' : 'jwt',
        'X-Stream-Client': 'foreign-v1.0.0-node|app=conformance',
        'x-client-request-id': randomUUID(),
        ...(hasBody && request.body !== undefined ? { 'Content-Type': 'application/json' } : {}),
        ...request.headers,
      },
      ...(request.form ? { body: request.form } : {}),
      ...(hasBody && request.body !== undefined ? { body: JSON.stringify(request.body) } : {}),
    })
    const text = await answer.text()
    const reply = { status: answer.status, headers: answer.headers, body: (text ? JSON.parse(text) : {}) as Json }
    onReply(request, reply)
    return reply
  }
  return {
    userId: who.userId,
    send,
    get: (path, query) => send({ method: 'GET', path, query }),
    post: (path, body = {}, query) => send({ method: 'POST', path, query, body }),
    put: (path, body = {}, query) => send({ method: 'PUT', path, query, body }),
    patch: (path, body = {}, query) => send({ method: 'PATCH', path, query, body }),
    delete: (path, query) => send({ method: 'DELETE', path, query }),
  }
}

/** One frame of the server: an event, or `{ error }`. */
export type Frame = Json & { readonly type?: string }

export type Socket = Caller & {
  readonly connectionId: string
  readonly first: Frame
  /** Every frame after the first, also health checks. */
  readonly frames: readonly Frame[]
  /** Pings and waits for the response: everything sent before has arrived then. */
  settle(): Promise<void>
  /** Events, without health checks, since the last call. */
  takeEvents(): Promise<Frame[]>
  /** The close code of the server, or of this client. */
  readonly closed: Promise<number>
  close(): Promise<void>
}

export type SocketOptions = {
  readonly details?: Json
  readonly anonymous?: boolean
  readonly onReply?: (request: Request, reply: Reply) => void
}

/** See docs/wire.md 2.1 and 2.2. */
export function socketUrl(server: Server, who: Credentials, options: SocketOptions = {}): string {
  const query = queryText({
    json: {
      user_id: who.userId,
      user_details: { id: who.userId, ...options.details },
      client_request_id: randomUUID(),
      server_determines_connection_id: true,
    },
    api_key: server.apiKey,
    authorization: who.token ?? '',
    'stream-auth-type': options.anonymous ? 'anonymous' : 'jwt',
    'X-Stream-Client': 'foreign-v1.0.0-node',
  })
  return `${server.url.replace(/^http/, 'ws')}/connect?${query}`
}

/** Opens the connection and resolves with the first frame, whatever it is. */
export async function openSocket(url: string): Promise<{ socket: WebSocket; first: Frame; frames: Frame[] }> {
  const socket = new WebSocket(url)
  const frames: Frame[] = []
  const first = await new Promise<Frame>((resolve, reject) => {
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString('utf8')) as Frame
      frames.push(frame)
      if (frames.length === 1) resolve(frame)
    })
    socket.once('error', reject)
    socket.once('close', (code) => reject(new Error(`closed with ${code} before a frame came`)))
  })
  frames.shift()
  return { socket, first, frames }
}

const isHealth = (frame: Frame): boolean => frame.type === 'health.check'

export async function connect(server: Server, who: Credentials, options: SocketOptions = {}): Promise<Socket> {
  const { socket, first, frames } = await openSocket(socketUrl(server, who, options))
  if ('error' in first) throw new Error(`the server refused: ${JSON.stringify(first)}`)
  const connectionId = String(first['connection_id'])
  let takenCount = 0
  const closed = new Promise<number>((resolve) => socket.once('close', (code) => resolve(code)))
  async function settle(): Promise<void> {
    if (socket.readyState !== WebSocket.OPEN) throw new Error(`the line of ${who.userId} is closed`)
    const pong = new Promise<void>((resolve) => {
      const onFrame = (data: Buffer): void => {
        if (!isHealth(JSON.parse(data.toString('utf8')) as Frame)) return
        socket.off('message', onFrame)
        resolve()
      }
      socket.on('message', onFrame)
    })
    socket.send(JSON.stringify([{ type: 'health.check', client_id: `${who.userId}--${randomUUID()}` }]))
    await pong
  }
  return {
    ...caller(server, { ...who, connectionId }, options.onReply),
    connectionId,
    first,
    frames,
    settle,
    async takeEvents() {
      await settle()
      const fresh = frames.slice(takenCount).filter((frame) => !isHealth(frame))
      takenCount = frames.length
      return fresh
    },
    closed,
    async close() {
      if (socket.readyState === WebSocket.OPEN) socket.close(1000, 'the person left')
      await closed
    },
  }
}

/** The value at a dotted path: `at(reply, 'channels.0.channel.cid')`. */
export function at(value: unknown, path: string): unknown {
  let here: unknown = value
  for (const key of path.split('.')) {
    if (typeof here !== 'object' || here === null) return undefined
    here = (here as Readonly<Record<string, unknown>>)[key]
  }
  return here
}

export const textAt = (value: unknown, path: string): string => String(at(value, path))

/** The list at a path; empty where there is none. */
export function listAt(value: unknown, path: string): readonly unknown[] {
  const found = path === '' ? value : at(value, path)
  return Array.isArray(found) ? found : []
}

/** One path of every item of a list, as texts: `each(reply, 'members', 'user_id')`. */
export const each = (value: unknown, path: string, inside: string): string[] =>
  listAt(value, path).map((item) => textAt(item, inside))
