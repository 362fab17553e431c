import type { Clock } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import {
  TransportError,
  type HttpResponse,
  type HttpPort,
  type HttpRequest,
  type Socket,
  type SocketHandlers,
  type SocketPort,
} from '#main/engine/ports.ts'
import type { ServerSocket, SimServer } from './server.ts'

/** What may go wrong on one user's connection. Probabilities are 0..1 and drawn from the run's seed. */
export type Faults = {
  /** The request never arrives. */
  dropRequest: number
  /** The server acts, its response is lost. */
  dropAnswer: number
  /** The request arrives twice. */
  duplicate: number
  /** A status without a body of the contract, as a proxy sends. */
  badGateway: number
  /** The response is the one to another request; the server may or may not receive ours. */
  wrongAnswer: number
  /** A proxy refuses with 401. */
  refusal: number
  /** Plain requests fail while sockets stay open: a proxy, a load balancer, a server that is half up. */
  noAnswers?: 'reset' | 'unavailable'
}

export const NO_FAULTS: Faults = {
  dropRequest: 0,
  dropAnswer: 0,
  duplicate: 0,
  badGateway: 0,
  wrongAnswer: 0,
  refusal: 0,
}

/** Longest time one way, in milliseconds; each message draws its own, frames of one socket stay in order. */
const MAX_LATENCY_MS = 60
/** How long a request hangs when its response is lost, if the client sets no timeout. */
const LOST_ANSWER_MS = 10_000

export type Tamper = {
  request?: (request: HttpRequest) => HttpRequest
  answer?: (request: HttpRequest, answer: HttpResponse) => HttpResponse
  /** A frame of an open socket that never arrives. */
  losesFrame?: (text: string) => boolean
}

/** One user's connection to the server. */
export class Link implements HttpPort, SocketPort {
  faults: Faults = NO_FAULTS
  #up = true
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #server: SimServer
  readonly #sockets = new Set<SimSocket>()
  /** The requests of this user's client to the server, for tests that count. */
  readonly requests: string[] = []
  /** A proxy that blocks websockets: they are cut off at once, and plain calls pass. */
  blocksSockets = false
  /** For planted bugs: changes a request before the server receives it, or a response before the client does. */
  tamper: Tamper = {}

  constructor(clock: Clock, ids: Ids, server: SimServer) {
    this.#clock = clock
    this.#ids = ids
    this.#server = server
  }

  get isUp(): boolean {
    return this.#up
  }

  up(): void {
    this.#up = true
  }

  /** The cable is pulled: sockets end, requests in flight fail. With `silently` the client has to find out itself. */
  down(silently = false): void {
    this.#up = false
    if (!silently) return this.cut()
    for (const socket of this.#sockets) socket.stall()
  }

  /** Ends every socket without a close frame. */
  cut(): void {
    for (const socket of new Set(this.#sockets)) socket.end(1006, '')
  }

  /** A frame that the server never sent arrives on every open socket. */
  inject(text: string): void {
    for (const socket of this.#sockets) socket.hear(text)
  }

  async request(request: HttpRequest): Promise<HttpResponse> {
    this.requests.push(`${request.method} ${new URL(request.url).pathname}`)
    await this.#travel(request)
    if (this.faults.noAnswers === 'reset') throw new TransportError('network', true)
    if (this.faults.noAnswers) return { status: 503, headers: { 'content-type': 'text/html' }, text: 'unavailable' }
    if (!this.#reaches() || this.#chance(this.faults.dropRequest)) return this.#silence(request, false)
    if (this.#chance(this.faults.badGateway))
      return { status: 502, headers: { 'content-type': 'text/html' }, text: '<h1>Bad gateway</h1>' }
    if (changesSomething(request) && this.#chance(this.faults.refusal))
      return { status: 401, headers: { 'content-type': 'text/html' }, text: '<h1>Unauthorized</h1>' }
    const isWrong = changesSomething(request) && this.#chance(this.faults.wrongAnswer)
    if (isWrong && this.#chance(0.5)) return ANOTHER
    const tampered = this.tamper.request?.(request) ?? request
    const plain = isPoll(tampered) ? await this.#server.poll(tampered) : this.#server.request(tampered)
    const answer = this.tamper.answer?.(tampered, plain) ?? plain
    if (!isPoll(tampered) && this.#chance(this.faults.duplicate)) this.#server.request(tampered)
    await this.#travel(request)
    if (!this.#reaches() || this.#chance(this.faults.dropAnswer)) return this.#silence(request, true)
    return isWrong ? toAnother(answer) : answer
  }

  async download(): Promise<{ status: number; mimeType: string; sizeBytes: number }> {
    throw new TransportError('network', false)
  }

  open(url: string, handlers: SocketHandlers): Socket {
    const socket = new SimSocket(
      this.#clock,
      () => this.#latency(),
      handlers,
      () => this.#sockets.delete(socket),
      (text) => this.tamper.losesFrame?.(text) ?? false,
    )
    this.#sockets.add(socket)
    this.#clock.after(this.#latency(), () => {
      if (!this.#reaches() || this.blocksSockets) return socket.end(1006, '')
      socket.connectTo((out) => this.#server.connect(url, out))
    })
    return socket
  }

  #reaches(): boolean {
    return this.#up && this.#server.running
  }

  /** No response: an error at once while offline, else after the client's own timeout. */
  async #silence(request: HttpRequest, sent: boolean): Promise<never> {
    if (this.#reaches()) await wait(this.#clock, request.timeoutMs ?? LOST_ANSWER_MS, request.signal)
    throw new TransportError(request.signal?.aborted ? 'aborted' : this.#reaches() ? 'timeout' : 'network', sent)
  }

  async #travel(request: HttpRequest): Promise<void> {
    await wait(this.#clock, this.#latency(), request.signal)
    if (request.signal?.aborted) throw new TransportError('aborted', true)
  }

  #latency(): number {
    return 1 + Math.floor(this.#ids.random() * MAX_LATENCY_MS)
  }

  #chance(probability: number): boolean {
    return probability > 0 && this.#ids.random() < probability
  }
}

/** One object that has a name: a list that was swapped for another cannot be distinguished from the right one. */
const changesSomething = ({ method, url }: HttpRequest): boolean =>
  method !== 'GET' && /\/(message|reaction|reminders|draft|vote)(\/|$)|^\/messages\/[^/]+$/u.test(new URL(url).pathname)

const ANOTHER: HttpResponse = {
  status: 201,
  headers: { 'content-type': 'application/json' },
  text: '{"message":{"id":"elsewhere","cid":"team:elsewhere","text":"x","user":{"id":"nobody"}}}',
}

const toAnother = (answer: HttpResponse): HttpResponse =>
  answer.status < 300
    ? { ...answer, text: answer.text.replace(/"(id|cid|message_id|channel_cid)":"[^"]*"/gu, '"$1":"team:elsewhere"') }
    : answer

const isPoll = ({ url }: HttpRequest): boolean => new URL(url).pathname === '/longpoll'

class SimSocket implements Socket {
  readonly #clock: Clock
  readonly #latency: () => number
  readonly #handlers: SocketHandlers
  readonly #onEnd: () => void
  readonly #loses: (text: string) => boolean
  #far: ServerSocket | undefined
  #ended = false
  /** Frames of one socket never overtake each other. */
  #arrivesAt = 0
  /**
   * Half open: both ends believe in the connection, nothing passes anymore. An open socket never loses a frame in the
   * middle.
   */
  #stalled = false

  constructor(
    clock: Clock,
    latency: () => number,
    handlers: SocketHandlers,
    onEnd: () => void,
    loses: (text: string) => boolean,
  ) {
    this.#clock = clock
    this.#latency = latency
    this.#handlers = handlers
    this.#onEnd = onEnd
    this.#loses = loses
  }

  connectTo(
    dial: (out: { frame(text: string): void; close(code: number, reason: string): void }) => ServerSocket,
  ): void {
    if (this.#ended) return
    this.#handlers.onOpen()
    this.#far = dial({
      frame: (text) => this.#later(() => this.#loses(text) || this.#handlers.onFrame(text)),
      close: (code, reason) => this.#later(() => this.end(code, reason)),
    })
  }

  send(text: string): void {
    this.#clock.after(this.#latency(), () => {
      if (!this.#ended && !this.#stalled) this.#far?.receive(text)
    })
  }

  close(code: number, reason: string): void {
    this.#later(() => this.end(code, reason))
  }

  terminate(): void {
    this.end(1006, '')
  }

  hear(text: string): void {
    if (this.#far) this.#later(() => this.#handlers.onFrame(text))
  }

  stall(): void {
    this.#stalled = true
  }

  end(code: number, reason: string): void {
    if (this.#ended) return
    this.#ended = true
    this.#onEnd()
    this.#far?.closed()
    this.#handlers.onClose(code, reason)
  }

  #later(deliver: () => void): void {
    const now = this.#clock.monotonic()
    this.#arrivesAt = Math.max(this.#arrivesAt, now + this.#latency())
    this.#clock.after(this.#arrivesAt - now, () => {
      if (!this.#ended && !this.#stalled) deliver()
    })
  }
}

function wait(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const stop = clock.after(ms, resolve)
    signal?.addEventListener('abort', () => (stop(), resolve()), { once: true })
  })
}
