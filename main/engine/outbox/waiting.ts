import type { Intent } from '#shared/domain/intent.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as messages from '#main/cache/messages/messages.ts'
import * as pages from '#main/cache/messages/pages.ts'
import { DISK_RETRY_MS } from '#main/lib/disk-error.ts'
import type { Core } from '../core.ts'
import type { Outbox } from './outbox.ts'

/** Pause before an intent is tried again for which a quick attempt will not help; also the longest after a restart. */
export const SLOW_RETRY_MS = 10_000

type Delay = {
  /** Monotonic time before which the intent is not tried. */
  readonly at: number
  /** A new connection ends the wait early. */
  readonly lifts: boolean
}

/** When each failed intent is tried again, and for how long it was tried while online. */
export class Retries {
  readonly #clock: Pick<Clock, 'monotonic' | 'now'>
  readonly #delays = new Map<string, Delay>()
  /** Time online since the start. */
  readonly #online: Stopwatch
  /** Reading of {@link #online} up to which the attempts of an intent are counted. */
  readonly #countedUntil = new Map<string, number>()

  constructor(clock: Pick<Clock, 'monotonic' | 'now'>, intents: readonly Intent[]) {
    this.#clock = clock
    this.#online = new Stopwatch(clock)
    for (const { id, state, nextAt } of intents) {
      if (state === 'waiting') this.delay(id, Math.min(Math.max(0, nextAt - clock.now()), SLOW_RETRY_MS), true)
    }
  }

  connected(): void {
    this.#online.start()
    this.liftAll()
  }

  disconnected(): void {
    this.#online.stop()
  }

  /** Milliseconds until this intent may be tried; not positive if it may be tried now. */
  dueIn(id: string): number {
    const delay = this.#delays.get(id)
    return delay === undefined ? 0 : delay.at - this.#clock.monotonic()
  }

  delay(id: string, ms: number, lifts: boolean): void {
    this.#delays.set(id, { at: this.#clock.monotonic() + ms, lifts })
  }

  lift(id: string): void {
    this.#delays.delete(id)
  }

  liftAll(): void {
    for (const [id, { lifts }] of this.#delays) if (lifts) this.#delays.delete(id)
  }

  /** An attempt begins: time online counts from here, or from the first attempt. */
  started(id: string): void {
    if (!this.#countedUntil.has(id)) this.#countedUntil.set(id, this.#online.readMs())
  }

  /** How long this intent was tried while online. Stored with its reason, so that restarts do not reset it. */
  onlineMs({ id, reason }: Intent): number {
    const until = this.#online.readMs()
    const since = this.#countedUntil.get(id) ?? until
    this.#countedUntil.set(id, until)
    return Number(reason?.params?.['onlineMs'] ?? 0) + until - since
  }

  /** The intent was acknowledged or parked. */
  ended(id: string): void {
    this.#delays.delete(id)
    this.#countedUntil.delete(id)
  }
}

class Stopwatch {
  readonly #clock: Pick<Clock, 'monotonic'>
  #before = 0
  #since: number | undefined

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  readMs(): number {
    return this.#before + (this.#since === undefined ? 0 : this.#clock.monotonic() - this.#since)
  }

  start(): void {
    this.#since ??= this.#clock.monotonic()
  }

  stop(): void {
    this.#before = this.readMs()
    this.#since = undefined
  }
}

/**
 * Stops the queue after the server rejected the account (its token or its rights). Usually the user has to do something,
 * but a single proxy or server may have rejected it by mistake, so one request is sent from time to time as a probe; the
 * first accepted request ends the hold.
 */
export type Hold = {
  /** How many requests may be sent: all, one probe, or none. */
  allowance(): 'all' | 'one' | 'none'
  /** A request was rejected. Further rejections of requests sent before the hold began do not lengthen it. */
  refused(): void
  /** A request was accepted. Returns whether there was a hold. */
  accepted(): boolean
  /** Allows a probe immediately, at the user's request. */
  probeNow(): void
  stop(): void
}

const FIRST_PROBE_MS = 1_000
/** After long failure more frequent probes would only add load. */
const LONGEST_PROBE_MS = 300_000

export function createHold(clock: Pick<Clock, 'after'>, random: () => number, onProbe: () => void): Hold {
  let refusals = 0
  let mayProbe = true
  let planned: Stop | undefined

  function probeNow(): void {
    planned?.()
    planned = undefined
    mayProbe = true
  }

  return {
    allowance: () => (refusals === 0 ? 'all' : mayProbe ? 'one' : 'none'),
    refused() {
      if (!mayProbe) return
      refusals += 1
      mayProbe = false
      const ms = Math.min(FIRST_PROBE_MS * 2 ** (refusals - 1), LONGEST_PROBE_MS)
      planned = clock.after(ms * (1 + random() / 4), () => {
        probeNow()
        onProbe()
      })
    },
    accepted() {
      const wasOn = refusals > 0
      refusals = 0
      probeNow()
      return wasOn
    },
    probeNow,
    stop: () => planned?.(),
  }
}

/** Timers stop while the device sleeps, and clocks can be changed: the chosen time is checked at least this often. */
const CHECK_EVERY_MS = 30_000

type ScheduleOptions = {
  readonly outbox: Pick<Outbox, 'all'>
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly log: Logger
  /** Queues a due intent. May throw when the disk refuses the write: then it is tried again. */
  readonly release: (intent: Intent) => void
  /** The timer has run out: check again for due intents. */
  readonly onDue: () => void
}

export type Schedule = {
  /** Releases what is due, in the order of the chosen times, and schedules the next check. */
  releaseDue(): void
  stop(): void
}

/**
 * Waits for the times that the user chose, online or not. What became due while the app was not running is due at
 * once.
 */
export function createSchedule({ outbox, clock, log, release, onDue }: ScheduleOptions): Schedule {
  let stopTimer: Stop | undefined
  const plan = (ms: number): void => void (stopTimer = clock.after(ms, onDue))

  function releaseDue(): void {
    stopTimer?.()
    stopTimer = undefined
    const now = clock.now()
    const scheduled = outbox
      .all()
      .filter((intent) => intent.state === 'scheduled')
      .toSorted((a, b) => a.nextAt - b.nextAt)
    try {
      for (const intent of scheduled) if (intent.nextAt <= now) release(intent)
    } catch (error) {
      log.error('unreleased', { error: error instanceof Error ? error.message : 'unknown' })
      return plan(DISK_RETRY_MS)
    }
    const next = scheduled.find((intent) => intent.nextAt > now)
    if (next) plan(Math.min(next.nextAt - now, CHECK_EVERY_MS))
  }

  return { releaseDue, stop: () => stopTimer?.() }
}

/** How many of the newest messages are searched for one of the viewer's. */
const SEARCHED_MESSAGES = 50
/** Allowance for clock skew and latency: a request that is slightly too early costs a whole round trip. */
const COOLDOWN_MARGIN_MS = 250
const SHORTEST_COOLDOWN_MS = 1_000

/** Milliseconds left of the channel's slow mode after the viewer's newest message there. See docs/wire.md 7.11. */
export function cooldownMs(core: Pick<Core, 'cache' | 'me' | 'serverNow'>, { cid }: Intent): number | undefined {
  const reader = core.cache.reader
  const seconds = channels.byCid(reader, cid)?.cooldown ?? 0
  if (seconds === 0) return undefined
  const newest = pages.newest(reader, `timeline:${cid}`, SEARCHED_MESSAGES)
  const own = newest.findLast(({ id }) => messages.byId(reader, id)?.userId === core.me)
  const passed = own === undefined ? 0 : core.serverNow() - own.createdAt
  return Math.max(SHORTEST_COOLDOWN_MS, Math.min(seconds * 1_000, seconds * 1_000 - passed) + COOLDOWN_MARGIN_MS)
}
