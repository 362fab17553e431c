import type { Notice } from '#shared/domain/notification.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Store, Stores } from '#main/cache/files/open.ts'
import type { CacheWorker } from '#main/cache/worker.ts'
import type { Tx } from '#main/cache/store.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { Collector } from './changes/collector.ts'
import type { Memory, ReadContext } from './changes/memory.ts'
import type { EngineApi, ServerAccess } from './context.ts'
import type { Recorder } from './diagnostics.ts'
import type { DeliveryReporter } from './features/delivery/reporter.ts'
import type { DraftSync, DraftRevisions } from './features/drafts/sync.ts'
import type { ReadMarker, SendMark } from './features/reads/marker.ts'
import type { RecentSends } from './features/messages/unsent.ts'
import type { ThreadInbox } from './features/threads/inbox.ts'
import type { AssistantTracker } from './features/assistants/assistants.ts'
import type { TypingTracker } from './features/typing/typing.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Runner } from './outbox/runner.ts'
import type { Ports } from './ports.ts'
import type { Registry } from './registry/feature.ts'
import type { EarlyEvents } from './sync/ingest.ts'
import type { Errands } from './sync/errands.ts'
import type { Housekeeping } from './upkeep.ts'

/**
 * The parts of one engine. Created by `createCore` in `assemble.ts` only; a module names the parts that it needs, as a
 * `Pick` or as one of the ports below, and never takes all of them.
 */
export type Core = {
  readonly me: UserId
  readonly ports: Ports
  readonly api: EngineApi
  /** The server token, if this installation has one for the account. */
  readonly server: ServerAccess | undefined
  readonly stores: Stores
  readonly cache: Store
  readonly memory: Memory
  readonly context: ReadContext
  readonly outbox: Outbox
  readonly runner: Runner
  readonly collector: Collector
  readonly recorder: Recorder
  /** How events are applied, by their type. */
  readonly events: Pick<Registry, 'appliers' | 'ignored'>
  readonly early: EarlyEvents
  readonly typing: TypingTracker
  readonly assistants: AssistantTracker
  readonly delivery: DeliveryReporter
  readonly drafts: () => DraftSync
  readonly draftRevisions: DraftRevisions
  readonly recentSends: RecentSends
  readonly threads: () => ThreadInbox
  readonly readMarker: () => ReadMarker
  readonly sendMark: () => SendMark
  readonly housekeeping: Housekeeping
  /** Call after something changed that affects the connection problems shown to the user. */
  readonly trouble: { check(): void }
  readonly cacheWorker: CacheWorker
  readonly stagingFolder: string
  /** Epoch milliseconds on the server's clock. */
  readonly serverNow: () => number
  /** Newest known server time: the response to a request sent now is at least that new. */
  readonly asOf: () => number
  /** Aborted when the engine stops. */
  readonly life: AbortSignal
  readonly isHealthy: () => boolean
  /** Channels that this connection watches: their live events are complete. */
  readonly watched: Set<Cid>
  /** Tasks that every connection has to complete, with retries. */
  readonly errands: Errands
  readonly syncState: {
    /** Nothing was missed on this connection: events may move the cursor. */
    caughtUp: boolean
    /** Channels that events named and that wait to be fetched. */
    readonly unfetched: Set<Cid>
    /** Where the slow walk through a long list was interrupted by the end of a connection. */
    walkedTo?: string
    /** Called when the disk refused facts: everything is recovered once it accepts writes again. */
    fellBehind?: (error: unknown) => void
    /** The server lists only channels of public types to this guest. */
    onlyOpenTypes?: boolean
  }
  readonly log: (area: string) => Logger
  readonly write: <T>(work: (tx: Tx) => T) => T
  readonly notify: (notice: Omit<Notice, 'id' | 'createdAt'>) => void
  /** Ends the lasting notices of this type. */
  readonly noticeOver: (type: string) => void
  /** Shares one run of `work` among all callers with the same key. */
  readonly once: <T>(key: string, work: () => Promise<T>) => Promise<T>
  /** Runs work that nothing waits for; a failure is logged. */
  readonly background: (what: string, work: () => Promise<unknown>) => void
}

/** Requests to the server whose responses are stored as facts. */
export type Requests = Pick<Core, 'api' | 'asOf' | 'isHealthy' | 'life' | 'write'>

/** Fetching messages of channels and threads; what a window sees of it is its loading state. */
export type Timelines = Requests & Pick<Core, 'collector' | 'memory' | 'once' | 'watched'>

/** Fetching again what may be outdated, retried until it succeeds. */
export type Recovery = Timelines & Pick<Core, 'cache' | 'errands' | 'housekeeping'>

/** Accepting what the user sends. */
export type Submissions = Pick<
  Core,
  'cache' | 'memory' | 'notify' | 'outbox' | 'ports' | 'recentSends' | 'runner' | 'serverNow'
>

/** What events of the server change, live or missed. */
export type LiveEvents = Pick<
  Core,
  | 'asOf'
  | 'assistants'
  | 'cache'
  | 'collector'
  | 'delivery'
  | 'drafts'
  | 'early'
  | 'events'
  | 'housekeeping'
  | 'log'
  | 'me'
  | 'memory'
  | 'notify'
  | 'serverNow'
  | 'syncState'
  | 'threads'
  | 'typing'
  | 'watched'
  | 'write'
>

/** For calls that cannot be queued: they fail at once without a connection. */
export function requireConnection(core: Pick<Core, 'isHealthy'>): void {
  if (!core.isHealthy()) throw new AppError('network/offline')
}
