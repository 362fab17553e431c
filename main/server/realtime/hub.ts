import { endOfTurn } from '#main/lib/clock.ts'
import type { Connection, Encoded } from './connection.ts'

/** Connections of one user, and of all users together. */
const MAX_PER_USER = 10
export const MAX_CONNECTIONS = 256

/** The highest limit a start option allows: each connection costs memory. */
export const HIGHEST_MAX_CONNECTIONS = 10_000

/** Connections, the channels they watch, and the users whose presence they subscribed to. In memory only. */
export class Hub {
  readonly #byId = new Map<string, Connection>()
  readonly #byUser = new Map<string, Set<Connection>>()
  readonly #watchers = new Map<string, Set<Connection>>()
  /** Watching connections of each user, by channel: counted here, since every event of a channel needs the number. */
  readonly #watching = new Map<string, Map<string, number>>()
  readonly #presence = new Map<string, Set<Connection>>()
  readonly #dirty = new Set<Connection>()
  #flushPlanned = false
  readonly #maxConnections: number

  /** @param maxConnections of all users together; a single user has at most {@link MAX_PER_USER} */
  constructor(maxConnections = MAX_CONNECTIONS) {
    this.#maxConnections = maxConnections
  }

  /** Whether another connection of this user would exceed a limit. */
  isFull(userId: string): boolean {
    return this.size >= this.#maxConnections || this.ofUser(userId).size >= MAX_PER_USER
  }

  get size(): number {
    return this.#byId.size
  }

  byId(id: string): Connection | undefined {
    return this.#byId.get(id)
  }

  all(): Iterable<Connection> {
    return this.#byId.values()
  }

  /** Users with a connection, each once. */
  users(): Iterable<string> {
    return this.#byUser.keys()
  }

  ofUser(userId: string): ReadonlySet<Connection> {
    return this.#byUser.get(userId) ?? NO_CONNECTIONS
  }

  watchersOf(cid: string): ReadonlySet<Connection> {
    return this.#watchers.get(cid) ?? NO_CONNECTIONS
  }

  /** Whether every open connection watches the channel. */
  allWatch(cid: string): boolean {
    return this.size === this.watchersOf(cid).size
  }

  presenceSubscribers(userId: string): ReadonlySet<Connection> {
    return this.#presence.get(userId) ?? NO_CONNECTIONS
  }

  /** Users who watch, each once. */
  watchingUsers(cid: string): Iterable<string> {
    return (this.#watching.get(cid) ?? NO_WATCHERS).keys()
  }

  /** How many users watch. */
  watcherCount(cid: string): number {
    return this.#watching.get(cid)?.size ?? 0
  }

  add(connection: Connection): void {
    this.#byId.set(connection.id, connection)
    put(this.#byUser, connection.userId, connection)
  }

  /** Returns the channels this user no longer watches on any connection. */
  remove(connection: Connection): string[] {
    if (!this.#byId.delete(connection.id)) return []
    this.#dirty.delete(connection)
    take(this.#byUser, connection.userId, connection)
    for (const userId of connection.presenceOf) take(this.#presence, userId, connection)
    return [...connection.watching].filter((cid) => this.unwatch(connection, cid))
  }

  /** True when this is the user's first connection that watches the channel. */
  watch(connection: Connection, cid: string): boolean {
    if (connection.watching.has(cid)) return false
    connection.watching.add(cid)
    put(this.#watchers, cid, connection)
    return this.#countWatching(cid, connection.userId, 1) === 1
  }

  /** True when no connection of the user watches the channel anymore. */
  unwatch(connection: Connection, cid: string): boolean {
    if (!connection.watching.delete(cid)) return false
    take(this.#watchers, cid, connection)
    return this.#countWatching(cid, connection.userId, -1) === 0
  }

  isWatching(userId: string, cid: string): boolean {
    return this.#watching.get(cid)?.has(userId) ?? false
  }

  #countWatching(cid: string, userId: string, by: 1 | -1): number {
    const counts = this.#watching.get(cid) ?? new Map<string, number>()
    const count = (counts.get(userId) ?? 0) + by
    if (count > 0) counts.set(userId, count)
    else counts.delete(userId)
    if (counts.size > 0) this.#watching.set(cid, counts)
    else this.#watching.delete(cid)
    return count
  }

  subscribePresence(connection: Connection, userIds: Iterable<string>): void {
    for (const userId of userIds) {
      connection.presenceOf.add(userId)
      put(this.#presence, userId, connection)
    }
  }

  /** Pushes an event to a connection; the bytes are written at the end of this event-loop turn. */
  push(connection: Connection, event: Encoded, extra?: string): void {
    connection.sink.push(event, extra)
    this.#dirty.add(connection)
    if (this.#flushPlanned) return
    this.#flushPlanned = true
    endOfTurn(() => this.flush())
  }

  flush(): void {
    this.#flushPlanned = false
    for (const connection of this.#dirty) connection.sink.flush()
    this.#dirty.clear()
  }
}

const NO_CONNECTIONS: ReadonlySet<Connection> = new Set()
const NO_WATCHERS: ReadonlyMap<string, number> = new Map()

function put(map: Map<string, Set<Connection>>, key: string, connection: Connection): void {
  const set = map.get(key)
  if (set) set.add(connection)
  else map.set(key, new Set([connection]))
}

function take(map: Map<string, Set<Connection>>, key: string, connection: Connection): void {
  const set = map.get(key)
  set?.delete(connection)
  if (set?.size === 0) map.delete(key)
}
