import { MAX_SLOT_MS, staggeredClose, type StaggeredClose } from '#shared/wire/connect.ts'
import { endOfTurn } from '#main/lib/clock.ts'

/** Where a connection's events go: a websocket, or the buffer of a long poll. */
export type Sink = {
  push(event: Encoded, extra: string | undefined): void
  /** Sends what was pushed since the last flush, in one write. */
  flush(): void
  close(code: number, reason: string): void
}

/** One realtime connection of one person. */
export type Connection = {
  readonly id: string
  readonly userId: string
  readonly sink: Sink
  /** Channels whose events it requested. */
  readonly watching: Set<string>
  /** People whose presence it requested. */
  readonly presenceOf: Set<string>
}

/** Bytes and events a slow reader may leave unread. */
const DROP_ABOVE_BYTES = 1024 * 1024
const CLOSE_ABOVE_BYTES = 4 * 1024 * 1024
const CLOSE_ABOVE_EVENTS = 1_000
const OVERLOAD = 1013

/** The part of a socket the sink writes to. */
export type Wire = {
  /** Bytes accepted and not yet handed to the system. */
  readonly waiting: () => number
  write(bytes: Buffer, done: () => void): void
  close(code: number, reason: string): void
}

/** Joins the frames of one event-loop turn and writes them at once. */
export function frameSink(wire: Wire): Sink {
  let pending: Buffer[] = []
  let pendingBytes = 0
  let pendingEvents = 0
  let unreadEvents = 0
  let closed = false
  function close(code: number, reason: string): void {
    if (closed) return
    closed = true
    pending = []
    wire.close(code, reason)
  }
  function add(part: Buffer): void {
    pending.push(part)
    pendingBytes += part.length
  }
  return {
    push(event, extra) {
      if (closed) return
      const waiting = wire.waiting() + pendingBytes
      if (event.droppable && waiting > DROP_ABOVE_BYTES) return
      if (waiting > CLOSE_ABOVE_BYTES || unreadEvents + pendingEvents >= CLOSE_ABOVE_EVENTS) {
        return close(OVERLOAD, 'the reader is too slow')
      }
      pendingEvents += 1
      add(extra === undefined ? event.frame() : event.frameWith(extra))
    },
    flush() {
      if (closed || pending.length === 0) return
      const bytes = pending.length === 1 ? pending[0]! : Buffer.concat(pending, pendingBytes)
      const events = pendingEvents
      pending = []
      pendingBytes = 0
      pendingEvents = 0
      unreadEvents += events
      wire.write(bytes, () => {
        unreadEvents -= events
      })
    },
    close,
  }
}

/** Eight connections per second reconnect; more than 240 share half a minute. */
const APART_MS = 125

/**
 * Close frames of an orderly stop, one for each of `count` connections: the first may reconnect at once, each other one
 * a moment after the previous one.
 */
export function createStaggeredClose(count: number): () => StaggeredClose {
  const apartMs = Math.min(APART_MS, MAX_SLOT_MS / Math.max(1, count - 1))
  let sent = 0
  return () => {
    const slotMs = Math.min(MAX_SLOT_MS, Math.round(sent * apartMs))
    sent += 1
    return staggeredClose(slotMs)
  }
}

/** Websocket text frames built by hand, so that one frame serves every socket. Server frames carry no mask. */

const TEXT_FINAL = 0x81

export function frameHeader(bytes: number): Buffer {
  if (bytes < 126) return Buffer.from([TEXT_FINAL, bytes])
  if (bytes < 0x1_0000) {
    const header = Buffer.alloc(4)
    header[0] = TEXT_FINAL
    header[1] = 126
    header.writeUInt16BE(bytes, 2)
    return header
  }
  const header = Buffer.alloc(10)
  header[0] = TEXT_FINAL
  header[1] = 127
  header.writeBigUInt64BE(BigInt(bytes), 2)
  return header
}

export function textFrame(text: string): Buffer {
  const body = Buffer.from(text)
  return Buffer.concat([frameHeader(body.length), body])
}

/**
 * One event, encoded once. Fields that differ per recipient are spliced in before the closing brace: the message inside
 * is never encoded again.
 */
export class Encoded {
  readonly json: string
  /** Typing and presence: dropped first when a reader is slow. */
  readonly droppable: boolean
  #open: Buffer | undefined
  #frame: Buffer | undefined
  readonly #frames = new Map<string, Buffer>()

  constructor(json: string, droppable = false) {
    this.json = json
    this.droppable = droppable
  }

  frame(): Buffer {
    this.#frame ??= textFrame(this.json)
    return this.#frame
  }

  /**
   * The frame with `extra` in it; recipients with the same counters share one.
   * @param extra JSON members: `"unread_count":3`
   */
  frameWith(extra: string): Buffer {
    const known = this.#frames.get(extra)
    if (known) return known
    this.#open ??= Buffer.from(this.json.slice(0, -1))
    const tail = Buffer.from(`,${extra}}`)
    const made = Buffer.concat([frameHeader(this.#open.length + tail.length), this.#open, tail])
    this.#frames.set(extra, made)
    return made
  }

  jsonWith(extra: string | undefined): string {
    return extra === undefined ? this.json : `${this.json.slice(0, -1)},${extra}}`
  }
}

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
