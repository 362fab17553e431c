import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'
import type { Notice } from '#shared/domain/notification.ts'
import type { ChangeSet } from '#shared/domain/changes.ts'
import type { Session, Connection } from '#shared/domain/session.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Cid } from '#shared/lib/brand.ts'
import type { Disk } from '#main/lib/sqlite/disk.ts'
import type { Store, Stores } from '#main/cache/files/open.ts'
import type { CacheWorker } from '#main/cache/worker.ts'
import type { Touched } from '#main/cache/store.ts'
import { isDiskTrouble, DISK_RETRY_MS } from '#main/lib/disk-error.ts'
import { type Changes, createChanges, createCore } from './assemble.ts'
import type {
  Account,
  Badge,
  ClientId,
  Commit,
  ConnectionFactory,
  EngineApi,
  EngineConnection,
  ServerAccess,
} from './context.ts'
import type { Core } from './core.ts'
import { diagnose } from './diagnostics.ts'
import { registry } from './features/index.ts'
import type { Ports } from './ports.ts'
import type { Focus, Memory } from './changes/memory.ts'
import { ConnectionListener } from './sync/connection-listener.ts'
import type { EngineHandlers, Offers, Parts } from './registry/feature.ts'
import { createUpkeep, type Upkeep } from './upkeep.ts'

/** As the server sent it: unchecked. */
export type ServerApp = { readonly name?: unknown; readonly workspace_icon?: unknown }

export type EngineOptions = {
  readonly ports: Ports
  readonly account: Account
  /** Opens the account's two databases, on the real disk unless another is given; the engine closes them in `stop`. */
  readonly openStores: (onCommit: (touched: Touched) => void, disk?: Disk) => Stores
  /**
   * The thread beside the cache; if present, the engine maintains the index and the log. Without it nothing is indexed, and
   * messages are searched one by one on the caller's thread.
   */
  readonly openWorker?: (cache: Store) => CacheWorker
  readonly api: EngineApi
  /** Absent: the account has no other authority than its own. */
  readonly server?: ServerAccess
  readonly connect: ConnectionFactory
  /** Epoch milliseconds on the server's clock (main/engine/session/server-clock.ts). */
  readonly serverNow: () => number
  /** Folder for staged files of this account (`DATA/accounts/<hash>/staging`). */
  readonly stagingFolder: string
  readonly session: Session
  readonly settings: Settings
  /** Name and icon of the workspace on its server, told at every connection. */
  readonly onServerApp?: (app: ServerApp) => void
}

/** One account: facts, intents, and the windows that show them. Features offer more methods. */
export type Engine = Offers & Frame

type Frame = {
  /** For reading media addresses; only the engine writes. */
  readonly stores: Stores
  readonly handlers: EngineHandlers
  /** Reads the cache and starts connecting. Returns before any request. */
  start(): void
  /** Stops timers and requests; what was in flight becomes ready again at the next start. */
  stop(): Promise<void>
  /** Snapshot for a window, at a revision; commits from that revision on are for this client too. */
  attach(client: ClientId, input: { readonly lastChannel?: Cid }): ChangeSet
  detach(client: ClientId): void
  /** Called for every commit, after it is on disk. At most one per turn of the event loop. */
  onCommitted(listener: (commit: Commit) => void): () => void
  /** Updates entities that are created outside the engine. */
  publish(values: {
    readonly session?: Session
    readonly settings?: Settings
    readonly serverRestarting?: boolean
    /** Whether the last attempt to load a token failed. */
    readonly renewalFails?: boolean
  }): void
  /** Shows the user a notice and stores it in the log. */
  notify(notice: Omit<Notice, 'id' | 'createdAt'>): void
  notices(): readonly Notice[]
  reportFocus(client: ClientId, focus: Focus): void
  /** What each window of this account shows: for notifications. */
  focuses(): readonly Focus[]
  /** Unread over all channels that are not muted, by query. */
  badge(): Badge
  /** State of the connection. */
  connection(): Connection
  /** Epoch milliseconds on the server's clock. */
  serverNow(): number
  reconnectNow(): void
  /** The user is active: see {@link ConnectionControl.onActivity}; also retries pending tasks of the connection. */
  onActivity(): void
  /** Numbers, names and times without any content, for display and copying. */
  diagnostics(): Diagnostics
}

export type { Focus }

/**
 * Creates one engine. Nothing happens before `start`; `attach` returns the cache even before it.
 */
export function createEngine(options: EngineOptions): Engine {
  const engine = new AccountEngine(options)
  return Object.assign(engine, engine.features.offers)
}

class AccountEngine implements Frame {
  readonly handlers: EngineHandlers
  readonly stores: Stores
  readonly features: Parts
  readonly #changes: Changes
  readonly #core: Core
  readonly #life = new AbortController()
  readonly #upkeep: Upkeep | undefined
  readonly #listener: ConnectionListener
  readonly #connection: EngineConnection

  constructor(options: EngineOptions) {
    this.#changes = createChanges(options)
    this.stores = this.#changes.stores
    const core = createCore(options, this.#changes, registry, this.#life.signal)
    this.#core = core
    this.features = registry.create(core)
    this.handlers = this.features.calls
    this.#upkeep = options.openWorker && createUpkeep(upkeepOf(core))
    this.#listener = new ConnectionListener(core, options.onServerApp)
    this.#connection = options.connect(this.#listener.handlers)
  }

  start(): void {
    const { committed, collector } = this.#changes
    const { start, onTouched, onCommit } = this.features
    const core = this.#core
    const steps = [
      () => core.outbox.recoverInflight(),
      ...start('before-queue'),
      // Intents that became due while the app was closed.
      () => core.runner.kick(),
      () => this.#listener.lost(),
      () => core.housekeeping.start(),
      () => this.#upkeep?.start(),
      ...start('before-connection'),
      () => this.#connection.start(),
    ]
    for (const listener of onTouched) committed.add(listener)
    collector.afterFlush(() => this.#upkeep?.committed())
    for (const step of steps) startStep(core, step)
    for (const follower of onCommit) collector.afterFlush(follower)
    for (const step of start('last')) startStep(core, step)
  }

  async stop(): Promise<void> {
    const { stop } = this.features
    const core = this.#core
    const steps = [
      () => this.#listener.ending(),
      ...stop('flush'),
      ...stop('timers'),
      () => this.#life.abort(),
      () => core.errands.drop(),
      () => this.#connection.stop(),
      () => core.runner.stop(),
      () => this.#changes.collector.stop(),
      () => core.early.stop(),
      () => core.housekeeping.stop(),
      () => this.#upkeep?.stop(),
      ...stop('memory'),
      () => core.cacheWorker.close(),
      () => this.stores.close(),
    ]
    // A failing disk must not leave files open.
    for (const step of steps) await stopStep(core, step)
  }

  attach(client: ClientId, { lastChannel }: { readonly lastChannel?: Cid | undefined }): ChangeSet {
    return this.#changes.collector.attach(client, lastChannel)
  }

  detach(client: ClientId): void {
    this.#changes.collector.detach(client)
    this.#memory.focuses.delete(client)
  }

  onCommitted(listener: (commit: Commit) => void): () => void {
    return this.#changes.collector.onFlush(listener)
  }

  publish({ session, settings, serverRestarting, renewalFails }: Parameters<Engine['publish']>[0]): void {
    const { collector } = this.#changes
    const memory = this.#memory
    if (session) memory.session = session
    if (settings) this.#settingsChanged(settings)
    if (serverRestarting !== undefined) memory.connection = { ...memory.connection, serverRestarting }
    if (session) collector.touch('session', 'self')
    if (settings) collector.touch('settings', 'self')
    if (renewalFails !== undefined) memory.renewalFails = renewalFails
    if (serverRestarting !== undefined || renewalFails !== undefined) collector.touch('connection', 'self')
    this.#core.trouble.check()
  }

  notify(notice: Omit<Notice, 'id' | 'createdAt'>): void {
    this.#core.notify(notice)
  }

  notices(): readonly Notice[] {
    return this.#memory.notices
  }

  reportFocus(client: ClientId, focus: Focus): void {
    const { focuses } = this.#memory
    const wasFocused = focuses.get(client)?.focused === true
    focuses.set(client, focus)
    if (focus.focused && !wasFocused) this.onActivity()
  }

  focuses(): readonly Focus[] {
    return [...this.#memory.focuses.values()]
  }

  badge(): Badge {
    return this.#changes.collector.badge()
  }

  connection(): Connection {
    return this.#memory.connection
  }

  serverNow(): number {
    return this.#core.serverNow()
  }

  onActivity(): void {
    this.#connection.onActivity()
    this.#core.errands.onActivity()
  }

  reconnectNow(): void {
    this.#connection.reconnectNow()
    this.#core.errands.retryAll()
    this.#core.runner.retryAll()
  }

  diagnostics(): Diagnostics {
    return diagnose(this.#core, this.#connection)
  }

  get #memory(): Memory {
    return this.#changes.memory
  }

  #settingsChanged(settings: Settings): void {
    const { memory } = this.#core
    const before = memory.settings
    memory.settings = settings
    this.#upkeep?.settingsChanged()
    for (const listener of this.features.onSettings) listener(before)
  }
}

/** If the disk refuses writes, everything starts anyway; the failed step is repeated once it accepts them again. */
function startStep(core: Pick<Core, 'life' | 'log' | 'ports' | 'runner'>, step: () => unknown): void {
  try {
    step()
  } catch (error) {
    if (!isDiskTrouble(error)) throw error
    core.log('engine').warn('not-begun', { code: error.code })
    core.ports.clock.after(DISK_RETRY_MS, () => {
      if (core.life.aborted) return
      step()
      core.runner.kick()
    })
  }
}

async function stopStep(core: Pick<Core, 'log'>, step: () => unknown): Promise<void> {
  try {
    await step()
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined
    core.log('engine').error('not-ended', { error: code ?? (error instanceof Error ? error.message : 'unknown') })
  }
}

function upkeepOf(
  core: Pick<Core, 'cacheWorker' | 'collector' | 'log' | 'memory' | 'ports' | 'serverNow' | 'stores'>,
): Parameters<typeof createUpkeep>[0] {
  return {
    stores: core.stores,
    worker: core.cacheWorker,
    clock: core.ports.clock,
    serverNow: core.serverNow,
    settings: () => core.memory.settings,
    onScreen: () => new Set(core.collector.openLists().map(({ cid }) => cid)),
    log: core.log('upkeep'),
  }
}
