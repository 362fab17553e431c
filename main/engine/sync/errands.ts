import type { LoadingPart } from '#shared/domain/connection.ts'
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
  /** An attempt already in flight does not count: its answer may be outdated. */
  readonly isFresh?: true
  /** Slow by nature: reported only when it failed. */
  readonly isLong?: true
}

export type Begun = {
  /** Settles with the error of the first attempt, or `undefined`. */
  readonly tried: Promise<unknown>
  /** True once it succeeded; false if the server refused it for good or the connection ended first. */
  readonly done: Promise<boolean>
}

/**
 * What still has to be done on this connection. A live websocket says nothing about requests: each task is retried on
 * its own, with the back-off of the connection, until it succeeds or the connection is lost. The next connection starts
 * again.
 */
export type Errands = {
  begin(errand: Errand): Begun
  /** Retries this task now if it is pending; resolves with the error of that attempt. */
  retry(key: string): Promise<unknown> | undefined
  /** Retries everything that waits, at the user's request. */
  retryAll(): void
  /** The user is active: the same, but at a limited rate. */
  onActivity(): void
  /** The connection was lost, or the engine stops. */
  drop(): void
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

export function createErrands({ clock, random, log, isFocused, onChange, onDiskTrouble }: Options): Errands {
  const pending = new Map<string, Pending>()
  let attendedAt = Number.NEGATIVE_INFINITY
  let notified: readonly LoadingPart[] = []

  function report(): void {
    const missing = [...pending.values()].filter(({ failures, isSlow }) => failures > 0 || isSlow)
    const parts = [...new Set(missing.map(({ errand }) => errand.part))].toSorted()
    if (isSame(parts, notified)) return
    notified = parts
    onChange(parts)
  }

  function begin(errand: Errand): Begun {
    const known = pending.get(errand.key)
    const entry = known ?? enter(errand)
    entry.errand = errand
    if (entry.running && errand.isFresh) entry.isStale = true
    return { tried: entry.running ?? run(entry, true), done: entry.done }
  }

  function enter(errand: Errand): Pending {
    const { promise: done, resolve: settle } = Promise.withResolvers<boolean>()
    const entry: Pending = { errand, ...NOT_TRIED, done, settle }
    pending.set(errand.key, entry)
    return entry
  }

  function run(entry: Pending, isFirst: boolean): Promise<unknown> {
    entry.waiting?.()
    entry.waiting = undefined
    const slow = clock.after(SLOW_MS, () => {
      entry.isSlow = entry.errand.isLong !== true
      if (isHeld(entry)) report()
    })
    const running = attempt(() => entry.errand.work(isFirst)).finally(slow)
    entry.running = running.then((error) => {
      entry.running = undefined
      if (!isHeld(entry)) return error
      if (entry.isStale) {
        entry.isStale = false
        return run(entry, isFirst)
      }
      judge(entry, error)
      return error
    })
    return entry.running
  }

  function judge(entry: Pending, error: unknown): void {
    const { key } = entry.errand
    if (error === undefined) return end(entry, true)
    if (isDiskTrouble(error)) {
      end(entry, false)
      return onDiskTrouble(error)
    }
    const code = error instanceof AppError ? error.code : 'app/internal'
    const isRefused = isFinal(error)
    log.warn(isRefused ? 'refused' : 'failed', { name: key, code })
    if (isRefused) return end(entry, false)
    entry.failures += 1
    const ms = isFocused() ? focusedBackoffMs(entry.failures, random()) : backoffMs(entry.failures, random())
    entry.waiting = clock.after(ms, () => void run(entry, false))
    report()
  }

  function end(entry: Pending, isDone: boolean): void {
    pending.delete(entry.errand.key)
    entry.settle(isDone)
    if (entry.failures > 0 || entry.isSlow) report()
  }

  const isHeld = (entry: Pending): boolean => pending.get(entry.errand.key) === entry

  return {
    begin,
    retry(key) {
      const entry = pending.get(key)
      return entry && (entry.running ?? run(entry, true))
    },
    retryAll() {
      for (const entry of pending.values()) if (entry.waiting) void run(entry, false)
    },
    onActivity() {
      const now = clock.monotonic()
      if (now - attendedAt < ATTENDED_EVERY_MS) return
      attendedAt = now
      for (const entry of pending.values()) if (entry.waiting) void run(entry, false)
    },
    drop() {
      const all = [...pending.values()]
      pending.clear()
      for (const { waiting, settle } of all) {
        waiting?.()
        settle(false)
      }
      if (all.length > 0) report()
    },
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
