import type { LoadingPart } from '#shared/domain/connection.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { isSame } from '#shared/lib/same.ts'
import { backoffMs, soonMs } from '#shared/rules/server/retry.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import { isDiskTrouble } from '#main/lib/disk-error.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { Logger } from '#main/lib/logger.ts'
import { ApiError } from '../api/errors.ts'

/** A try that takes longer is worth a word: what it brings is missing on the screen. */
const SLOW_MS = 3_000
/** Keys and presses bring tries forward no more often than this. */
const ATTENDED_EVERY_MS = 3_000

/** Something that has to be fetched (or told) once on each connection. */
type Errand = {
  /** One of a name at a time: beginning it again while it waits takes the newer work and does it at once. */
  readonly key: string
  readonly part: LoadingPart
  /** `isFirst`: someone waits for this try; those after it come by themselves. */
  readonly work: (isFirst: boolean) => Promise<unknown>
  /** A try of the same name that is under way does not count: it may have been answered before. */
  readonly isFresh?: true
  /** Takes long by its nature: worth a word only when it failed. */
  readonly isLong?: true
}

export type Begun = {
  /** The first try is over; the error it ended with. */
  readonly tried: Promise<unknown>
  /** True once it is done; false when the server refused it for good, or the connection ended before. */
  readonly done: Promise<boolean>
}

/**
 * What this connection still owes. A line that lives says nothing about requests: each errand is done again, for itself,
 * with the back-off of a connection, until it is done or the line is lost. Then the next connection begins again.
 */
export type Errands = {
  begin(errand: Errand): Begun
  /** Tries this one now, if it is owed; resolves with the error of that try. */
  retry(key: string): Promise<unknown> | undefined
  /** Someone asks for it: what was put off is tried now. */
  hurry(): void
  /** Someone is there: the same, not at every key. */
  attended(): void
  /** The line is lost, or the engine stops. */
  drop(): void
}

type Options = {
  readonly clock: Clock
  readonly random: Ids['random']
  readonly log: Logger
  readonly isLookedAt: () => boolean
  /** What is still missing on the screen, for the chip: at every change of it. */
  readonly onChange: (owed: readonly LoadingPart[]) => void
  /** What the disk refuses is not made good by the next try: all of it is done again, from the start. */
  readonly onDiskTrouble: (error: AppError) => void
}

type Owed = {
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

export function createErrands({ clock, random, log, isLookedAt, onChange, onDiskTrouble }: Options): Errands {
  const held = new Map<string, Owed>()
  let attendedAt = Number.NEGATIVE_INFINITY
  let notified: readonly LoadingPart[] = []

  function report(): void {
    const missing = [...held.values()].filter(({ failures, isSlow }) => failures > 0 || isSlow)
    const parts = [...new Set(missing.map(({ errand }) => errand.part))].toSorted()
    if (isSame(parts, notified)) return
    notified = parts
    onChange(parts)
  }

  function begin(errand: Errand): Begun {
    const known = held.get(errand.key)
    const owed = known ?? enter(errand)
    owed.errand = errand
    if (owed.running && errand.isFresh) owed.isStale = true
    return { tried: owed.running ?? run(owed, true), done: owed.done }
  }

  function enter(errand: Errand): Owed {
    const { promise: done, resolve: settle } = Promise.withResolvers<boolean>()
    const owed: Owed = { errand, ...NOT_TRIED, done, settle }
    held.set(errand.key, owed)
    return owed
  }

  function run(owed: Owed, isFirst: boolean): Promise<unknown> {
    owed.waiting?.()
    owed.waiting = undefined
    const slow = clock.after(SLOW_MS, () => {
      owed.isSlow = owed.errand.isLong !== true
      if (isHeld(owed)) report()
    })
    const running = attempt(() => owed.errand.work(isFirst)).finally(slow)
    owed.running = running.then((error) => {
      owed.running = undefined
      if (!isHeld(owed)) return error
      if (owed.isStale) {
        owed.isStale = false
        return run(owed, isFirst)
      }
      judge(owed, error)
      return error
    })
    return owed.running
  }

  function judge(owed: Owed, error: unknown): void {
    const { key } = owed.errand
    if (error === undefined) return end(owed, true)
    if (isDiskTrouble(error)) {
      end(owed, false)
      return onDiskTrouble(error)
    }
    const code = error instanceof AppError ? error.code : 'app/internal'
    const isRefused = isFinal(error)
    log.warn(isRefused ? 'refused' : 'failed', { name: key, code })
    if (isRefused) return end(owed, false)
    owed.failures += 1
    const ms = isLookedAt() ? soonMs(owed.failures, random()) : backoffMs(owed.failures, random())
    owed.waiting = clock.after(ms, () => void run(owed, false))
    report()
  }

  function end(owed: Owed, isDone: boolean): void {
    held.delete(owed.errand.key)
    owed.settle(isDone)
    if (owed.failures > 0 || owed.isSlow) report()
  }

  const isHeld = (owed: Owed): boolean => held.get(owed.errand.key) === owed

  return {
    begin,
    retry(key) {
      const owed = held.get(key)
      return owed && (owed.running ?? run(owed, true))
    },
    hurry() {
      for (const owed of held.values()) if (owed.waiting) void run(owed, false)
    },
    attended() {
      const now = clock.monotonic()
      if (now - attendedAt < ATTENDED_EVERY_MS) return
      attendedAt = now
      for (const owed of held.values()) if (owed.waiting) void run(owed, false)
    },
    drop() {
      const all = [...held.values()]
      held.clear()
      for (const { waiting, settle } of all) {
        waiting?.()
        settle(false)
      }
      if (all.length > 0) report()
    },
  }
}

/** The error it ended with; `undefined` when it ended well. */
async function attempt(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error ?? new AppError('app/internal')
  }
}

/**
 * The server itself understood the question and says no, or what was asked for does not exist. Anything that a proxy, a
 * page of a network or a server in trouble may have answered is no such word.
 */
function isFinal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof AppError && error.code === 'message/gone'
  return error.wireCode !== undefined && ['invalid', 'forbidden', 'gone', 'exists'].includes(error.class)
}
