import type { Connection } from '#shared/domain/connection.ts'
import type { UnknownEvent, WireEvent } from '#shared/wire/events.ts'
import type { WireOwnUser, WireUser } from '#shared/wire/objects.ts'
import type { Ports } from '../ports.ts'
import type { ServerClock } from '../session/server-clock.ts'
import type { TokenManager } from '../session/token-manager.ts'
import type { Transport } from './transport.ts'

/** Each time the line became healthy. `first` is false after a reconnect: then recovery is due. */
export type Healthy = {
  /** The own user with its counts; absent only if the server left it out. */
  readonly me: WireOwnUser | undefined
  readonly connectionId: string
  readonly first: boolean
}

export type ConnectionHandlers = {
  /**
   * The whole entity, at every change. `offline` already carries the 5 s rule. `silentMs`: nothing was heard for so long
   * before a line was given up that said nothing of its end.
   */
  onState(connection: Connection, silentMs?: number): void
  /** Before any event of this line. Events of the line before it have been handed on already. */
  onHealthy(healthy: Healthy): void
  /** Someone is in front of a window of this account. */
  isLookedAt?(): boolean
  /** All events of one turn, in order of arrival. Health checks are not among them. */
  onEvents(events: readonly (WireEvent | UnknownEvent)[]): void
}

export type ConnectionOptions = {
  readonly ports: Pick<Ports, 'clock' | 'ids' | 'log'>
  readonly transport: Transport
  /** Takes over while the first one cannot get through; the first is tried again in the background. */
  readonly fallback?: Transport
  /** Whether anyone answers at the server's address, by the cheapest request there is. Asked only while someone looks. */
  readonly probe?: () => Promise<boolean>
  readonly tokens: TokenManager
  readonly serverClock: ServerClock
  /** Sent as `user_details`; the server upserts the user from it. At least `id`. */
  readonly user: WireUser
  readonly handlers: ConnectionHandlers
}

export type ConnectionControl = {
  /** Begins to connect; answers at once. Throws `session/connect-twice` when it was started and not stopped. */
  start(): void
  /** Says goodbye and forgets all timers. */
  stop(): Promise<void>
  /** Tries now instead of at the planned time; also lifts a block. */
  reconnectNow(): void
  /** Someone is in front of a window (came to it, pressed a key): what was put off is tried now, not at every key. */
  attended(): void
  /** The computer lost its network: only a mark, the line may still live. */
  networkOffline(): void
  /** The computer has a network again. */
  networkOnline(): void
  /** The computer woke up. */
  resumed(): void
  state(): Connection
  /** Frames that were no event and no error: skipped, counted. */
  malformedFrames(): number
}
