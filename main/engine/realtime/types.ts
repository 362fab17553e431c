import type { Connection } from '#shared/domain/connection.ts'
import type { UnknownEvent, WireEvent } from '#shared/wire/events.ts'
import type { WireOwnUser, WireUser } from '#shared/wire/objects.ts'
import type { Ports } from '../ports.ts'
import type { ServerClock } from '../session/server-clock.ts'
import type { TokenManager } from '../session/token.ts'
import type { Transport } from './transport.ts'

/** Passed each time the connection became healthy. `first` is false after a reconnect: then recovery is due. */
export type Healthy = {
  /** The own user with its counts; absent only if the server omitted it. */
  readonly me: WireOwnUser | undefined
  readonly connectionId: string
  readonly first: boolean
}

export type ConnectionHandlers = {
  /**
   * The whole entity, at every change. `offline` already includes the 5 s delay. `silentMs`: how long nothing was received
   * before a connection was dropped that did not report its end.
   */
  onState(connection: Connection, silentMs?: number): void
  /** Called before any event of this connection. Events of the previous connection have been passed on already. */
  onHealthy(healthy: Healthy): void
  /** Whether a window of this account has the focus. */
  isFocused?(): boolean
  /** All events of one turn, in order of arrival. Health checks are not among them. */
  onEvents(events: readonly (WireEvent | UnknownEvent)[]): void
}

export type ConnectionOptions = {
  readonly ports: Pick<Ports, 'clock' | 'ids' | 'log'>
  readonly transport: Transport
  /** Used while the first transport cannot get through; the first is tried again in the background. */
  readonly fallback?: Transport
  /** Whether the server's address responds, by the cheapest request there is. Called only while a window is focused. */
  readonly probe?: () => Promise<boolean>
  readonly tokens: TokenManager
  readonly serverClock: ServerClock
  /** Sent as `user_details`; the server upserts the user from it. At least `id`. */
  readonly user: WireUser
  readonly handlers: ConnectionHandlers
}

export type ConnectionControl = {
  /** Begins to connect; returns at once. Throws `session/connect-twice` if it was started and not stopped. */
  start(): void
  /** Closes the connection properly and clears all timers. */
  stop(): Promise<void>
  /** Tries now instead of at the planned time; also ends a block. */
  reconnectNow(): void
  /** The user is active (focused a window, pressed a key): a delayed attempt is made now, at a limited rate. */
  onActivity(): void
  /** The device lost its network: only a hint, the connection may still work. */
  networkOffline(): void
  /** The device has a network again. */
  networkOnline(): void
  /** The device woke from sleep. */
  resumed(): void
  state(): Connection
  /** Number of skipped frames that were neither an event nor an error. */
  malformedFrames(): number
}
