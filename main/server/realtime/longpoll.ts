import type { ServerResponse } from 'node:http'
import type { Stop } from '#main/lib/clock.ts'
import type { StaggeredClose } from '#shared/wire/connect.ts'
import type { Identity } from '../http/auth/identify.ts'
import { durationText, refuse } from '../http/refusal.ts'
import { sendJson, sendText, type Incoming, type Special } from '../http/server.ts'
import type { Services } from '../work.ts'
import type { Connection, Sink } from './connection.ts'
import type { Encoded } from './frames.ts'
import { sendWaiting } from '../reminders/reminder-routes.ts'
import { arrive, depart } from './presence.ts'
import { newConnection, readHandshake } from './session.ts'

/** An idle poll is answered after this; a connection no one polls ends after that. See docs/wire.md 2.8. */
const HOLD_MS = 20_000
const EXPIRE_MS = 60_000
const BATCH = 100
/** Events a reader may leave unread; then it must start again. */
const BUFFER_LIMIT = 1_000
const BUFFER_CHARS = 4 * 1024 * 1024

export type Longpoll = {
  readonly special: Special
  /** Connections that a poll is held for: the others hear nothing of a stop. */
  size(): number
  /** Ends every connection, so that the server can stop; a held poll is answered with when to come back. */
  stop(close: () => StaggeredClose): void
}

/**
 * ```
 *   GET ?json ──▶ open: answers the first health check
 *   GET ?connection_id ──▶ events at once, or held until one comes, 20 s at most
 *   GET ?connection_id&close=true, 60 s without a poll, too far behind ──▶ gone: the next poll is refused with code 46
 * ```
 * See docs/wire.md 2.8.
 */
export function longpoll(services: Services): Longpoll {
  const lines = new Map<string, PollLine>()

  /** Answers the first health check. */
  function open(incoming: Incoming): string {
    const handshake = readHandshake(incoming.request, services)
    const { who } = handshake
    incoming.count(who, 'Connect')
    const line = new PollLine(services, who.userId, (id) => lines.delete(id))
    arrive(services, line.connection, { ...handshake, role: who.role })
    sendWaiting(services, who.userId)
    lines.set(line.connection.id, line)
    line.rest()
    return line.take(1)[0] ?? '{}'
  }

  function lineOf(id: unknown, who: Identity): PollLine {
    const line = typeof id === 'string' ? lines.get(id) : undefined
    if (line?.connection.userId !== who.userId) return refuse('connectionIdNotFound', 'connection id not found')
    return line
  }

  function answer(incoming: Incoming): void {
    const { response, query } = incoming
    const started = services.clock.monotonic()
    const duration = (): string => durationText(services.clock.monotonic() - started)
    const send = (name: string, json: string): void =>
      sendText(response, 200, `{"${name}":${json},"duration":"${duration()}"}`)
    if (query['connection_id'] === undefined) return send('event', open(incoming))
    const line = lineOf(query['connection_id'], incoming.admit('Longpoll'))
    if (query['close'] !== 'true') {
      return line.poll(response, (events, close) =>
        send('events', `[${events.join(',')}]${close ? `,"close":${JSON.stringify(close)}` : ''}`),
      )
    }
    line.end()
    return sendJson(response, 200, { duration: duration() })
  }

  return {
    special(incoming) {
      const isOurs = incoming.request.method === 'GET' && incoming.url.pathname === '/longpoll'
      return isOurs ? { operation: 'Longpoll', run: () => answer(incoming) } : undefined
    },
    size: () => [...lines.values()].filter((line) => line.isHeld).length,
    stop(close) {
      for (const line of lines.values()) line.end(line.isHeld ? close() : undefined)
    },
  }
}

type Answer = (events: readonly string[], close?: StaggeredClose) => void
type Poll = { readonly answer: Answer; readonly stop: Stop }

/** The buffer between the hub and the polls of one connection. Events are kept as JSON. */
class PollLine {
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
    this.connection = newConnection(services, userId, sink)
  }

  take(limit: number): string[] {
    const events = this.#buffer.splice(0, limit)
    for (const event of events) this.#chars -= event.length
    return events
  }

  /** No one polls now: without a poll within a minute the connection is over. */
  rest(): void {
    this.#held?.stop()
    this.#held = undefined
    this.#expiry()
    this.#expiry = this.#services.clock.after(EXPIRE_MS, () => this.end())
  }

  /** Holds the request until there is something to say. A second poll ends the first one. */
  poll(response: ServerResponse, answer: Answer): void {
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
      // Cut off on the way: the events are still owed.
      if (!response.writableFinished) this.#keep(sent)
      if (this.#held === poll) this.rest()
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
      // Not at once: anyone who hands events out is in the middle of its list.
    } else if (!event.droppable) this.#services.clock.after(0, () => this.end())
  }

  /** Gives back what did not arrive. */
  #keep(events: readonly string[]): void {
    this.#buffer.unshift(...events)
    for (const event of events) this.#chars += event.length
  }

  #settle(events: readonly string[], close?: StaggeredClose): void {
    const held = this.#held
    if (!held) return
    this.rest()
    held.answer(events, close)
  }
}
