import { CONNECTION_CHECK_MS, OFFLINE_NOTICE_MS, PING_INTERVAL_MS, RECONNECT_ON_ONLINE_MS } from '#shared/constants.ts'
import type { Connection } from '#shared/domain/connection.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { backoffMs, soonMs } from '#shared/rules/server/retry.ts'
import { CLOSE_CODES, slotMsOf } from '#shared/wire/connect.ts'
import type { UnknownEvent, WireEvent } from '#shared/wire/events.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import type { Ports } from '../ports.ts'
import { TransportChoice } from './choice.ts'
import { CONNECT_TWICE, NO_INITIAL_CONNECTION, wsFailed } from './texts.ts'
import { type Frame, readFrame } from './envelope.ts'
import { Timers } from './timers.ts'
import { refusedStep, verdictOf, type ErrorFrame } from './refused.ts'
import { CLOCKS_DIFFER, NOT_RENEWED } from '../session/trouble.ts'
import { connectionOf, type State } from './state.ts'
import type { Dial, Line, Loss } from './transport.ts'
import type { ConnectionControl, ConnectionOptions, Healthy } from './types.ts'

export type { ConnectionControl, ConnectionHandlers, ConnectionOptions } from './types.ts'

/** Health checks carry the time they were made; the way here takes a moment. */
const HEALTH_CHECK_ERROR_MS = 100
/** A dial younger than this is left alone when the network comes back: it is already using the new network. */
const FRESH_DIAL_MS = 1_000
/** How often the first transport is tried while the fallback serves: back within 90 s. */
const UPGRADE_EVERY_MS = 60_000

/** Someone looks: a server that could not be reached is asked this often whether it can be again. */
const PROBE_EVERY_MS = 2_500
/** Everyone who probed sees the server come back in the same moment: they dial within this. */
const PROBE_SPREAD_MS = 1_000
/** Keys and presses bring the next try forward to this long after the last one they brought forward. */
const ATTENDED_EVERY_MS = 3_000
/** A dial that hangs for longer may be under way in a network that is gone. */
const HANGING_DIAL_MS = 5_000

/** Refusals for the clock that follow each other by the back-off: the token, or the clock, may be new by then. */
const CLOCK_TRIES = 3
/** A clock that is wrong still is a while later, and someone who looks asks sooner. */
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
  /** A line of the first transport that is being tried while the fallback serves. */
  #candidate: Line | undefined
  /** Grows with every line: what an older one says is ignored. The `wsID` of docs/wire.md 2.7. */
  #generation = 0
  #failures = 0
  #renewals = 0
  #clockTries = 0
  #spentToken: string | undefined
  /** Why the tries fail, where more than the network is in the way. */
  #trouble: string | undefined
  #wasHealthy = false
  #offline = false
  #lostAt: number | undefined
  #clientId = ''
  #malformed = 0
  /** When someone's presence brought a try forward, by the monotonic clock. */
  #attendedAt = Number.NEGATIVE_INFINITY
  /** The moment that a server in restart gave this connection: no one comes before it unasked. */
  #slotEndsAt = Number.NEGATIVE_INFINITY
  /** The last probe met no one: only then the next that does says anything new. */
  #unreached = false
  /** When the last frame came, on both clocks: the wall shows a sleep that the other may not have counted. */
  #heard = { monotonic: 0, wall: 0 }
  /** How long nothing was heard of a line that is given up for its silence. */
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
    const line = this.#state.at === 'healthy' ? this.#state.line : undefined
    // A healthy line is not dropped but closed: the server shall hear that this person left.
    if (line) this.#state = { at: 'idle' }
    this.#letGo()
    this.#state = { at: 'idle' }
    this.#timers.clearAll()
    await line?.close()
  }

  reconnectNow(): void {
    if (this.#state.at === 'idle' || (this.#state.at === 'healthy' && !this.#state.doubted)) return
    this.#forgetFailures()
    this.#dial()
  }

  attended(): void {
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
    const silence = Math.max(this.#clock.monotonic() - this.#heard.monotonic, this.#clock.now() - this.#heard.wall)
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

  /** Gives up the line of the present state, so that there are never two. */
  #letGo(): void {
    this.#generation += 1
    for (const name of ['step', 'probe', 'ping', 'check', 'upgrade'] as const) this.#timers.clear(name)
    this.#dropCandidate()
    const state = this.#state
    const line = state.at === 'dialing' || state.at === 'healthy' ? state.line : undefined
    line?.drop()
    this.#flush()
  }

  #dial(): void {
    const { tokens, user, ports } = this.#options
    this.#letGo()
    const mine = this.#generation
    this.#clientId = `${user.id}--${ports.ids.uuid()}`
    this.#become({ at: 'dialing', since: this.#clock.monotonic(), line: undefined, token: undefined })
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
      return this.#askWhyNoToken()
    }
    if (mine === this.#generation) this.#openLine(value)
  }

  /** Without any network no one gives out tokens, and that is no trouble of its own. */
  async #askWhyNoToken(): Promise<void> {
    const mine = this.#generation
    const reached = (await this.#options.probe?.()) === true
    if (mine !== this.#generation) return
    this.#trouble = reached ? NOT_RENEWED : undefined
    this.#publish()
  }

  #openLine(token: string): void {
    const mine = this.#generation
    this.#spentToken = undefined
    const line = this.#choice.now.open(this.#dialWith(token), {
      onFrame: (frame) => {
        if (mine === this.#generation) this.#onFrame(readFrame(frame, this.#clock.now()))
      },
      onLost: (loss) => {
        if (mine === this.#generation) this.#onLost(loss)
      },
    })
    if (mine === this.#generation) this.#state = { at: 'dialing', since: this.#clock.monotonic(), line, token }
    else line.drop()
  }

  #dialWith(token: string): Dial {
    const { tokens, user, ports } = this.#options
    const payload = JSON.stringify({ user_id: user.id, user_details: user, client_request_id: ports.ids.uuid() })
    return { token, authType: tokens.authType, payload }
  }

  #wait(ms: number): void {
    this.#letGo()
    this.#markLost()
    this.#become({ at: 'waiting', nextTryAt: this.#clock.now() + ms })
    this.#watchOffline()
    this.#timers.set('step', ms, () => this.#dial())
    this.#planProbe()
  }

  #planProbe(): void {
    if (this.#options.probe) this.#timers.set('probe', PROBE_EVERY_MS, () => void this.#probe(this.#generation))
  }

  /** A dial hurries only when a server that could not be reached can be again: one that refuses has its back-off. */
  async #probe(mine: number): Promise<void> {
    const isWanted = this.#isLookedAt() && this.#clock.monotonic() >= this.#slotEndsAt
    const reached = isWanted ? await this.#options.probe?.() : undefined
    if (mine !== this.#generation) return
    const isBack = reached === true && this.#unreached
    if (reached !== undefined) this.#unreached = !reached
    if (isBack) this.#wait(Math.floor(this.#options.ports.ids.random() * PROBE_SPREAD_MS))
    else this.#planProbe()
  }

  #isLookedAt(): boolean {
    return this.#options.handlers.isLookedAt?.() === true
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
   * The back-off, and before it the moment that a server in restart gave this connection. While someone looks it ends
   * sooner: the contract's is for clients that no one waits for.
   */
  #waitLonger(slotMs = 0): void {
    this.#failures += 1
    this.#slotEndsAt = this.#clock.monotonic() + slotMs
    const random = this.#options.ports.ids.random()
    this.#wait(slotMs + (this.#isLookedAt() ? soonMs : backoffMs)(this.#failures, random))
  }

  #block(code: string): void {
    this.#letGo()
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

  // --- what the line says ------------------------------------------------------------------------------------------

  #onFrame(frame: Frame): void {
    this.#heard = { monotonic: this.#clock.monotonic(), wall: this.#clock.now() }
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
    if (state.at === 'dialing' && state.line && state.token !== undefined) {
      if (frame.connectionId === undefined) return this.#lose(0, 'no connection id')
      this.#onFirstHealth(state.line, state.token, { connectionId: frame.connectionId, me: frame.me })
    }
    if (this.#state.at === 'healthy') this.#timers.set('ping', PING_INTERVAL_MS, () => this.#ping())
  }

  #onFirstHealth(line: Line, token: string, hello: Omit<Healthy, 'first'>): void {
    this.#timers.clear('step')
    this.#forgetFailures()
    const first = !this.#wasHealthy
    this.#wasHealthy = true
    this.#trouble = undefined
    this.#becomeHealthy({ at: 'healthy', line, token, doubted: false })
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
    // Close code 1000 without an error frame: the server wants us gone. See docs/wire.md 2.6.
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

  /** Signed in by one clock and judged by another. Goes on for as long as they differ, with a new token where one can be had. */
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

  /** Takes a new token: at once the first time, through the back-off when the new one is refused as well. */
  #renew(spent: string): void {
    this.#spentToken = spent
    this.#renewals += 1
    this.#markLost()
    if (this.#renewals === 1) this.#dial()
    else this.#waitLonger()
  }

  // --- back from the fallback --------------------------------------------------------------------------------------

  /** Dials the first transport beside the fallback, which serves on until the other is healthy. */
  #tryUpgrade(): void {
    const state = this.#state
    if (state.at !== 'healthy') return
    this.#timers.set('upgrade', UPGRADE_EVERY_MS, () => this.#tryUpgrade())
    this.#dropCandidate()
    let servesAs: number | undefined
    const candidate: Line = this.#choice.first.open(this.#dialWith(state.token), {
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

  /** Answers the generation under which the new line serves. */
  #adopt(line: Line, old: { readonly line: Line; readonly token: string }, hello: HealthFrame): number {
    this.#candidate = undefined
    this.#state = { at: 'dialing', since: this.#clock.monotonic(), line: undefined, token: undefined }
    this.#letGo()
    void old.line.close()
    this.#choice.back()
    this.#state = { at: 'dialing', since: this.#clock.monotonic(), line, token: old.token }
    this.#onFrame(hello)
    return this.#generation
  }

  #dropCandidate(): void {
    const candidate = this.#candidate
    this.#candidate = undefined
    candidate?.drop()
  }

  // --- keeping it alive --------------------------------------------------------------------------------------------

  #ping(): void {
    if (this.#state.at === 'healthy') this.#state.line.ping(this.#clientId)
  }

  #check(): void {
    const left = this.#heard.monotonic + CONNECTION_CHECK_MS - this.#clock.monotonic()
    if (left > 0) return this.#timers.set('check', left, () => this.#check())
    this.#silentMs = CONNECTION_CHECK_MS - left
    this.#lose(0, 'silence')
  }

  // --- telling others ------------------------------------------------------------------------------------------------

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
