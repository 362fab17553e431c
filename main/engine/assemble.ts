import type { Connection } from '#shared/domain/session.ts'
import { type Intent, NO_CHANNEL } from '#shared/domain/intent.ts'
import type { Notice } from '#shared/domain/notification.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Cid } from '#shared/lib/brand.ts'
import type { Stores } from '#main/cache/files/open.ts'
import type { Touched } from '#main/cache/store.ts'
import { inlineWorker } from '#main/cache/worker.ts'
import * as meta from '#main/cache/meta.ts'
import * as draftTable from '#main/cache/outbox/drafts.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import { Collector } from './changes/collector.ts'
import { createMemory, isFocused, NOTICE_LOG_LIMIT, type Memory, type ReadContext } from './changes/memory.ts'
import { isClockError } from './api/errors.ts'
import type { Core, Recovery } from './core.ts'
import { createRecorder } from './diagnostics.ts'
import type { EngineOptions } from './engine.ts'
import { createDeliveryReporter } from './features/delivery/reporter.ts'
import { DraftSync, createDraftRevisions } from './features/drafts/sync.ts'
import { createRecentSends } from './features/messages/unsent.ts'
import { ThreadInbox } from './features/threads/inbox.ts'
import { createAssistantTracker } from './features/assistants/assistants.ts'
import { createReadMarker, type ReadMarker, createSendMark, type SendMark } from './features/reads/marker.ts'
import { createTypingTracker } from './features/typing/typing.ts'
import { cooldownMs } from './outbox/waiting.ts'
import { Outbox, kindOf, type KindsOfIntents, reasonOf } from './outbox/outbox.ts'
import { Runner } from './outbox/runner.ts'
import { CLOCKS_DIFFER, createTroubleWatch } from './session/token.ts'
import { retryingClock } from '#main/lib/disk-error.ts'
import type { Ports } from './ports.ts'
import type { Registry } from './registry/feature.ts'
import { createEarlyEvents, ingest } from './sync/ingest.ts'
import { Errands } from './sync/errands.ts'
import { createHousekeeping } from './upkeep.ts'
import { refreshTimeline } from './sync/recover.ts'

/** Facts, intents, memory, and the collector that reads them. */
export type Changes = {
  readonly stores: Stores
  readonly outbox: Outbox
  readonly memory: Memory
  readonly context: ReadContext
  readonly collector: Collector
  /** Called after every commit of both databases. */
  readonly committed: Set<(touched: Touched) => void>
}

export function createChanges(options: EngineOptions): Changes {
  const { ports } = options
  // Opening repairs and migrates before anything listens: its changes are in every snapshot.
  let collector: Collector | undefined
  const committed = new Set<(touched: Touched) => void>()
  const stores = options.openStores((touched) => {
    collector?.onCommit(touched)
    for (const listener of committed) listener(touched)
  })
  const outbox = new Outbox({ store: stores.outbox, ids: ports.ids, clock: ports.clock })
  const memory = createMemory(options.session, options.settings)
  if (options.server) memory.manage = { ...memory.manage, source: options.server.source }
  const context: ReadContext = {
    me: options.account.userId,
    cache: stores.cache.reader,
    pending: stores.outbox.reader,
    outbox,
    memory,
    now: options.serverNow,
  }
  // Listeners of the collector write to disk too.
  collector = new Collector(context, retryingClock(ports.clock, logger('disk', ports.log)))
  return { stores, outbox, memory, context, collector, committed }
}

export function createCore(
  options: EngineOptions,
  changes: Changes,
  { appliers, ignored, kinds }: Pick<Registry, 'appliers' | 'ignored' | 'kinds'>,
  life: AbortSignal,
): Core {
  const { stores, outbox, memory, collector, context } = changes
  const recorder = createRecorder(options.ports.clock)
  const sink = recorder.counting(options.ports.log)
  const log = (area: string) => logger(area, sink)
  const ports = { ...options.ports, clock: retryingClock(options.ports.clock, log('disk')) }
  const notices = new NoticeLog({ memory, clock: ports.clock, ids: ports.ids, collector })
  const tasks = new Tasks(life, log('background'))
  const base = {
    me: context.me,
    ports,
    api: recorder.watch(options.api, () => notices.add(PORTAL)),
    server: options.server,
    cache: stores.cache,
    memory,
    context,
    life,
    isHealthy: () => memory.connection.state === 'healthy',
  }
  let drafts: DraftSync | undefined
  let threads: ThreadInbox | undefined
  let readMarker: ReadMarker | undefined
  let sendMark: SendMark | undefined
  const core: Core = {
    ...base,
    stores,
    outbox,
    collector,
    recorder,
    log,
    runner: new Runner(runnerOptions({ outbox, ports, log, memory, collector }, kinds, () => core)),
    delivery: createDeliveryReporter(base),
    drafts: () => (drafts ??= new DraftSync(core)),
    draftRevisions: draftRevisions(base, changes),
    recentSends: createRecentSends(ports.clock),
    threads: () => (threads ??= new ThreadInbox(core)),
    readMarker: () => (readMarker ??= createReadMarker(core)),
    sendMark: () => (sendMark ??= createSendMark(core)),
    events: { appliers, ignored },
    early: createEarlyEvents(ports.clock, (events) => void ingest(core, { events, live: false })),
    typing: createTypingTracker(ports.clock, memory.typing, (key) => collector.touch('typing', key)),
    assistants: createAssistantTracker(ports.clock, memory.assistants, (key) => collector.touch('typing', key)),
    housekeeping: createHousekeeping({
      stores,
      clock: ports.clock,
      serverNow: options.serverNow,
      log: log('housekeeping'),
    }),
    cacheWorker: options.openWorker?.(stores.cache) ?? inlineWorker(stores.cache),
    stagingFolder: options.stagingFolder,
    serverNow: options.serverNow,
    asOf: () => meta.newestServerTime(stores.cache.reader),
    watched: new Set<Cid>(),
    errands: new Errands({
      clock: ports.clock,
      random: () => ports.ids.random(),
      log: log('errands'),
      isFocused: () => isFocused(memory),
      onChange(missing) {
        memory.stillLoading = missing
        collector.touch('connection', 'self')
      },
      onDiskTrouble: (error) => core.syncState.fellBehind?.(error),
    }),
    trouble: createTroubleWatch({ memory, notify: (notice) => notices.add(notice) }),
    syncState: { caughtUp: false, unfetched: new Set() },
    write: (work) => stores.cache.transaction(work),
    notify: (notice) => notices.add(notice),
    noticeOver: (type) => notices.end(type),
    once: (key, work) => tasks.once(key, work),
    background: (what, work) => tasks.run(what, work),
  }
  changes.committed.add((touched) => onCommitted(core, touched))
  return core
}

/** What other parts do after a commit of either database. */
function onCommitted(core: Pick<Core, 'draftRevisions' | 'drafts' | 'early'>, touched: Touched): void {
  const keys = touched.entities.get('drafts')
  if (keys) {
    core.draftRevisions.touched(keys)
    core.drafts().touched(keys)
  }
  core.early.onCommit(touched)
}

const draftRevisions = ({ ports, memory }: Pick<Core, 'ports' | 'memory'>, { stores, collector }: Changes) =>
  createDraftRevisions({
    first: ports.clock.now(),
    revisions: memory.draftRevisions,
    row: (key) => draftTable.byKey(stores.outbox.reader, key),
    rows: () => draftTable.all(stores.outbox.reader),
    onRaised: (key) => collector.touch('draftRevisions', key),
  })

/** `core` is complete only once the runner exists: it is read when something is sent. */
function runnerOptions(
  { outbox, ports, log, memory, collector }: Pick<Core, 'outbox' | 'ports' | 'log' | 'memory' | 'collector'>,
  kinds: KindsOfIntents<Core>,
  core: () => Core,
): ConstructorParameters<typeof Runner>[0] {
  const connectionChanged = (connection: Connection): void => {
    memory.connection = connection
    collector.touch('connection', 'self')
    core().trouble.check()
  }
  return {
    outbox,
    clock: ports.clock,
    ids: ports.ids,
    log: log('outbox'),
    perform: (intent, signal) => kindOf(kinds, intent).perform(core(), intent, signal),
    verify: async (intent, signal) => kindOf(kinds, intent).verify?.(core(), intent, signal),
    applyFacts: (work) => core().write(work),
    filesReady: (intent) => kindOf(kinds, intent).isReady?.(core(), intent) ?? true,
    cooldownMs: (intent) => cooldownMs(core(), intent),
    placeNow: (intent) => kindOf(kinds, intent).placeNow?.(core(), intent),
    onReleased: (dropped) => dropped.forEach((intent) => kindOf(kinds, intent).dropped?.(core(), intent)),
    onParked(intent) {
      core().notify(kindOf(kinds, intent).parked?.(core(), intent) ?? rejected(intent))
      refreshAfter(core(), intent)
    },
    // The connection notices only at its next attempt: the banner should not wait for that.
    onHeld: (code) =>
      connectionChanged({
        ...memory.connection,
        ...(isClockError(code) ? { trouble: CLOCKS_DIFFER } : { blocked: code }),
      }),
    onFreed() {
      const { blocked: _blocked, trouble: _trouble, ...connection } = memory.connection
      // A rejected connection reports that itself.
      if (connection.state === 'healthy') connectionChanged(connection)
    },
  }
}

/** Work that several callers share, or that nothing waits for. */
class Tasks {
  readonly #life: AbortSignal
  readonly #log: Logger
  readonly #running = new Map<string, Promise<unknown>>()

  constructor(life: AbortSignal, log: Logger) {
    this.#life = life
    this.#log = log
  }

  async once<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key) as Promise<T> | undefined
    if (running) return running
    const started = work().finally(() => this.#running.delete(key))
    this.#running.set(key, started)
    return started
  }

  run(what: string, work: () => Promise<unknown>): void {
    work().catch((error: unknown) => {
      if (this.#life.aborted) return
      const code = error instanceof AppError ? error.code : error instanceof Error ? error.message : 'unknown'
      this.#log.warn(what, { code })
    })
  }
}

/** Three responses in a row did not come from the server: most likely the network requires a sign-in page. */
const PORTAL = { code: 'network/portal', type: 'local:network:portal', severity: 'warning' } as const

type NoticeLogOptions = Pick<Core, 'memory' | 'collector'> & Pick<Ports, 'clock' | 'ids'>

/** What the user was notified of, newest first; each new notice is shown once. */
class NoticeLog {
  readonly #options: NoticeLogOptions

  constructor(options: NoticeLogOptions) {
    this.#options = options
  }

  add(notice: Omit<Notice, 'id' | 'createdAt'>): void {
    const { memory, clock, ids, collector } = this.#options
    const id = ids.uuid()
    memory.notices.unshift({ ...notice, id, createdAt: clock.now() })
    memory.notices.length = Math.min(memory.notices.length, NOTICE_LOG_LIMIT)
    collector.touch('notices', id)
  }

  /** Ends the lasting notices of this type. */
  end(type: string): void {
    const { memory, collector } = this.#options
    for (const [index, notice] of memory.notices.entries()) {
      if (notice.type !== type || notice.lasting !== true || notice.over) continue
      memory.notices[index] = { ...notice, over: true }
      collector.touch('notices', notice.id)
    }
  }
}

/** The general notice of a rejected intent, which is also shown at its place and in the outbox. */
const rejected = (intent: Intent): Omit<Notice, 'id' | 'createdAt'> => ({
  code: 'outbox/parked',
  type: `api:${intent.kind}:refused`,
  severity: 'error',
  params: { kind: intent.kind, reason: reasonOf(intent) },
})

/** Permissions may have changed without an event: refreshes what the screen offers. */
function refreshAfter(core: Recovery, intent: Intent): void {
  if (reasonOf(intent) === 'server/not-allowed' && core.isHealthy() && intent.cid !== NO_CHANNEL)
    refreshTimeline(core, intent.cid)
}
