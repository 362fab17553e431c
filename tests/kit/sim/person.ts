import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contract, type EngineClient } from '#shared/bridge/index.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { Message } from '#shared/domain/message.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { accountFolder, accountKey, openAccount, type Account } from '#main/app/accounts/account.ts'
import type { Stores } from '#main/cache/files/open.ts'
import { inlineWorker } from '#main/cache/worker.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { createDispatch, type AnyArea, type Dispatch } from '#main/bridge/dispatch.ts'
import { createServerApi, mintToken } from '#main/app/network/server-token.ts'
import type { ServerAccess } from '#main/engine/context.ts'
import { createEngine, type EngineOptions } from '#main/engine/engine.ts'
import type { Ring } from '#main/engine/features/reminders/alarm.ts'
import {
  TransportError,
  type FilesPort,
  type HttpResponse,
  type HttpPort,
  type HttpRequest,
  type SocketPort,
} from '#main/engine/ports.ts'
import { nodeFiles } from '#main/hosts/node/ports.ts'
import type { Clock } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import { silentSink } from '#main/lib/logger.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import type { ManualClock } from '../manual-clock.ts'
import type { Link } from './network.ts'
import { Replica } from './replica.ts'
import { SIM_KEY, SIM_SECRET, SIM_URL } from './server.ts'

export type PersonOptions = {
  readonly userId: string
  readonly token: string
  /** Without a token, reading what everyone may. */
  readonly guest?: boolean
  /** This computer has the server's secret, as that of a local workspace has. */
  readonly owner?: boolean
  /** Stored by the user: with it everything can be administered. */
  readonly apiSecret?: string
  readonly clock: ManualClock
  readonly ids: Ids
  readonly link: Link
  /** Survives restarts: the account's databases. */
  readonly folder: string
}

/** Observes what one process does, and may end it there. */
export type Watch = {
  stores(stores: Stores): Stores
  request(request: HttpRequest, send: () => Promise<HttpResponse>): Promise<HttpResponse>
  /** The engine updates its search index, and does all its background work. */
  readonly keepsIndex?: boolean
}

const FULL = 2
const JOURNAL = 'outbox.journal'
const WINDOW = { id: 'window-1', push: () => undefined }

/** What the application gives the engine in a local workspace. */
function ownerAccess({ ports }: Pick<EngineOptions, 'ports'>): ServerAccess {
  const api = createServerApi({ baseUrl: SIM_URL, apiKey: SIM_KEY, secret: SIM_SECRET }, ports)
  return {
    source: 'owner',
    api: () => Promise.resolve(api),
    issueToken: (userId, lifeMs) => {
      const now = ports.clock.now()
      const token = mintToken(SIM_SECRET, { userId, lifeMs }, now)
      return Promise.resolve({ token, url: SIM_URL, apiKey: SIM_KEY, expiresAt: now + lifeMs })
    },
  }
}

/** One user with a running Parlor: the whole engine, the bridge's dispatcher, and one window's replica. */
export class Person {
  readonly userId: string
  readonly link: Link
  replica = new Replica()
  /** Every ring of a reminder of this user, over all starts. */
  readonly rings: Ring[] = []
  /** How far this device's wall clock is off, in milliseconds. May jump at any moment; timers do not notice. */
  skewMs = 0
  /** For the processes started from now on. */
  watch: Watch | undefined
  /**
   * The same, for files: bytes in memory, so that reading them takes no time outside the manual clock. Absent: the real
   * disk.
   */
  files: FilesPort | undefined
  readonly #options: PersonOptions
  #process: ClientProcess | undefined
  #installId: string | undefined
  /** The outbox's second copy is flushed when it is created, and not with every line. */
  #flushedJournal: Uint8Array = new Uint8Array()
  #open: Cid | undefined

  constructor(options: PersonOptions) {
    this.#options = options
    this.userId = options.userId
    this.link = options.link
    this.start()
  }

  start(): void {
    const { clock, ids, link, folder, token, apiSecret } = this.#options
    const running = new ClientProcess(clock, link, link, () => this.skewMs)
    this.#process = running
    running.account = openAccount({
      ref: this.#ref,
      host: {
        paths: { data: folder, renderer: folder, notices: folder, resources: folder },
        ports: {
          clock: running.clock,
          ids,
          http: this.#watched(running.http),
          sockets: running.sockets,
          files: this.files ?? running.files,
          log: silentSink,
        },
        log: silentSink,
      },
      openEngine: (given) => {
        const { watch } = this
        const options = this.#options.owner === true ? { ...given, server: ownerAccess(given) } : given
        if (!watch) return createEngine(options)
        return createEngine({
          ...options,
          openStores: (onCommit) => watch.stores(options.openStores(onCommit)),
          ...(watch.keepsIndex === true ? { openWorker: inlineWorker } : {}),
        })
      },
      workspace: undefined,
      credential: token,
      apiKey: SIM_KEY,
      apiSecret,
      settings: DEFAULT_SETTINGS,
      installId: this.#installId,
      onInstallId: (id) => (this.#installId = id),
    })
    this.#flushedJournal = readFileSync(join(running.theAccount.folder, JOURNAL))
    this.#attach(running)
  }

  #watched(http: HttpPort): HttpPort {
    const { watch } = this
    if (!watch) return http
    return { ...http, request: (request) => watch.request(request, () => http.request(request)) }
  }

  #attach(running: ClientProcess): void {
    const { engine } = running.theAccount
    this.replica = new Replica()
    engine.onCommitted((commit) => {
      const changes = commit.changes.get(WINDOW.id)
      if (running.alive && changes) this.replica.apply(changes)
    })
    engine.onRing((ring) => {
      if (running.alive) this.rings.push(ring)
    })
    running.dispatch = createDispatch({ contract, clock: UNLIMITED, log: silentSink })
    running.dispatch.serve({
      handlersFor: (_window, area) => ({
        handlers: (engine.handlers as unknown as Record<string, AnyArea>)[area] ?? {},
        context: { client: WINDOW.id },
      }),
    })
    this.replica.apply(engine.attach(WINDOW.id, { lastChannel: this.#open }))
    if (this.#open) void this.ui.channels.open({ cid: this.#open })
  }

  get account(): Account {
    return this.#running.theAccount
  }

  /** The folder of this account's databases. */
  get folder(): string {
    return accountFolder(this.#options.folder, accountKey(this.#ref))
  }

  get #ref(): AccountRef {
    const { userId, guest } = this.#options
    return { kind: 'hosted', url: SIM_URL, apiKey: SIM_KEY, userId, guest: guest || undefined }
  }

  get isRunning(): boolean {
    return this.#process?.alive === true
  }

  /** The process is killed: nothing more runs, what was committed stays. */
  crash(): void {
    this.#process?.kill()
    this.link.cut()
    this.#process = undefined
  }

  /**
   * The device loses power: of each database only what SQLite has flushed is left. With FULL that is every commit,
   * with less everything up to the last checkpoint. Source: https://sqlite.org/pragma.html#pragma_synchronous
   */
  losePower(): void {
    const { cache, outbox } = this.account.engine.stores
    const flushed = [cache, outbox].map(({ path, reader }) => ({
      path,
      bytes: readFileSync(path),
      log: Number(reader.db.raw.pragma('synchronous', { simple: true })) >= FULL ? readFileSync(`${path}-wal`) : '',
    }))
    const { folder } = this.account
    this.crash()
    writeFileSync(join(folder, JOURNAL), this.#flushedJournal)
    for (const { path, bytes, log } of flushed) {
      writeFileSync(path, bytes)
      writeFileSync(`${path}-wal`, log)
      rmSync(`${path}-shm`, { force: true })
    }
  }

  async quit(): Promise<void> {
    const running = this.#running
    await running.theAccount.stop()
    running.end()
    this.#process = undefined
  }

  restart(): void {
    if (this.#process) this.crash()
    this.start()
  }

  /** Calls as the window makes them, through the contract's checks. Rejects with an {@link AppError}. */
  readonly ui: EngineClient = new Proxy({} as EngineClient, {
    get: (_target, area) =>
      new Proxy(
        {},
        { get: (_inner, name) => (input: unknown) => this.#call(`${String(area)}.${String(name)}`, input) },
      ),
  })

  async #call(name: string, input: unknown): Promise<unknown> {
    const reply = await this.#running.dispatch?.call(WINDOW, name, input)
    if (!reply) throw new Error('Not attached')
    if (reply.ok) return reply.value
    throw new AppError(reply.error.code, {
      params: reply.error.params ? { ...reply.error.params } : undefined,
      detail: reply.error.detail || undefined,
    })
  }

  async open(cid: Cid): Promise<void> {
    this.#open = cid
    await this.ui.channels.open({ cid })
  }

  /** Visible messages of the open window of a channel, oldest first. */
  messages(cid: Cid): Message[] {
    return this.#of(`timeline:${cid}`)
  }

  replies(parentId: string): Message[] {
    return this.#of(`thread:${parentId}`)
  }

  #of(key: string): Message[] {
    const ids = this.replica.window(key)?.ids ?? []
    return ids.flatMap((id) => this.replica.get('messages', id) ?? [])
  }

  /** `hello`, or `hello (queued)` for what the server does not have. */
  texts(cid: Cid): string[] {
    return this.messages(cid).map(
      ({ text, status, deletedAt }) =>
        (deletedAt === undefined ? text : 'deleted') + (status === 'received' ? '' : ` (${status})`),
    )
  }

  channel(cid: Cid): Channel | undefined {
    return this.replica.get('channels', cid)
  }

  get #running(): ClientProcess {
    if (!this.#process) throw new Error(`${this.userId} is not running`)
    return this.#process
  }
}

/** Tests call more often than a window may. */
let tick = 0
const UNLIMITED = { monotonic: () => (tick += 1_000) }

/** Everything that one process uses of the outside. A killed one receives nothing anymore. */
class ClientProcess {
  alive = true
  account: Account | undefined
  dispatch: Dispatch | undefined
  readonly clock: Clock
  readonly http: HttpPort
  readonly sockets: SocketPort
  readonly files: FilesPort = nodeFiles()

  constructor(clock: Clock, http: HttpPort, sockets: SocketPort, skewMs: () => number) {
    const ifAlive = (fn: () => void) => () => {
      if (!this.alive) return
      try {
        fn()
      } catch (error) {
        // Killed in between: errors of an ended process are ignored.
        if (this.alive) throw error
      }
    }
    this.clock = {
      now: () => clock.now() + skewMs(),
      monotonic: () => clock.monotonic(),
      after: (ms, fn) => clock.after(ms, ifAlive(fn)),
    }
    this.http = {
      request: (request) => this.#whileAlive(http.request(request)),
      download: (...args) => this.#whileAlive(http.download(...args)),
    }
    this.sockets = {
      open: (url, handlers) =>
        sockets.open(url, {
          onOpen: ifAlive(() => handlers.onOpen()),
          onFrame: (text) => ifAlive(() => handlers.onFrame(text))(),
          onClose: (code, reason) => ifAlive(() => handlers.onClose(code, reason))(),
        }),
    }
  }

  get theAccount(): Account {
    if (!this.account) throw new Error('The account did not open')
    return this.account
  }

  /** An ended process receives no response: the promise never settles. */
  #whileAlive<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      work.then(
        (value) => this.alive && resolve(value),
        (error: unknown) => this.alive && reject(error instanceof Error ? error : new TransportError('network', false)),
      )
    })
  }

  end(): void {
    this.alive = false
  }

  kill(): void {
    this.alive = false
    const { cache, outbox } = this.theAccount.engine.stores
    cache.reader.db.raw.close()
    outbox.reader.db.raw.close()
  }
}
