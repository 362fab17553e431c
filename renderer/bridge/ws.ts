import {
  type Bridge,
  type HostState,
  CLOSE_REFUSED,
  type HostFrame,
  type PageFrame,
  type RefusedReason,
  type Welcome,
} from '#shared/bridge/transport.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { Push } from '#shared/domain/changes.ts'
import type { Reply } from '#shared/lib/contract.ts'

/** The parts of the page that the socket needs; tests pass fakes. */
export type PageEnvironment = {
  readonly open: (url: string) => WebSocket
  readonly url: string
  /** Removes the one-time code from the page's address and returns it. */
  readonly takeCode: () => string | undefined
  /** Survives a reload of this tab only. */
  readonly session: { read(): string | undefined; write(token: string): void }
  /** Runs `fn` after `ms`; the result cancels it. */
  readonly after: (ms: number, fn: () => void) => () => void
  readonly reload: () => void
}

/** The only network access of the page. */
export const openSocket = (url: string): WebSocket => new WebSocket(url)

/** A socket without a welcome within this time is closed. */
const WELCOME_WITHIN_MS = 5_000
/** The host counts as gone after this many failed attempts in a row. */
const GONE_AFTER = 2
const FIRST_RETRY_MS = 200
const LAST_RETRY_MS = 3_000
const PING_EVERY_MS = 15_000
/** A host that was suspended with the machine responds late, so one missed ping does not close the socket. */
const SILENT_FOR_MS = 40_000
/** Attempts of the first connection before it fails. */
const FIRST_TRIES = 5

const GONE: Reply = { ok: false, error: { code: 'bridge/gone' } }

type PendingCall = { readonly frame: PageFrame; readonly settle: (reply: Reply) => void; sent: boolean }

/**
 * The bridge of the browser host:
 *
 *   connecting --welcome--> open --drop--> connecting … --refused--> shut
 *                             ^               | no response
 *                             +--welcome--- gone
 *
 * Calls made while disconnected wait for the next socket; calls in flight are sent again with the same id, and main does
 * not run them twice. Once the host is gone they all fail with `bridge/gone`.
 * Resolves with the first welcome.
 */
export function connectWebSocket(page: PageEnvironment): Promise<Bridge> {
  return new Promise((resolve, reject) => {
    const connection = new HostConnection(page, {
      onFirstWelcome: (welcome) => resolve(bridgeOver(connection, welcome)),
      onEnd: reject,
    })
    connection.open()
  })
}

function bridgeOver(connection: HostConnection, welcome: Welcome): Bridge {
  return {
    host: welcome.host,
    call: (name, input) => connection.request((id) => ({ id, name, input })),
    subscribe: (listener) => connection.subscribe(listener),
    async mediaUrl(ref, variant) {
      const reply = await connection.request((id) => ({ id, media: { ref, variant } }))
      if (!reply.ok) throw new AppError(reply.error.code)
      return reply.value as string
    },
    onReset: (listener) => connection.onReset(listener),
    onHost: (listener) => connection.onHost(listener),
    lookForHost: () => connection.look(),
  }
}

type ConnectionEvents = { onFirstWelcome(welcome: Welcome): void; onEnd(error: AppError): void }

class HostConnection {
  readonly #page: PageEnvironment
  readonly #events: ConnectionEvents
  readonly #pending = new Map<number, PendingCall>()
  readonly #listeners = new Set<(push: Push) => void>()
  readonly #resetListeners = new Set<() => void>()
  #socket: WebSocket | undefined
  readonly #hostListeners = new Set<(state: HostState) => void>()
  #host: HostState = 'here'
  #window: string | undefined
  #knock: Welcome['knock'] | undefined
  #stopRetry: () => void = () => undefined
  #code: string | undefined
  #lastPush = 0
  #lastId = 0
  #tries = 0
  #trying = false
  #ended: AppError | undefined
  #stopPings: () => void = () => undefined
  #receivedSincePing = true

  constructor(page: PageEnvironment, events: ConnectionEvents) {
    this.#page = page
    this.#events = events
    this.#code = page.takeCode()
  }

  open(): void {
    this.#trying = true
    const socket = this.#page.open(this.#page.url)
    let welcomed = false
    const stopTrying = this.#page.after(WELCOME_WITHIN_MS, () => socket.close())
    // Another program may listen on the port meanwhile: the session is sent only after the host has proved itself.
    socket.addEventListener('open', () => socket.send(JSON.stringify(this.#knockFrame() ?? this.#hello())))
    socket.addEventListener('message', (event) => {
      const frame = JSON.parse(String(event.data)) as HostFrame
      this.#receivedSincePing = true
      if ('welcome' in frame) {
        stopTrying()
        welcomed = true
        this.#welcome(frame.welcome, socket)
      } else if ('word' in frame) {
        if (frame.word === this.#knock?.word) socket.send(JSON.stringify(this.#hello()))
        else socket.close()
      } else if ('refused' in frame) this.#end(frame.refused.reason)
      else this.#take(frame)
    })
    socket.addEventListener('close', (event) => {
      stopTrying()
      this.#stopPings()
      if (this.#socket === socket) this.#socket = undefined
      this.#trying = false
      if (event.code === CLOSE_REFUSED) this.#end('session')
      if (!this.#ended) this.#retry(welcomed)
    })
  }

  request(make: (id: number) => PageFrame): Promise<Reply> {
    if (this.#ended) return Promise.resolve({ ok: false, error: this.#ended.toBody() })
    if (this.#host === 'gone') return Promise.resolve(GONE)
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((settle) => {
      const pending: PendingCall = { frame: make(id), settle, sent: false }
      this.#pending.set(id, pending)
      this.#send(pending)
    })
  }

  subscribe(listener: (push: Push) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  onReset(listener: () => void): () => void {
    this.#resetListeners.add(listener)
    return () => void this.#resetListeners.delete(listener)
  }

  onHost(listener: (state: HostState) => void): () => void {
    this.#hostListeners.add(listener)
    listener(this.#host)
    return () => void this.#hostListeners.delete(listener)
  }

  look(): void {
    if (this.#host !== 'gone' || this.#trying) return
    this.#stopRetry()
    this.open()
  }

  #setHost(state: HostState): void {
    if (state === this.#host) return
    this.#host = state
    for (const listener of this.#hostListeners) listener(state)
  }

  #knockFrame(): PageFrame | undefined {
    return this.#knock && { knock: this.#knock.name }
  }

  #hello(): PageFrame {
    const session = this.#page.session.read()
    return {
      hello: {
        ...(this.#code === undefined ? {} : { code: this.#code }),
        session,
        resume: this.#window === undefined ? undefined : { window: this.#window, lastPush: this.#lastPush },
      },
    }
  }

  #welcome(welcome: Welcome, socket: WebSocket): void {
    const first = this.#window === undefined
    this.#socket = socket
    this.#tries = 0
    this.#code = undefined
    this.#window = welcome.window
    this.#knock = welcome.knock
    this.#page.session.write(welcome.session)
    if (!welcome.resumed) this.#lastPush = 0
    this.#keepAlive(socket)
    if (!first && !welcome.resumed) this.#lose('bridge/lost', ({ sent }) => sent)
    this.#setHost('here')
    for (const pending of this.#pending.values()) this.#send(pending)
    if (first) this.#events.onFirstWelcome(welcome)
    else if (!welcome.resumed) this.#reset()
  }

  /** Fails calls whose outcome is unknown. */
  #lose(code: string, which: (pending: PendingCall) => boolean): void {
    for (const [id, pending] of this.#pending) {
      if (!which(pending)) continue
      this.#pending.delete(id)
      pending.settle({ ok: false, error: { code } })
    }
  }

  #reset(): void {
    if (this.#resetListeners.size === 0) this.#page.reload()
    for (const listener of this.#resetListeners) listener()
  }

  #take(frame: Exclude<HostFrame, { welcome: unknown } | { refused: unknown }>): void {
    if ('push' in frame) {
      this.#lastPush = frame.n
      for (const listener of this.#listeners) listener(frame.push)
      return
    }
    if (!('id' in frame)) return
    const pending = this.#pending.get(frame.id)
    this.#pending.delete(frame.id)
    pending?.settle(frame.reply)
  }

  #send(pending: PendingCall): void {
    if (!this.#socket) return
    pending.sent = true
    this.#socket.send(JSON.stringify(pending.frame))
  }

  #keepAlive(socket: WebSocket): void {
    let silentMs = 0
    const turn = (): void => {
      silentMs = this.#receivedSincePing ? 0 : silentMs + PING_EVERY_MS
      if (silentMs >= SILENT_FOR_MS) return socket.close()
      this.#receivedSincePing = false
      socket.send(JSON.stringify({ ping: this.#lastId } satisfies PageFrame))
      this.#stopPings = this.#page.after(PING_EVERY_MS, turn)
    }
    this.#stopPings = this.#page.after(PING_EVERY_MS, turn)
  }

  #retry(welcomed: boolean): void {
    this.#tries = welcomed ? 1 : this.#tries + 1
    if (this.#window === undefined && this.#tries >= FIRST_TRIES) return this.#end('lost')
    if (this.#window !== undefined && this.#tries >= GONE_AFTER) {
      this.#setHost('gone')
      this.#lose('bridge/gone', () => true)
    }
    const pause = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#tries - 1))
    this.#stopRetry = this.#page.after(pause, () => this.open())
  }

  #end(reason: RefusedReason | 'lost'): void {
    if (this.#ended) return
    this.#ended = new AppError(`bridge/${reason}`)
    for (const pending of this.#pending.values()) pending.settle({ ok: false, error: this.#ended.toBody() })
    this.#pending.clear()
    this.#events.onEnd(this.#ended)
    this.#setHost('shut')
  }
}
