import type { Clock } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { LogSink } from '#main/lib/logger.ts'
import type { UserId } from '#shared/lib/brand.ts'
import type { Disk } from './disk.ts'
import type { Reader, Touched, Tx } from './tx.ts'

/** One database of an account. Everything is synchronous. */
export type Store = {
  /** For reading outside a transaction. */
  readonly reader: Reader
  /** Runs `work` in one transaction; inside another one of the same store it joins that. Throwing rolls back. */
  transaction<T>(work: (tx: Tx) => T): T
  readonly path: string
}

export type FileProblem = 'missing' | 'empty' | 'foreign' | 'damaged' | 'other-install' | 'future'

export type StoreReport = {
  /** To be kept in settings, and given back at the next start. */
  readonly installId: string
  /** The cache is new or was thrown away: fetch everything again. */
  readonly rebuildNeeded: boolean
  readonly uncleanExit: boolean
  readonly cache: { readonly state: 'ok' | 'created' | 'rebuilt'; readonly problem?: FileProblem }
  readonly outbox: {
    readonly state: 'ok' | 'created' | 'salvaged'
    readonly problem?: FileProblem
    /** Rows brought back, and rows known to have existed that could not be. */
    readonly recovered: number
    readonly missing: number
  }
}

export type Stores = {
  readonly cache: Store
  readonly outbox: Store
  readonly report: StoreReport
  /** Checkpoints, clears the unclean marker, closes. Nothing may be called afterwards. */
  close(): void
}

export type StoreOptions = {
  /** `DATA/accounts/<hash>`. */
  readonly folder: string
  readonly viewerId: UserId
  /** From settings; absent at the first start of this account. */
  readonly installId?: string
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly ids: Ids
  readonly log: LogSink
  readonly disk?: Disk
  /** Called once after each commit of either store that touched something. */
  readonly onCommit?: (touched: Touched) => void
}
