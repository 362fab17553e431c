import type { ServerResponse } from 'node:http'
import type { StaggeredClose } from '#shared/wire/connect.ts'
import type { Stop } from '#main/lib/clock.ts'
import type { Identity } from '../http/auth/identify.ts'
import { durationText, refuse } from '../http/refusal.ts'
import { sendJson, sendText, type Incoming, type Special, callerOf } from '../http/server.ts'
import type { Services } from '../work.ts'
import { sendMissedReminders } from '../reminders/reminder-routes.ts'
import type { Connection, Sink, Encoded } from './hub.ts'
import { arrive, depart } from './presence.ts'
import { createConnection, readHandshake } from './connect.ts'

/**
 * An idle poll is answered after the first time; a connection without a poll ends after the second. See docs/wire.md
 * 2.8.
 */
const HOLD_MS = 20_000
const EXPIRE_MS = 60_000
const BATCH = 100
/** Events a reader may leave unread before its connection ends. */
const BUFFER_LIMIT = 1_000
const BUFFER_CHARS = 4 * 1024 * 1024

/** Called with the user and the address of a new connection; what it returns, once that has ended. */
type OnOpened = (userId: string, address: string) => () => void

export type Longpoll = {
  readonly special: Special
  /** Connections with an open poll: only these are notified of a stop. */
  size(): number
  /** Ends every connection, so that the server can stop; an open poll returns the time to reconnect. */
  stop(close: () => StaggeredClose): void
}

/**
 * ```
 *   GET ?json ──▶ open: returns the first health check
 *   GET ?connection_id ──▶ events at once, or held until one comes, 20 s at most
 *   GET ?connection_id&close=true, 60 s without a poll, too far behind ──▶ ended: the next poll is refused with code 46
 * ```
 * See docs/wire.md 2.8.
 */
export function longpoll(services: Services, onOpened: OnOpened = () => () => undefined): Longpoll {
  const connections = new Map<string, PollConnection>()

  /** Returns the first health check. */
  function open(incoming: Incoming): string {
    const handshake = readHandshake(incoming.request, services)
    const { who } = handshake
    incoming.count(who, 'Connect')
    const left = onOpened(who.userId, callerOf(incoming.request, services))
    const poll = new PollConnection(services, who.userId, (id) => {
      if (connections.delete(id)) left()
    })
    arrive(services, poll.connection, { ...handshake, role: who.role })
    sendMissedReminders(services, who.userId)
    connections.set(poll.connection.id, poll)
    poll.expireLater()
    return poll.take(1)[0] ?? '{}'
  }

  function connectionOf(id: unknown, who: Identity): PollConnection {
    const found = typeof id === 'string' ? connections.get(id) : undefined
    if (found?.connection.userId !== who.userId) return refuse('connectionIdNotFound', 'connection id not found')
    return found
  }

  function answer(incoming: Incoming): void {
    const { response, query } = incoming
    const started = services.clock.monotonic()
    const duration = (): string => durationText(services.clock.monotonic() - started)
    const send = (name: string, json: string): void =>
      sendText(response, 200, `{"${name}":${json},"duration":"${duration()}"}`)
    if (query['connection_id'] === undefined) return send('event', open(incoming))
    const poll = connectionOf(query['connection_id'], incoming.admit('Longpoll'))
    if (query['close'] !== 'true') {
      return poll.hold(response, (events, close) =>
        send('events', `[${events.join(',')}]${close ? `,"close":${JSON.stringify(close)}` : ''}`),
      )
    }
    poll.end()
    return sendJson(response, 200, { duration: duration() })
  }

  return {
    special(incoming) {
      const isOurs = incoming.request.method === 'GET' && incoming.url.pathname === '/longpoll'
      return isOurs ? { operation: 'Longpoll', run: () => answer(incoming) } : undefined
    },
    size: () => [...connections.values()].filter((each) => each.isHeld).length,
    stop(close) {
      for (const each of connections.values()) each.end(each.isHeld ? close() : undefined)
    },
  }
}

type Answer = (events: readonly string[], close?: StaggeredClose) => void
type Poll = { readonly answer: Answer; readonly stop: Stop }

/** The buffer between the hub and the polls of one connection. Events are buffered as JSON. */
class PollConnection {
  readonly connection: Connection
  readonly #services: Services
  readonly #ended: (id: string) => void
  #buffer: string[] = []
  #chars = 0
  #held: Poll | undefined
  #expiry: Stop = () => undefined

  constructor(services: Services, userId: string, ended: (id: string) => void) {
    this.#services = services
    this.#ended = ended
    const sink: Sink = {
      push: (event, extra) => this.#push(event, extra),
      flush: () => {
        if (this.#held && this.#buffer.length > 0) this.#settle(this.take(BATCH))
      },
      close: () => this.end(),
    }
    this.connection = createConnection(services, userId, sink)
  }

  take(limit: number): string[] {
    const events = this.#buffer.splice(0, limit)
    for (const event of events) this.#chars -= event.length
    return events
  }

  /** Called when a poll ends: the connection expires without another poll within a minute. */
  expireLater(): void {
    this.#held?.stop()
    this.#held = undefined
    this.#expiry()
    this.#expiry = this.#services.clock.after(EXPIRE_MS, () => this.end())
  }

  /** Holds the request until there are events. A second poll ends the first one. */
  hold(response: ServerResponse, answer: Answer): void {
    this.#settle([])
    this.#expiry()
    let sent: readonly string[] = []
    const poll: Poll = {
      stop: this.#services.clock.after(HOLD_MS, () => this.#settle([])),
      answer(events, close) {
        sent = events
        answer(events, close)
      },
    }
    this.#held = poll
    response.once('close', () => {
      // The response was cut off: its events are delivered with the next poll.
      if (!response.writableFinished) this.#putBack(sent)
      if (this.#held === poll) this.expireLater()
    })
    if (this.#buffer.length > 0) this.#settle(this.take(BATCH))
  }

  get isHeld(): boolean {
    return this.#held !== undefined
  }

  end(close?: StaggeredClose): void {
    this.#settle(close ? this.take(BATCH) : [], close)
    this.#expiry()
    this.#ended(this.connection.id)
    depart(this.#services, this.connection)
  }

  #push(event: Encoded, extra: string | undefined): void {
    if (this.#buffer.length < BUFFER_LIMIT && this.#chars < BUFFER_CHARS) {
      const json = event.jsonWith(extra)
      this.#buffer.push(json)
      this.#chars += json.length
      // Not at once: `deliver` is still iterating over the connections.
    } else if (!event.droppable) this.#services.clock.after(0, () => this.end())
  }

  /** Puts back events that were not delivered. */
  #putBack(events: readonly string[]): void {
    this.#buffer.unshift(...events)
    for (const event of events) this.#chars += event.length
  }

  #settle(events: readonly string[], close?: StaggeredClose): void {
    const held = this.#held
    if (!held) return
    this.expireLater()
    held.answer(events, close)
  }
}
