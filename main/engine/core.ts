import type { Notice } from '#shared/domain/notice.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import type { Store, Stores } from '#main/cache/files/open.ts'
import type { SearchReader } from '#main/cache/search/reader.ts'
import type { Tx } from '#main/cache/tx.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { Collector } from './changes/collector.ts'
import type { Memory } from './changes/memory.ts'
import type { ReadContext } from './changes/read-context.ts'
import type { EngineApi } from './context.ts'
import type { Recorder } from './diagnostics.ts'
import type { DeliveryReporter } from './features/delivery/reporter.ts'
import type { DraftBook } from './features/drafts/book.ts'
import type { DraftSync } from './features/drafts/sync.ts'
import type { SendMark } from './features/reads/sending.ts'
import type { RecentSends } from './features/messages/repeated.ts'
import type { ThreadInbox } from './features/threads/inbox.ts'
import type { AssistantBook } from './features/assistants/book.ts'
import type { TypingBook } from './features/typing/book.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Runner } from './outbox/runner.ts'
import type { Ports } from './ports.ts'
import type { EarlyEvents } from './sync/early.ts'
import type { Errands } from './sync/errands.ts'
import type { Housekeeping } from './sync/housekeeping.ts'

/** The parts of one engine, as its features see them. Put together in `engine.ts` and nowhere else. */
export type Core = {
  readonly me: UserId
  readonly ports: Ports
  readonly api: EngineApi
  readonly stores: Stores
  readonly cache: Store
  readonly memory: Memory
  readonly context: ReadContext
  readonly outbox: Outbox
  readonly runner: Runner
  readonly collector: Collector
  readonly recorder: Recorder
  readonly early: EarlyEvents
  readonly typing: TypingBook
  readonly assistants: AssistantBook
  readonly delivery: DeliveryReporter
  readonly drafts: () => DraftSync
  readonly draftBook: DraftBook
  readonly recentSends: RecentSends
  readonly threads: () => ThreadInbox
  readonly sendMark: () => SendMark
  readonly housekeeping: Housekeeping
  /** Something changed in what stands between this person and the server. */
  readonly trouble: { look(): void }
  readonly search: SearchReader
  readonly stagingFolder: string
  /** Epoch milliseconds on the server's clock. */
  readonly serverNow: () => number
  /** Newest server time known: what an answer to a request sent now stands for at least. */
  readonly asOf: () => number
  /** Aborted when the engine stops. */
  readonly life: AbortSignal
  readonly isHealthy: () => boolean
  /** Channels this connection watches: what comes live for them is complete. */
  readonly watched: Set<Cid>
  /** What is fetched once on each connection, and again until it is there. */
  readonly errands: Errands
  readonly line: {
    /** Nothing has been missed on this connection: events may move the cursor. */
    caughtUp: boolean
    /** Where the slow walk through a long list was cut off by the end of a connection. */
    walkedTo?: string | undefined
    /** The disk refused what came: everything is recovered once it takes writes again. Set by the line. */
    fellBehind?: (error: unknown) => void
    /** To a guest the server lists no others than channels of types that everyone may read. */
    onlyOpenTypes?: boolean
  }
  readonly log: (area: string) => Logger
  readonly write: <T>(work: (tx: Tx) => T) => T
  readonly notify: (notice: Omit<Notice, 'id' | 'createdAt'>) => void
  /** Ends the lasting notices of this type. */
  readonly noticeOver: (type: string) => void
  /** Shares one run of `work` among all who ask for the same key meanwhile. */
  readonly once: <T>(key: string, work: () => Promise<T>) => Promise<T>
  /** Runs work no one waits for; a failure is logged. */
  readonly background: (what: string, work: () => Promise<unknown>) => void
}
