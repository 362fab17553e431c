import type { LoadingPart } from '#shared/domain/session.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { isSame } from '#shared/lib/same.ts'
import { backoffMs, focusedBackoffMs } from '#shared/rules/server/retry.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import { isDiskTrouble } from '#main/lib/disk-error.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { Logger } from '#main/lib/logger.ts'
import { ApiError } from '../api/errors.ts'

/** A slower attempt is reported: the user misses its data on the screen. */
const SLOW_MS = 3_000
/** User input triggers early attempts at most this often. */
const ATTENDED_EVERY_MS = 3_000

/** Something that has to be fetched (or sent) once on each connection. */
type Errand = {
  /** One task per key: beginning it again while it waits replaces the work and runs it at once. */
  readonly key: string
  readonly part: LoadingPart
  /** `isFirst`: the first attempt, which someone may be waiting for; later ones are automatic retries. */
  readonly work: (isFirst: boolean) => Promise<unknown>
  /** An attempt already in flight does not count: its response may be outdated. */
  readonly isFresh?: true
  /** Slow by nature: reported only when it failed. */
  readonly isLong?: true
}

export type Begun = {
  /** Settles with the error of the first attempt, or `undefined`. */
  readonly tried: Promise<unknown>
  /** True once it succeeded; false if the server refused it permanently or the connection ended first. */
  readonly done: Promise<boolean>
}

type Options = {
  readonly clock: Clock
  readonly random: Ids['random']
  readonly log: Logger
  readonly isFocused: () => boolean
  /** Parts that are still missing on the screen; called at every change. */
  readonly onChange: (missing: readonly LoadingPart[]) => void
  /** A retry cannot repair a write that the disk refused: the whole recovery is run again. */
  readonly onDiskTrouble: (error: AppError) => void
}

type Pending = {
  errand: Errand
  failures: number
  isStale: boolean
  isSlow: boolean
  waiting: Stop | undefined
  running: Promise<unknown> | undefined
  readonly done: Promise<boolean>
  readonly settle: (isDone: boolean) => void
}

const NOT_TRIED = { failures: 0, isStale: false, isSlow: false, waiting: undefined, running: undefined } as const

/**
 * What still has to be done on this connection. A live websocket says nothing about requests: each task is retried on
 * its own, with the back-off of the connection, until it succeeds or the connection is lost. The next connection starts
 * again.
 */
export class Errands {
  readonly #options: Options
  readonly #pending = new Map<string, Pending>()
  #attendedAt = Number.NEGATIVE_INFINITY
  #notified: readonly LoadingPart[] = []

  constructor(options: Options) {
    this.#options = options
  }

  begin(errand: Errand): Begun {
    const known = this.#pending.get(errand.key)
    const entry = known ?? this.#enter(errand)
    entry.errand = errand
    if (entry.running && errand.isFresh) entry.isStale = true
    return { tried: entry.running ?? this.#run(entry, true), done: entry.done }
  }

  /** Retries this task now if it is pending; resolves with the error of that attempt. */
  retry(key: string): Promise<unknown> | undefined {
    const entry = this.#pending.get(key)
    return entry && (entry.running ?? this.#run(entry, true))
  }

  /** Retries everything that waits, at the user's request. */
  retryAll(): void {
    for (const entry of this.#pending.values()) if (entry.waiting) void this.#run(entry, false)
  }

  /** The user is active: the same, but at a limited rate. */
  onActivity(): void {
    const now = this.#options.clock.monotonic()
    if (now - this.#attendedAt < ATTENDED_EVERY_MS) return
    this.#attendedAt = now
    for (const entry of this.#pending.values()) if (entry.waiting) void this.#run(entry, false)
  }

  /** The connection was lost, or the engine stops. */
  drop(): void {
    const all = [...this.#pending.values()]
    this.#pending.clear()
    for (const { waiting, settle } of all) {
      waiting?.()
      settle(false)
    }
    if (all.length > 0) this.#report()
  }

  #report(): void {
    const missing = [...this.#pending.values()].filter(({ failures, isSlow }) => failures > 0 || isSlow)
    const parts = [...new Set(missing.map(({ errand }) => errand.part))].toSorted()
    if (isSame(parts, this.#notified)) return
    this.#notified = parts
    this.#options.onChange(parts)
  }

  #enter(errand: Errand): Pending {
    const { promise: done, resolve: settle } = Promise.withResolvers<boolean>()
    const entry: Pending = { errand, ...NOT_TRIED, done, settle }
    this.#pending.set(errand.key, entry)
    return entry
  }

  #run(entry: Pending, isFirst: boolean): Promise<unknown> {
    entry.waiting?.()
    entry.waiting = undefined
    const slow = this.#options.clock.after(SLOW_MS, () => {
      entry.isSlow = entry.errand.isLong !== true
      if (this.#isHeld(entry)) this.#report()
    })
    const running = attempt(() => entry.errand.work(isFirst)).finally(slow)
    entry.running = running.then((error) => {
      entry.running = undefined
      if (!this.#isHeld(entry)) return error
      if (entry.isStale) {
        entry.isStale = false
        return this.#run(entry, isFirst)
      }
      this.#judge(entry, error)
      return error
    })
    return entry.running
  }

  #judge(entry: Pending, error: unknown): void {
    const { key } = entry.errand
    if (error === undefined) return this.#end(entry, true)
    if (isDiskTrouble(error)) {
      this.#end(entry, false)
      return this.#options.onDiskTrouble(error)
    }
    const code = error instanceof AppError ? error.code : 'app/internal'
    const isRefused = isFinal(error)
    this.#options.log.warn(isRefused ? 'refused' : 'failed', { name: key, code })
    if (isRefused) return this.#end(entry, false)
    entry.failures += 1
    const ms = this.#options.isFocused()
      ? focusedBackoffMs(entry.failures, this.#options.random())
      : backoffMs(entry.failures, this.#options.random())
    entry.waiting = this.#options.clock.after(ms, () => void this.#run(entry, false))
    this.#report()
  }

  #end(entry: Pending, isDone: boolean): void {
    this.#pending.delete(entry.errand.key)
    entry.settle(isDone)
    if (entry.failures > 0 || entry.isSlow) this.#report()
  }

  #isHeld(entry: Pending): boolean {
    return this.#pending.get(entry.errand.key) === entry
  }
}

/** The error of the work; `undefined` if it succeeded. */
async function attempt(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error ?? new AppError('app/internal')
  }
}

/**
 * The server understood the request and refused it, or the target does not exist. A response that a proxy, a captive
 * portal or an overloaded server may have sent is not final.
 */
function isFinal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof AppError && error.code === 'message/gone'
  return error.wireCode !== undefined && ['invalid', 'forbidden', 'gone', 'exists'].includes(error.class)
}
