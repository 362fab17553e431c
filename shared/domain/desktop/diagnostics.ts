import type { Connection } from '../session.ts'
import type { IntentKind, IntentState } from '../intent.ts'

/**
 * Health of this account's engine, to be read and copied: names, numbers and times only. No user content, no names of
 * people or channels, no addresses, no tokens. Times are epoch milliseconds of this device.
 */
export type Diagnostics = {
  readonly at: number
  readonly connection: Pick<Connection, 'state' | 'offline' | 'transport' | 'blocked'> & {
    /** Every missed event was received on this connection. */
    readonly caughtUp: boolean
    readonly watchedChannels: number
    readonly malformedFrames: number
  }
  /** Changes of the connection, oldest first, at most 50. */
  readonly transitions: readonly Transition[]
  /** Requests to the server by operation of the contract. */
  readonly calls: readonly CallFigures[]
  /** Failures by class: of requests, and of the engine's own modules. Most frequent first. */
  readonly failures: readonly FailureCount[]
  readonly queue: {
    readonly byState: Readonly<Partial<Record<IntentState, number>>>
    readonly byKind: Readonly<Partial<Record<IntentKind, number>>>
    /** When the oldest item was accepted. */
    readonly oldestAt?: number
    readonly stagedBytes: number
  }
  /** The server's clock minus this device's. */
  readonly clockOffsetMs: number
}

export type Transition = Pick<Connection, 'state' | 'transport' | 'blocked'> & { readonly at: number }

/** Milliseconds over the last hundred responses. */
export type CallFigures = {
  readonly operation: string
  readonly answered: number
  readonly failed: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly lastAt: number
}

export type FailureCount = {
  readonly name: string
  readonly count: number
  readonly lastAt: number
  /** Locale code of the newest one, if it has one. */
  readonly lastCode?: string
}
