import { type ChangeSet, type EntityMap, type EntityName, grow, type Window } from '#shared/domain/changes.ts'
import type { Message } from '#shared/domain/message.ts'
import { DEFAULT_SETTINGS, type Settings } from '#shared/domain/settings.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { formatTime } from '#shared/lib/rfc3339.ts'
import type { Endpoint } from '#shared/wire/endpoint.ts'
import type { UnknownEvent, WireEvent } from '#shared/wire/events.ts'
import { openStores } from '#main/cache/files/open.ts'
import { inlineWorker } from '#main/cache/worker.ts'
import { ApiError, type Failure } from '#main/engine/api/errors.ts'
import type { EngineApi, ServerAccess } from '#main/engine/context.ts'
import { createEngine, type Engine } from '#main/engine/engine.ts'
import type { ExportWords } from '#main/engine/features/export/writer.ts'
import type { FilesPort } from '#main/engine/ports.ts'
import type { ConnectionHandlers } from '#main/engine/realtime/transport.ts'
import type { LogSink } from '#main/lib/logger.ts'
import { FakeHttp } from './fake-http.ts'
import { FakeSockets } from './fake-sockets.ts'
import { ManualClock } from './manual-clock.ts'
import { seededIds } from './seeded-ids.ts'
import { aFolder } from './stores.ts'

export type ApiCall = {
  readonly operation: string
  readonly params: Record<string, string>
  readonly body: unknown
  readonly signal?: AbortSignal
}
type ApiRequest = { params?: Record<string, string>; body?: unknown; query?: unknown; signal?: AbortSignal }
type Handler = (call: ApiCall) => unknown

/** Responds to calls from a table by operation; the newest entry wins. Without one the call fails as if offline. */
export class FakeApi implements EngineApi {
  readonly calls: ApiCall[] = []
  readonly #handlers = new Map<string, Handler>()

  on(operation: string, handler: Handler): this {
    this.#handlers.set(operation, handler)
    return this
  }

  to(operation: string): readonly ApiCall[] {
    return this.calls.filter((call) => call.operation === operation)
  }

  send = (async (endpoint: Endpoint, request: ApiRequest) =>
    this.#answer(endpoint.operation, request)) as EngineApi['send']

  upload: EngineApi['upload'] = async (endpoint, request) =>
    (await this.#answer(endpoint.operation, {
      params: request.params,
      body: request.file.fileName,
      signal: request.signal,
    })) as never

  /** A channel that can be opened can also be requested by GetChannel. */
  #isThere(operation: string): Handler | undefined {
    return operation === 'GetChannel' && this.#handlers.has('GetOrCreateChannel') ? () => ({}) : undefined
  }

  async #answer(operation: string, { params = {}, body, query, signal }: ApiRequest) {
    const call: ApiCall = { operation, params, body: body ?? query, signal }
    this.calls.push(call)
    const handler = this.#handlers.get(operation) ?? this.#isThere(operation)
    if (!handler) throw failing({ kind: 'transport', transport: 'network', sent: false }, operation)
    return await handler(call)
  }
}

export const failing = (failure: Failure, operation = 'Call'): ApiError => new ApiError(failure, { operation })
export const refused = (status: number, wireCode: number, message = 'refused'): ApiError =>
  failing({ kind: 'answer', status, wireCode, message })

/** Files in memory. */
export class FakeFiles implements FilesPort {
  readonly held = new Map<string, Uint8Array>()
  full = false
  async append(path: string, bytes: Uint8Array): Promise<void> {
    if (this.full) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    this.held.set(path, Buffer.concat([this.held.get(path) ?? new Uint8Array(), bytes]))
  }
  async sync(): Promise<void> {}
  async read(path: string, start: number, length: number): Promise<Uint8Array> {
    return (this.held.get(path) ?? new Uint8Array()).subarray(start, start + length)
  }
  async size(path: string): Promise<number | undefined> {
    return this.held.get(path)?.byteLength
  }
  async remove(path: string): Promise<void> {
    this.held.delete(path)
  }
  async list(folder: string): Promise<readonly string[]> {
    return [...this.held.keys()].filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length + 1))
  }
}

/** The state of a window: change-sets folded in order, as the renderer does. */
export class Replica {
  readonly tables: { [Name in EntityName]?: Record<string, EntityMap[Name]> } = {}
  readonly windows = new Map<string, Window>()
  received = 0

  take(changes: ChangeSet): void {
    this.received += 1
    for (const [name, rows] of Object.entries(changes.put)) {
      const tables = this.tables as Record<string, object>
      tables[name] = { ...tables[name], ...rows }
    }
    for (const [name, keys] of Object.entries(changes.del)) {
      const table = (this.tables as Record<string, Record<string, unknown>>)[name] ?? {}
      for (const key of keys) delete table[key]
    }
    for (const window of changes.windows) this.windows.set(window.key, window)
    for (const one of changes.grown ?? []) this.windows.set(one.key, grow(this.windows.get(one.key)?.ids ?? [], one))
    for (const key of changes.closed) this.windows.delete(key)
  }

  /** Messages of a window in order; fails if a row is missing. */
  messages(key: string): Message[] {
    return (this.windows.get(key)?.ids ?? []).map((id) => {
      const message = this.tables.messages?.[id]
      if (!message) throw new Error(`${key} lists ${id}, but no such message is held`)
      return message
    })
  }

  /** `hello`, or `hello (sending)` while the server has not confirmed it. */
  texts(cid: string): string[] {
    return this.messages(`timeline:${cid}`).map(({ text, status }) =>
      status === 'received' ? text : `${text} (${status})`,
    )
  }
}

export const SETTINGS: Settings = { ...DEFAULT_SETTINGS, language: 'en' }

/** Words of an exported page, as their keys; days and times of UTC. */
export const WORDS: ExportWords = {
  language: 'en',
  text: (key, params) => [key, ...Object.values(params ?? {})].join(' '),
  day: (at) => new Date(at).toISOString().slice(0, 10),
  time: (at) => new Date(at).toISOString().slice(11, 16),
  bytes: (bytes) => `${bytes} B`,
}

export type LoneEngine = {
  readonly engine: Engine
  readonly api: FakeApi
  readonly clock: ManualClock
  readonly files: FakeFiles
  readonly replica: Replica
  readonly folder: string
  readonly log: { level: string; area: string; event: string; fields: object }[]
  readonly client: { readonly client: string }
  online(): Promise<void>
  offline(): Promise<void>
  hear(...events: readonly (WireEvent | UnknownEvent | Record<string, unknown>)[]): Promise<void>
}

/** One engine of the user `me` over real stores, a table of responses and a manual clock. */
export async function aLoneEngine(
  options: {
    folder?: string
    api?: FakeApi
    clock?: ManualClock
    seed?: number
    files?: FakeFiles
    /** Updates the index and drops old messages, as the app does; the search itself stays on this thread. */
    upkeep?: boolean
    settings?: Partial<Settings>
    /** Where a server token comes from; absent: there is none. */
    server?: ServerAccess
  } = {},
) {
  const folder = options.folder ?? aFolder()
  const clock = options.clock ?? new ManualClock()
  const api = options.api ?? new FakeApi()
  const files = options.files ?? new FakeFiles()
  const ids = seededIds(options.seed ?? 1)
  const log: LoneEngine['log'] = []
  const sink: LogSink = (level, area, event, fields) => void log.push({ level, area, event, fields })
  let handlers: ConnectionHandlers | undefined
  const engine = createEngine({
    ports: { clock, ids, http: new FakeHttp(), sockets: new FakeSockets(), files, log: sink },
    account: { userId: asUserId('me') },
    openStores: (onCommit) =>
      openStores({
        folder,
        viewerId: asUserId('me'),
        serverNow: () => clock.now(),
        clock,
        ids,
        log: sink,
        onCommit,
        installId: 'install-1',
      }),
    api,
    server: options.server,
    connect: (given) => {
      handlers = given
      return { start: () => {}, stop: async () => {}, reconnectNow: () => {}, onActivity: () => {} }
    },
    serverNow: () => clock.now(),
    stagingFolder: `${folder}/staging`,
    session: { state: 'signed-in', userId: asUserId('me') },
    settings: { ...SETTINGS, ...options.settings },
    openWorker: options.upkeep === true ? inlineWorker : undefined,
  })
  const replica = new Replica()
  engine.onCommitted((commit) => {
    const changes = commit.changes.get('w1')
    if (changes) replica.take(changes)
  })
  const state = (healthy: boolean) =>
    handlers?.onState({
      state: healthy ? 'healthy' : 'unhealthy',
      offline: false,
      transport: 'websocket',
      serverRestarting: false,
    })
  const lone: LoneEngine = {
    engine,
    api,
    clock,
    files,
    replica,
    folder,
    log,
    client: { client: 'w1' },
    async online() {
      state(true)
      handlers?.onHealthy({ me: undefined, connectionId: 'c1', first: true })
      await clock.settle()
    },
    async offline() {
      state(false)
      await clock.settle()
    },
    async hear(...events) {
      handlers?.onEvents(events as WireEvent[])
      await clock.settle()
    },
  }
  engine.start()
  replica.take(engine.attach('w1', {}))
  await clock.settle()
  return lone
}

export const at = (ms: number): string => formatTime(Date.parse('2026-03-02T09:00:00Z') + ms)

export const CID = 'team:general'

export const aWireUser = (id: string): Record<string, unknown> => ({
  id,
  name: id,
  role: 'user',
  online: true,
  created_at: at(-1e6),
  updated_at: at(-1e6),
})

/** `ms` is the time of the message after the clock's start. */
export const aWireMessage = (
  id: string,
  ms: number,
  fields: Record<string, unknown> = {},
): Record<string, unknown> => ({
  id,
  cid: CID,
  text: id,
  type: 'regular',
  user: aWireUser('ana'),
  attachments: [],
  mentioned_users: [],
  reaction_groups: {},
  latest_reactions: [],
  own_reactions: [],
  reply_count: 0,
  created_at: at(ms),
  updated_at: at(ms),
  ...fields,
})

export const aWireChannelState = (
  messages: readonly Record<string, unknown>[] = [],
  fields: Record<string, unknown> = {},
): Record<string, unknown> => ({
  channel: {
    id: 'general',
    type: 'team',
    cid: CID,
    name: 'General',
    created_at: at(-1e6),
    updated_at: at(-1e6),
    member_count: 2,
    last_message_at: messages.at(-1)?.['created_at'],
    own_capabilities: [
      'send-message',
      'read-events',
      'send-reaction',
      'upload-file',
      'send-typing-events',
      'cast-poll-vote',
    ],
    config: { typing_events: true, read_events: true, reactions: true, replies: true, quotes: true, uploads: true },
  },
  members: ['me', 'ana'].map((id) => ({
    user_id: id,
    user: aWireUser(id),
    created_at: at(-1e6),
    updated_at: at(-1e6),
  })),
  membership: { user_id: 'me', user: aWireUser('me'), created_at: at(-1e6), updated_at: at(-1e6) },
  messages,
  pinned_messages: [],
  read: [{ user: aWireUser('me'), last_read: at(-1e5), unread_messages: messages.length }],
  watcher_count: 2,
  ...fields,
})

/** The server has one channel with these messages and responds to everything about it. */
export function withChannel(api: FakeApi, messages: readonly Record<string, unknown>[] = []): FakeApi {
  return api
    .on('QueryChannels', () => ({ channels: [aWireChannelState(messages)] }))
    .on('GetOrCreateChannel', () => aWireChannelState(messages))
    .on('Sync', () => ({ events: [] }))
    .on('GetApp', () => ({ app: { name: 'test', image_upload_config: {}, file_upload_config: {} } }))
}
