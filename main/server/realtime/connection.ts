import { MAX_SLOT_MS, staggeredClose, type StaggeredClose } from '#shared/wire/connect.ts'

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
