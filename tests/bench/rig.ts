import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChangeSet } from '#shared/domain/changes.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import type { UnknownEvent, WireEvent } from '#shared/wire/events.ts'
import { threadWorker } from '#main/cache/worker.ts'
import { openStores } from '#main/cache/files/open.ts'
import { TransportError } from '#main/engine/ports.ts'
import type { EngineApi } from '#main/engine/context.ts'
import { createEngine, type Engine } from '#main/engine/engine.ts'
import { readFrame } from '#main/engine/realtime/envelope.ts'
import type { ConnectionHandlers } from '#main/engine/realtime/transport.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { nodePorts } from '#main/hosts/node/ports.ts'
import { PACE_MS } from '#main/engine/sync/list.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import { logger, silentSink } from '#main/lib/logger.ts'
import { cacheWorker } from './processes.ts'
import { channelCid, VIEWER, type SeedSize } from './seeds.ts'
import { SEED_NOW, wireChannels } from './wire.ts'

/** A whole engine over real stores, with one window attached, and frames passed to it by hand. */
export type Rig = {
  readonly engine: Engine
  readonly client: { readonly client: string }
  /** What was sent to the window since the last call. */
  takeChanges(): readonly ChangeSet[]
  /** Statements run since the last call. */
  takeStatements(): number
  /** Texts as they came from a socket, in one turn of the event loop: parsed, stored, and passed on to the window. */
  receive(frames: readonly string[]): void
  /** Lets promises and turns pass. */
  settle(): Promise<void>
  /** The connection breaks. */
  lose(): void
  /** It is back; resolves once all that was missed is stored. */
  recover(): Promise<void>
  stop(): Promise<void>
}

/** Responses of the server by operation, in addition to the channel list. */
export type Answers = Readonly<Record<string, (body: unknown) => unknown>>

/**
 * The engine of the viewer, connected, with the channels of the seed known and read, and channel 0 open. Time is that
 * of the machine unless another clock is given.
 */
export async function createRig(size: SeedSize, answers: Answers = {}, time: Partial<Clock> = {}): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-bench-'))
  let recoveries = 0
  const ports = nodePorts((_level, area, event) => {
    if (area === 'recover' && event === 'recovered') recoveries += 1
  })
  const turn = turnClock()
  let handlers: ConnectionHandlers | undefined
  const engine = createEngine({
    ports: { ...ports, clock: { ...ports.clock, ...time, after: (ms, fn) => turn.after(ms, fn) } },
    account: { userId: asUserId(VIEWER) },
    openStores: (onCommit) =>
      openStores({ folder, viewerId: asUserId(VIEWER), clock: ports.clock, ids: ports.ids, log: silentSink, onCommit }),
    openWorker: ({ path }) =>
      threadWorker(
        cacheWorker,
        { path, viewerId: asUserId(VIEWER) },
        { after: () => () => undefined },
        logger('bench', silentSink),
      ),
    api: serverOf(size, answers),
    connect: (given) => {
      handlers = given
      return { start: () => {}, stop: async () => {}, reconnectNow: () => {}, onActivity: () => {} }
    },
    serverNow: () => SEED_NOW,
    stagingFolder: join(folder, 'staging'),
    session: { state: 'signed-in', userId: asUserId(VIEWER) },
    settings: DEFAULT_SETTINGS,
  })
  let changes: ChangeSet[] = []
  engine.onCommitted((commit) => void changes.push(...commit.changes.values()))
  const statements = countStatements(engine)
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 5; quiet += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      turn.run()
    }
  }
  const healthy = (isHealthy: boolean): void =>
    handlers?.onState({
      state: isHealthy ? 'healthy' : 'unhealthy',
      offline: false,
      transport: 'websocket',
      serverRestarting: false,
    })
  async function recover(): Promise<void> {
    const before = recoveries
    healthy(true)
    handlers?.onHealthy({ me: undefined, connectionId: 'bench', first: before === 0 })
    const isThere = (): boolean => recoveries > before
    while (!isThere()) {
      await new Promise((resolve) => setImmediate(resolve))
      turn.run()
    }
  }
  engine.start()
  await recover()
  engine.attach('w1', { lastChannel: asCid(channelCid(0)) })
  await settle()
  changes = []
  return {
    engine,
    client: { client: 'w1' },
    takeChanges() {
      const taken = changes
      changes = []
      return taken
    },
    takeStatements: statements,
    receive(frames) {
      const events: (WireEvent | UnknownEvent)[] = []
      for (const text of frames) {
        const frame = readFrame(JSON.parse(text), SEED_NOW)
        if (frame.kind === 'event') events.push(frame.event)
      }
      handlers?.onEvents(events)
      turn.run()
    },
    settle,
    lose: () => healthy(false),
    recover,
    async stop() {
      await engine.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Later timers than this never run: nothing here waits for them. */
const SOON_MS = 200

/** Timers that are due soon run when they are and the rig says so. */
function turnClock(): { after(ms: number, fn: () => void): Stop; run(): void } {
  const timers = new Map<() => void, number>()
  return {
    after(ms, fn) {
      // A long list is loaded slowly so that other clients are served too; here there are none.
      const inMs = ms === PACE_MS ? 0 : ms
      if (inMs > SOON_MS) return () => undefined
      const once = (): void => fn()
      timers.set(once, performance.now() + inMs)
      return () => timers.delete(once)
    },
    run() {
      const now = performance.now()
      const due = [...timers].filter(([, at]) => at <= now)
      for (const [fn] of due) timers.delete(fn)
      for (const [fn] of due) fn()
    },
  }
}

/**
 * Returns the channel list and the given responses, as text that is parsed, each in a separate turn as from a network;
 * everything else fails as if offline.
 */
function serverOf(size: SeedSize, answers: Answers): EngineApi {
  const send = async (endpoint: { operation: string }, request: { body?: unknown }): Promise<unknown> => {
    await new Promise((resolve) => setImmediate(resolve))
    const answer = answers[endpoint.operation]
    if (answer) return answer(request.body)
    if (endpoint.operation !== 'QueryChannels') throw new TransportError('network', false)
    const { offset = 0, limit = 30 } = request.body as { offset?: number; limit?: number }
    return JSON.parse(JSON.stringify({ channels: wireChannels(size, SEED_NOW, { offset, limit }) }))
  }
  return { send: send as EngineApi['send'], upload: send as EngineApi['upload'] }
}

/** Counts the statements of both databases, by any way through a prepared statement. */
function countStatements(engine: Engine): () => number {
  let count = 0
  for (const store of [engine.stores.cache, engine.stores.outbox]) {
    const { db } = store.reader as { db: Record<'get' | 'all' | 'run', (...args: never[]) => unknown> }
    for (const way of ['get', 'all', 'run'] as const) {
      const original = db[way]
      db[way] = (...args) => {
        count += 1
        return original(...args)
      }
    }
  }
  return () => {
    const taken = count
    count = 0
    return taken
  }
}
