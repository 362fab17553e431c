import {
  CONNECTION_CHECK_MS,
  INITIAL_CONNECT_MS,
  OFFLINE_NOTICE_MS,
  PING_INTERVAL_MS,
  RECONNECT_ON_ONLINE_MS,
} from '#shared/constants.ts'
import type { Connection } from '#shared/domain/connection.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { backoffMs } from '#shared/rules/retry.ts'
import type { UnknownEvent, WireEvent } from '#shared/wire/events.ts'
import type { WireOwnUser, WireUser } from '#shared/wire/objects.ts'
import type { Stop } from '#main/lib/clock.ts'
import { logger } from '#main/lib/logger.ts'
import { classify, type Verdict } from '../api/errors.ts'
import type { Ports } from '../ports.ts'
import type { ServerClock } from '../session/server-clock.ts'
import type { TokenManager } from '../session/token-manager.ts'
import { type Frame, readFrame } from './envelope.ts'
import type { Line, Loss, Transport } from './transport.ts'

/** Each time the line became healthy. `first` is false after a reconnect: then recovery is due. */
export type Healthy = {
  /** The own user with its counts; absent only if the server left it out. */
  readonly me: WireOwnUser | undefined
  readonly connectionId: string
  readonly first: boolean
}

export type ConnectionHandlers = {
  /** The whole entity, at every change. `offline` already carries the 5 s rule. */
  onState(connection: Connection): void
  /** Before any event of this line. Events of the line before it have been handed on already. */
  onHealthy(healthy: Healthy): void
  /** All events of one turn, in order of arrival. Health checks are not among them. */
  onEvents(events: readonly (WireEvent | UnknownEvent)[]): void
}

export type ConnectionOptions = {
  readonly ports: Pick<Ports, 'clock' | 'ids' | 'log'>
  readonly transport: Transport
  readonly tokens: TokenManager
  readonly serverClock: ServerClock
  /** Sent as `user_details`; the server upserts the user from it. At least `id`. */
  readonly user: WireUser
  readonly handlers: ConnectionHandlers
}

export type ConnectionControl = {
  /** Begins to connect; answers at once. Throws `session/connect-twice` when it was started and not stopped. */
  start(): void
  /** Says goodbye and forgets all timers. */
  stop(): Promise<void>
  /** Tries now instead of at the planned time; also lifts a block. */
  reconnectNow(): void
  /** The computer lost its network: only a mark, the line may still live. */
  networkOffline(): void
  /** The computer has a network again. */
  networkOnline(): void
  /** The computer woke up. */
  resumed(): void
  state(): Connection
  /** Frames that were no event and no error: skipped, counted. */
  malformedFrames(): number
}

/** A dial younger than this is left alone when the network comes back: it is already using the new network. */
const FRESH_DIAL_MS = 1_000
/** Tries with a token that the server calls too early, before a person is asked. Source: reliability paper 3.1. */
const CLOCK_TRIES = 3

export const CONNECT_TWICE = "You've called connect twice, can only attempt 1 connection at the time"
export const NO_INITIAL_CONNECTION = 'initial WS connection could not be established'

/**
 * ```
 *            start                     first health check
 *   idle ───────────▶ dialing ─────────────────────────────▶ healthy ◀─┐
 *    ▲                 ▲  │  │                                │  │     │ a frame after all
 *    │ stop            │  │  │ error frame that no            │  └─ doubted (the computer went offline)
 *    │ (from all)      │  │  │ try will mend       lost, 35 s │        │
 *                      │  │  └─────────▶ blocked   of silence,│        │ online, resumed: after 10 ms
 *         timer, online│  │ lost, 15 s      │      token spent│        │
 *         resumed, now │  ▼                 │                 ▼        ▼
 *                      └─ waiting ◀─────────┼─────────────────┴────────┘
 *                      ▲                    │ reconnectNow
 *                      └────────────────────┘
 * ```
 * A token that expired is renewed while dialing, or on the way from healthy to dialing, without waiting the first time.
 */
type State =
  | { readonly at: 'idle' }
  | {
      readonly at: 'dialing'
      readonly since: number
      readonly line: Line | undefined
      readonly token: string | undefined
    }
  | { readonly at: 'healthy'; readonly line: Line; readonly token: string; readonly doubted: boolean }
  | { readonly at: 'waiting'; readonly nextTryAt: number }
  | { readonly at: 'blocked'; readonly code: string }

export function createConnection(options: ConnectionOptions): ConnectionControl {
  const { transport, tokens, serverClock, handlers, user } = options
  const { clock, ids } = options.ports
  const log = logger('connection', options.ports.log)

  let state: State = { at: 'idle' }
  /** Grows with every line: what an older one says is ignored. The `wsID` of the wire contract, 2.7. */
  let generation = 0
  let failures = 0
  let renewals = 0
  let clockTries = 0
  let spentToken: string | undefined
  let wasHealthy = false
  let offline = false
  let lostAt: number | undefined
  let clientId = ''
  let malformed = 0
  /** Of the last frame, on both clocks: the wall shows a sleep that the other may not have counted. */
  let heard = { monotonic: 0, wall: 0 }
  let events: (WireEvent | UnknownEvent)[] = []
  /** One timer per purpose; setting one replaces it. */
  const timers = new Map<'step' | 'offline' | 'ping' | 'check' | 'flush', Stop>()

  function setTimer(name: 'step' | 'offline' | 'ping' | 'check' | 'flush', ms: number, fn: () => void): void {
    timers.get(name)?.()
    const stop = clock.after(ms, () => {
      timers.delete(name)
      fn()
    })
    timers.set(name, stop)
  }

  function clearTimer(name: 'step' | 'offline' | 'ping' | 'check' | 'flush'): void {
    timers.get(name)?.()
    timers.delete(name)
  }

  // --- moving between states -------------------------------------------------------------------------------------

  function become(next: State): void {
    state = next
    log.info('state', { at: next.at, failures })
    publish()
  }

  /** Gives up the line of the present state, so that there are never two. */
  function letGo(): void {
    generation += 1
    for (const name of ['step', 'ping', 'check'] as const) clearTimer(name)
    const line = state.at === 'dialing' || state.at === 'healthy' ? state.line : undefined
    line?.drop()
    flush()
  }

  function dial(): void {
    letGo()
    const mine = generation
    clientId = `${user.id}--${ids.uuid()}`
    become({ at: 'dialing', since: clock.monotonic(), line: undefined, token: undefined })
    watchOffline()
    setTimer('step', INITIAL_CONNECT_MS, () => lose({ kind: 'lost', code: 0, reason: NO_INITIAL_CONNECTION }))
    const token = spentToken === undefined ? tokens.ready() : tokens.renew(spentToken)
    void withToken(token, mine)
  }

  async function withToken(token: Promise<string>, mine: number): Promise<void> {
    let value: string
    try {
      value = await token
    } catch (error) {
      if (mine !== generation) return
      log.warn('token-provider-failed', { error: error instanceof AppError ? error.code : 'unknown' })
      return lose({ kind: 'lost', code: 0, reason: 'no token' })
    }
    if (mine === generation) openLine(value)
  }

  function openLine(token: string): void {
    const mine = generation
    spentToken = undefined
    const payload = JSON.stringify({ user_id: user.id, user_details: user, client_request_id: ids.uuid() })
    const line = transport.open(
      { token, authType: tokens.authType, payload },
      {
        onFrame: (frame) => {
          if (mine === generation) onFrame(readFrame(frame, clock.now()))
        },
        onLost: (loss) => {
          if (mine === generation) onLost(loss)
        },
      },
    )
    if (mine === generation) state = { at: 'dialing', since: clock.monotonic(), line, token }
    else line.drop()
  }

  function wait(ms: number): void {
    letGo()
    if (wasHealthy && lostAt === undefined) lostAt = clock.now()
    become({ at: 'waiting', nextTryAt: clock.now() + ms })
    watchOffline()
    setTimer('step', ms, dial)
  }

  function lose(loss: Loss): void {
    log.warn('lost', { code: loss.code, reason: loss.reason, failures })
    failures += 1
    wait(backoffMs(failures, ids.random()))
  }

  function block(code: string): void {
    letGo()
    if (wasHealthy && lostAt === undefined) lostAt = clock.now()
    log.warn('blocked', { code })
    become({ at: 'blocked', code })
    watchOffline()
  }

  // --- what the line says ------------------------------------------------------------------------------------------

  function onFrame(frame: Frame): void {
    heard = { monotonic: clock.monotonic(), wall: clock.now() }
    if (state.at === 'healthy' && state.doubted) {
      setHealthy({ ...state, doubted: false })
    }
    switch (frame.kind) {
      case 'malformed':
        malformed += 1
        log.warn('malformed-frame', { count: malformed })
        return
      case 'error':
        return state.at === 'healthy' ? onLateError(frame) : onRefused(frame)
      case 'health':
        return onHealth(frame)
      case 'event':
        if (state.at !== 'healthy') return
        events.push(frame.event)
        if (events.length === 1) setTimer('flush', 0, flush)
    }
  }

  function onHealth(frame: Extract<Frame, { kind: 'health' }>): void {
    if (frame.at !== undefined) serverClock.note(frame.at)
    if (state.at === 'dialing' && state.line && state.token !== undefined) {
      if (frame.connectionId === undefined) return lose({ kind: 'lost', code: 0, reason: 'no connection id' })
      onFirstHealth(state.line, state.token, { connectionId: frame.connectionId, me: frame.me })
    }
    if (state.at === 'healthy') setTimer('ping', PING_INTERVAL_MS, ping)
  }

  function onFirstHealth(line: Line, token: string, hello: Omit<Healthy, 'first'>): void {
    clearTimer('step')
    failures = 0
    renewals = 0
    clockTries = 0
    const first = !wasHealthy
    wasHealthy = true
    setHealthy({ at: 'healthy', line, token, doubted: false })
    setTimer('check', CONNECTION_CHECK_MS, check)
    handlers.onHealthy({ ...hello, first })
  }

  function setHealthy(next: Extract<State, { at: 'healthy' }>): void {
    clearTimer('offline')
    offline = false
    lostAt = undefined
    become(next)
  }

  function onLost(loss: Loss): void {
    // Close code 1000 without an error frame: the server wants us gone. Source: wire contract 2.6.
    if (loss.kind === 'ended') return block('server/closed')
    if (loss.code === 4001 && state.at === 'healthy' && tokens.renewable) return renew(state.token)
    lose(loss)
  }

  /** The handshake was refused. Source: wire contract 2.4; ruling 16 for code 3; reliability paper 3.1 for the rest. */
  function onRefused(frame: Extract<Frame, { kind: 'error' }>): void {
    const verdict = verdictOf(frame)
    const token = state.at === 'dialing' ? state.token : undefined
    const reason = `error frame ${frame.code ?? 'without code'}`
    if (verdict.class === 'token' && tokens.renewable && token !== undefined) {
      const mayRenew = frame.code === 40 || renewals === 0
      return mayRenew ? renew(token) : block(verdict.code)
    }
    if (verdict.class === 'clock') {
      clockTries += 1
      return clockTries < CLOCK_TRIES ? lose({ kind: 'lost', code: 0, reason }) : block(verdict.code)
    }
    // A server in trouble says so in a frame as well; stopping for good would leave people offline after it recovers.
    if (verdict.class === 'server' || verdict.class === 'rate') return lose({ kind: 'lost', code: 0, reason })
    block(verdict.code)
  }

  function onLateError(frame: Extract<Frame, { kind: 'error' }>): void {
    log.warn('late-error-frame', { code: frame.code })
    if (frame.code !== 40 || state.at !== 'healthy') return
    if (tokens.renewable) renew(state.token)
    else block(verdictOf(frame).code)
  }

  /** Takes a new token: at once the first time, through the back-off when the new one is refused as well. */
  function renew(spent: string): void {
    spentToken = spent
    renewals += 1
    if (wasHealthy && lostAt === undefined) lostAt = clock.now()
    if (renewals === 1) return dial()
    failures += 1
    wait(backoffMs(failures, ids.random()))
  }

  // --- keeping it alive ------------------------------------------------------------------------------------------

  function ping(): void {
    if (state.at === 'healthy') state.line.ping(clientId)
  }

  function check(): void {
    const left = heard.monotonic + CONNECTION_CHECK_MS - clock.monotonic()
    if (left > 0) return setTimer('check', left, check)
    lose({ kind: 'lost', code: 0, reason: 'silence' })
  }

  function retrySoon(): void {
    if (state.at === 'idle' || state.at === 'blocked') return
    if (state.at === 'healthy' && !state.doubted) return
    if (state.at === 'dialing' && clock.monotonic() - state.since < FRESH_DIAL_MS) return
    wait(RECONNECT_ON_ONLINE_MS)
  }

  // --- telling others ----------------------------------------------------------------------------------------------

  function flush(): void {
    clearTimer('flush')
    if (events.length === 0) return
    const batch = events
    events = []
    handlers.onEvents(batch)
  }

  function watchOffline(): void {
    if (offline || timers.has('offline')) return
    setTimer('offline', OFFLINE_NOTICE_MS, () => {
      offline = true
      publish()
    })
  }

  const publish = (): void => handlers.onState(entity())

  function entity(): Connection {
    const healthy = state.at === 'healthy' && !state.doubted
    const connecting = state.at === 'dialing' || state.at === 'idle'
    return {
      state: healthy ? 'healthy' : connecting ? 'connecting' : 'unhealthy',
      offline,
      transport: transport.kind,
      serverRestarting: false,
      ...(state.at === 'waiting' ? { nextTryAt: state.nextTryAt } : {}),
      ...(state.at === 'blocked' ? { blocked: state.code } : {}),
      ...(lostAt === undefined ? {} : { lostAt }),
    }
  }

  return {
    start() {
      if (state.at !== 'idle') throw new AppError('session/connect-twice', { detail: CONNECT_TWICE })
      dial()
    },
    async stop() {
      const line = state.at === 'healthy' ? state.line : undefined
      if (line) state = { at: 'idle' }
      letGo()
      state = { at: 'idle' }
      for (const stop of timers.values()) stop()
      timers.clear()
      await line?.close()
    },
    reconnectNow() {
      if (state.at === 'idle' || (state.at === 'healthy' && !state.doubted)) return
      failures = 0
      renewals = 0
      clockTries = 0
      dial()
    },
    networkOffline() {
      if (state.at !== 'healthy' || state.doubted) return
      lostAt = clock.now()
      become({ ...state, doubted: true })
      watchOffline()
    },
    networkOnline: retrySoon,
    resumed() {
      if (state.at !== 'healthy') return retrySoon()
      const silence = Math.max(clock.monotonic() - heard.monotonic, clock.now() - heard.wall)
      if (silence > PING_INTERVAL_MS) wait(RECONNECT_ON_ONLINE_MS)
      else ping()
    },
    state: entity,
    malformedFrames: () => malformed,
  }
}

const verdictOf = (frame: Extract<Frame, { kind: 'error' }>): Verdict =>
  classify({
    kind: 'answer',
    status: frame.status,
    wireCode: frame.code,
    message: frame.message,
    unrecoverable: frame.unrecoverable,
  })
