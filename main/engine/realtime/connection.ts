import { CONNECTION_CHECK_MS, OFFLINE_NOTICE_MS, PING_INTERVAL_MS, RECONNECT_ON_ONLINE_MS } from '#shared/constants.ts'
import type { Connection } from '#shared/domain/session.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { backoffMs, focusedBackoffMs } from '#shared/rules/server/retry.ts'
import { CLOSE_CODES, slotMsOf } from '#shared/wire/connect.ts'
import type { UnknownEvent, WireEvent } from '#shared/wire/events.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import type { Ports } from '../ports.ts'
import { CLOCKS_DIFFER, NOT_RENEWED } from '../session/token.ts'
import {
  TransportChoice,
  type Dial,
  type TransportConnection,
  type Loss,
  type ConnectionControl,
  type ConnectionOptions,
  type Healthy,
} from './transport.ts'
import {
  CONNECT_TWICE,
  NO_INITIAL_CONNECTION,
  wsFailed,
  type Frame,
  readFrame,
  refusedStep,
  verdictOf,
  type ErrorFrame,
} from './envelope.ts'
import { Timers, connectionOf, type State } from './state.ts'

/** Health checks carry the server's time; this allows for their latency. */
const HEALTH_CHECK_ERROR_MS = 100
/** A newer attempt continues when the network comes back: it already uses the new network. */
const FRESH_DIAL_MS = 1_000
/** How often the first transport is tried while the fallback is in use: back within 90 s. */
const UPGRADE_EVERY_MS = 60_000

/** While the user is looking, an unreachable server is probed this often. */
const PROBE_EVERY_MS = 2_500
/** All probing clients notice a returning server at once: they reconnect at random within this time. */
const PROBE_SPREAD_MS = 1_000
/** User input brings the next attempt forward at most this often. */
const ATTENDED_EVERY_MS = 3_000
/** An attempt that takes longer may be using a network that no longer exists. */
const HANGING_DIAL_MS = 5_000

/**
 * Rejections because of the clock that are retried with back-off: the token, or the clock, may be corrected by then.
 */
const CLOCK_TRIES = 3
/** After that a wrong clock is likely to stay wrong for a while; a focused window retries sooner. */
const CLOCK_WAIT_MS = 60_000

type TimerName = 'probe' | 'step' | 'offline' | 'ping' | 'check' | 'flush' | 'upgrade'
type HealthFrame = Extract<Frame, { kind: 'health' }>

export const createConnection = (options: ConnectionOptions): ConnectionControl => new RealtimeConnection(options)

class RealtimeConnection implements ConnectionControl {
  readonly #options: ConnectionOptions
  readonly #log: Logger
  readonly #timers: Timers<TimerName>
  readonly #choice: TransportChoice
  #state: State = { at: 'idle' }
  /** A connection of the first transport that is being tried while the fallback is in use. */
  #candidate: TransportConnection | undefined
  /** Grows with every connection: callbacks of older ones are ignored. The `wsID` of docs/wire.md 2.7. */
  #generation = 0
  #failures = 0
  #renewals = 0
  #clockTries = 0
  #spentToken: string | undefined
  /** Why attempts fail, if the network is not the only reason. */
  #trouble: string | undefined
  #wasHealthy = false
  #offline = false
  #lostAt: number | undefined
  #clientId = ''
  #malformed = 0
  /** When user activity last brought an attempt forward, by the monotonic clock. */
  #attendedAt = Number.NEGATIVE_INFINITY
  /** A restarting server assigned a time slot: no automatic attempt is made before it. */
  #slotEndsAt = Number.NEGATIVE_INFINITY
  /** The last probe failed: only then does a successful probe mean that the server is back. */
  #unreached = false
  /** When the last frame arrived, on both clocks: the wall clock includes sleep, the monotonic one may not. */
  #lastFrame = { monotonic: 0, wall: 0 }
  /** How long nothing was received before a silent connection was dropped. */
  #silentMs = 0
  #events: (WireEvent | UnknownEvent)[] = []

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#choice = new TransportChoice(options.transport, options.fallback)
    this.#log = logger('connection', options.ports.log)
    this.#timers = new Timers(options.ports.clock)
  }

  start(): void {
    if (this.#state.at !== 'idle') throw new AppError('session/connect-twice', { detail: CONNECT_TWICE })
    this.#dial()
  }

  async stop(): Promise<void> {
    const connection = this.#state.at === 'healthy' ? this.#state.connection : undefined
    // A healthy connection is closed properly, so that the server knows that the user left.
    if (connection) this.#state = { at: 'idle' }
    this.#dropConnection()
    this.#state = { at: 'idle' }
    this.#timers.clearAll()
    await connection?.close()
  }

  reconnectNow(): void {
    if (this.#state.at === 'idle' || (this.#state.at === 'healthy' && !this.#state.doubted)) return
    this.#forgetFailures()
    this.#dial()
  }

  onActivity(): void {
    const state = this.#state
    const now = this.#clock.monotonic()
    if (now < this.#slotEndsAt) return
    if (state.at === 'dialing' ? now - state.since < HANGING_DIAL_MS : state.at !== 'waiting') return
    const ms = this.#attendedAt + ATTENDED_EVERY_MS - now
    if (ms > 0) {
      if (state.at !== 'waiting' || state.nextTryAt - this.#clock.now() <= ms) return
      this.#attendedAt = now + ms
      return this.#wait(ms)
    }
    this.#attendedAt = now
    this.#dial()
  }

  networkOffline(): void {
    if (this.#state.at !== 'healthy' || this.#state.doubted) return
    this.#lostAt = this.#clock.now()
    this.#become({ ...this.#state, doubted: true })
    this.#watchOffline()
  }

  networkOnline(): void {
    const state = this.#state
    if (state.at === 'idle' || state.at === 'blocked') return
    if (state.at === 'healthy' && !state.doubted) return
    if (state.at === 'dialing' && this.#clock.monotonic() - state.since < FRESH_DIAL_MS) return
    this.#wait(RECONNECT_ON_ONLINE_MS)
  }

  resumed(): void {
    if (this.#state.at !== 'healthy') return this.networkOnline()
    const silence = Math.max(
      this.#clock.monotonic() - this.#lastFrame.monotonic,
      this.#clock.now() - this.#lastFrame.wall,
    )
    if (silence <= PING_INTERVAL_MS) return this.#ping()
    this.#silentMs = silence
    this.#wait(RECONNECT_ON_ONLINE_MS)
  }

  malformedFrames(): number {
    return this.#malformed
  }

  state(): Connection {
    return connectionOf(this.#state, {
      offline: this.#offline,
      transport: this.#choice.now.kind,
      lostAt: this.#lostAt,
      trouble: this.#trouble,
    })
  }

  // --- moving between states -------------------------------------------------------------------------------------

  #become(next: State): void {
    this.#state = next
    this.#log.info('state', { state: next.at, failures: this.#failures })
    this.#publish()
  }

  /** Drops the connection of the current state, so that there are never two. */
  #dropConnection(): void {
    this.#generation += 1
    for (const name of ['step', 'probe', 'ping', 'check', 'upgrade'] as const) this.#timers.clear(name)
    this.#dropCandidate()
    const state = this.#state
    const connection = state.at === 'dialing' || state.at === 'healthy' ? state.connection : undefined
    connection?.drop()
    this.#flush()
  }

  #dial(): void {
    const { tokens, user, ports } = this.#options
    this.#dropConnection()
    const mine = this.#generation
    this.#clientId = `${user.id}--${ports.ids.uuid()}`
    this.#become({ at: 'dialing', since: this.#clock.monotonic(), connection: undefined, token: undefined })
    this.#watchOffline()
    this.#timers.set('step', this.#choice.dialLimitMs, () => this.#lose(0, NO_INITIAL_CONNECTION))
    const spent = this.#spentToken
    void this.#withToken(spent === undefined ? tokens.ready() : tokens.renew(spent), mine)
  }

  async #withToken(token: Promise<string>, mine: number): Promise<void> {
    let value: string
    try {
      value = await token
    } catch (error) {
      if (mine !== this.#generation) return
      this.#log.warn('token-provider-failed', { error: error instanceof AppError ? error.code : 'unknown' })
      this.#lose(0, 'no token', this.#trouble)
      return this.#checkWhyNoToken()
    }
    if (mine === this.#generation) this.#openSocket(value)
  }

  /** Without any network no token can be fetched either, and that is not a separate problem. */
  async #checkWhyNoToken(): Promise<void> {
    const mine = this.#generation
    const isReachable = (await this.#options.probe?.()) === true
    if (mine !== this.#generation) return
    this.#trouble = isReachable ? NOT_RENEWED : undefined
    this.#publish()
  }

  #openSocket(token: string): void {
    const mine = this.#generation
    this.#spentToken = undefined
    const connection = this.#choice.now.open(this.#dialOf(token), {
      onFrame: (frame) => {
        if (mine === this.#generation) this.#onFrame(readFrame(frame, this.#clock.now()))
      },
      onLost: (loss) => {
        if (mine === this.#generation) this.#onLost(loss)
      },
    })
    if (mine === this.#generation) this.#state = { at: 'dialing', since: this.#clock.monotonic(), connection, token }
    else connection.drop()
  }

  #dialOf(token: string): Dial {
    const { tokens, user, ports } = this.#options
    const payload = JSON.stringify({ user_id: user.id, user_details: user, client_request_id: ports.ids.uuid() })
    return { token, authType: tokens.authType, payload }
  }

  #wait(ms: number): void {
    this.#dropConnection()
    this.#markLost()
    this.#become({ at: 'waiting', nextTryAt: this.#clock.now() + ms })
    this.#watchOffline()
    this.#timers.set('step', ms, () => this.#dial())
    this.#planProbe()
  }

  #planProbe(): void {
    if (this.#options.probe) this.#timers.set('probe', PROBE_EVERY_MS, () => void this.#probe(this.#generation))
  }

  /**
   * Reconnects early only if an unreachable server is reachable again: a server that rejects us has its own back-off.
   */
  async #probe(mine: number): Promise<void> {
    const isWanted = this.#isFocused() && this.#clock.monotonic() >= this.#slotEndsAt
    const isReachable = isWanted ? await this.#options.probe?.() : undefined
    if (mine !== this.#generation) return
    const isBack = isReachable === true && this.#unreached
    if (isReachable !== undefined) this.#unreached = !isReachable
    if (isBack) this.#wait(Math.floor(this.#options.ports.ids.random() * PROBE_SPREAD_MS))
    else this.#planProbe()
  }

  #isFocused(): boolean {
    return this.#options.handlers.isFocused?.() === true
  }

  #lose(code: number, reason: string, trouble?: string): void {
    this.#trouble = trouble
    this.#log.warn('lost', { code, text: wsFailed(code, reason), failures: this.#failures })
    const slotMs = slotMsOf({ code, reason })
    const isRefusal = slotMs === undefined && this.#state.at === 'dialing'
    if (isRefusal && this.#choice.dialFailed()) return this.#dial()
    this.#waitLonger(slotMs)
  }

  /**
   * Waits for the back-off, after the time slot that a restarting server assigned. While a window is focused the back-off
   * is shorter: the one in the contract is for clients in the background.
   */
  #waitLonger(slotMs = 0): void {
    this.#failures += 1
    this.#slotEndsAt = this.#clock.monotonic() + slotMs
    const random = this.#options.ports.ids.random()
    this.#wait(slotMs + (this.#isFocused() ? focusedBackoffMs : backoffMs)(this.#failures, random))
  }

  #block(code: string): void {
    this.#dropConnection()
    this.#markLost()
    this.#log.warn('blocked', { code })
    this.#become({ at: 'blocked', code })
    this.#watchOffline()
  }

  #markLost(): void {
    if (this.#wasHealthy) this.#lostAt ??= this.#clock.now()
  }

  #forgetFailures(): void {
    this.#failures = 0
    this.#choice.forgetFailures()
    this.#renewals = 0
    this.#clockTries = 0
  }

  // --- frames ------------------------------------------------------------------------------------------

  #onFrame(frame: Frame): void {
    this.#lastFrame = { monotonic: this.#clock.monotonic(), wall: this.#clock.now() }
    if (this.#state.at === 'healthy' && this.#state.doubted) this.#becomeHealthy({ ...this.#state, doubted: false })
    switch (frame.kind) {
      case 'malformed':
        this.#malformed += 1
        return this.#log.warn('malformed-frame', { count: this.#malformed })
      case 'error':
        return this.#state.at === 'healthy' ? this.#onLateError(frame) : this.#onRefused(frame)
      case 'health':
        return this.#onHealth(frame)
      case 'event':
        if (this.#state.at !== 'healthy') return
        this.#events.push(frame.event)
        if (this.#events.length === 1) this.#timers.set('flush', 0, () => this.#flush())
    }
  }

  #onHealth(frame: HealthFrame): void {
    if (frame.at !== undefined) this.#options.serverClock.note(frame.at, HEALTH_CHECK_ERROR_MS)
    const state = this.#state
    if (state.at === 'dialing' && state.connection && state.token !== undefined) {
      if (frame.connectionId === undefined) return this.#lose(0, 'no connection id')
      this.#onFirstHealth(state.connection, state.token, { connectionId: frame.connectionId, me: frame.me })
    }
    if (this.#state.at === 'healthy') this.#timers.set('ping', PING_INTERVAL_MS, () => this.#ping())
  }

  #onFirstHealth(connection: TransportConnection, token: string, hello: Omit<Healthy, 'first'>): void {
    this.#timers.clear('step')
    this.#forgetFailures()
    const first = !this.#wasHealthy
    this.#wasHealthy = true
    this.#trouble = undefined
    this.#becomeHealthy({ at: 'healthy', connection, token, doubted: false })
    this.#timers.set('check', CONNECTION_CHECK_MS, () => this.#check())
    if (this.#choice.onFallback) this.#timers.set('upgrade', UPGRADE_EVERY_MS, () => this.#tryUpgrade())
    this.#options.handlers.onHealthy({ ...hello, first })
  }

  #becomeHealthy(next: Extract<State, { at: 'healthy' }>): void {
    this.#timers.clear('offline')
    this.#offline = false
    this.#lostAt = undefined
    this.#become(next)
  }

  #onLost(loss: Loss): void {
    // Close code 1000 without an error frame: the server ended the session permanently. See docs/wire.md 2.6.
    if (loss.kind === 'ended') return this.#block('server/closed')
    const state = this.#state
    const expired = loss.code === CLOSE_CODES.tokenExpired && state.at === 'healthy' && this.#options.tokens.renewable
    if (expired) this.#renew(state.token)
    else this.#lose(loss.code, loss.reason)
  }

  #onRefused(frame: ErrorFrame): void {
    const verdict = verdictOf(frame)
    const token = this.#state.at === 'dialing' ? this.#state.token : undefined
    const step = refusedStep(verdict, {
      code: frame.code,
      mayRenew: this.#options.tokens.renewable && token !== undefined,
      renewals: this.#renewals,
      onFallback: this.#choice.onFallback,
    })
    if (step === 'renew' && token !== undefined) this.#renew(token)
    else if (step === 'clock') this.#refusedForClock(token)
    else if (step === 'again') this.#lose(0, `error frame ${frame.code ?? 'without code'}`)
    else this.#block(verdict.code)
  }

  /** The token is too early for the server's clock. Retries while the clocks differ, with a new token if possible. */
  #refusedForClock(token: string | undefined): void {
    this.#clockTries += 1
    if (this.#options.tokens.renewable) this.#spentToken = token
    if (this.#clockTries <= CLOCK_TRIES) return this.#lose(0, 'too early', CLOCKS_DIFFER)
    this.#trouble = CLOCKS_DIFFER
    this.#wait(CLOCK_WAIT_MS)
  }

  #onLateError(frame: ErrorFrame): void {
    this.#log.warn('late-error-frame', { code: frame.code })
    if (frame.code !== 40 || this.#state.at !== 'healthy') return
    if (this.#options.tokens.renewable) this.#renew(this.#state.token)
    else this.#block(verdictOf(frame).code)
  }

  /** Requests a new token: at once the first time, with back-off if the new one is rejected as well. */
  #renew(spent: string): void {
    this.#spentToken = spent
    this.#renewals += 1
    this.#markLost()
    if (this.#renewals === 1) this.#dial()
    else this.#waitLonger()
  }

  // --- back from the fallback --------------------------------------------------------------------------------------

  /** Tries the first transport while the fallback stays in use until the other is healthy. */
  #tryUpgrade(): void {
    const state = this.#state
    if (state.at !== 'healthy') return
    this.#timers.set('upgrade', UPGRADE_EVERY_MS, () => this.#tryUpgrade())
    this.#dropCandidate()
    let servesAs: number | undefined
    const candidate: TransportConnection = this.#choice.first.open(this.#dialOf(state.token), {
      onFrame: (raw) => {
        const frame = readFrame(raw, this.#clock.now())
        if (servesAs === this.#generation) return this.#onFrame(frame)
        if (candidate !== this.#candidate) return
        if (frame.kind !== 'health') return this.#dropCandidate()
        servesAs = this.#adopt(candidate, state, frame)
      },
      onLost: (loss) => {
        if (servesAs === this.#generation) this.#onLost(loss)
        else if (candidate === this.#candidate) this.#candidate = undefined
      },
    })
    this.#candidate = candidate
  }

  /** Returns the generation of the new connection. */
  #adopt(
    connection: TransportConnection,
    old: { readonly connection: TransportConnection; readonly token: string },
    hello: HealthFrame,
  ): number {
    this.#candidate = undefined
    this.#state = { at: 'dialing', since: this.#clock.monotonic(), connection: undefined, token: undefined }
    this.#dropConnection()
    void old.connection.close()
    this.#choice.back()
    this.#state = { at: 'dialing', since: this.#clock.monotonic(), connection, token: old.token }
    this.#onFrame(hello)
    return this.#generation
  }

  #dropCandidate(): void {
    const candidate = this.#candidate
    this.#candidate = undefined
    candidate?.drop()
  }

  // --- keep-alive --------------------------------------------------------------------------------------------

  #ping(): void {
    if (this.#state.at === 'healthy') this.#state.connection.ping(this.#clientId)
  }

  #check(): void {
    const left = this.#lastFrame.monotonic + CONNECTION_CHECK_MS - this.#clock.monotonic()
    if (left > 0) return this.#timers.set('check', left, () => this.#check())
    this.#silentMs = CONNECTION_CHECK_MS - left
    this.#lose(0, 'silence')
  }

  // --- notifications ------------------------------------------------------------------------------------------------

  #publish(): void {
    const silentMs = this.#silentMs
    this.#silentMs = 0
    this.#options.handlers.onState(this.state(), silentMs)
  }

  #flush(): void {
    this.#timers.clear('flush')
    if (this.#events.length === 0) return
    const batch = this.#events
    this.#events = []
    this.#options.handlers.onEvents(batch)
  }

  #watchOffline(): void {
    if (this.#offline || this.#timers.has('offline')) return
    this.#timers.set('offline', OFFLINE_NOTICE_MS, () => {
      this.#offline = true
      this.#publish()
    })
  }

  get #clock(): Ports['clock'] {
    return this.#options.ports.clock
  }
}
