import type { Settings } from '#shared/domain/settings.ts'
import { SYNC_MAX_AGE_MS } from '#shared/constants.ts'
import * as docs from '#main/cache/search/docs.ts'
import { searchableOf } from '#main/cache/search/query.ts'
import * as retention from '#main/cache/messages/retention.ts'
import { LOG_LIMIT_BYTES } from '#main/cache/files/database-file.ts'
import type { Stores } from '#main/cache/files/open.ts'
import type { CacheWorker } from '#main/cache/worker.ts'
import { type Clock, type Stop, every } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import * as removal from '#main/cache/messages/removal.ts'

/**
 * Background maintenance of the cache: indexes new text, removes deleted text from the index, prunes old messages and
 * empties the log. Runs in steps of a few milliseconds with pauses, so that nothing on a screen waits for it.
 */
export type Upkeep = {
  start(): void
  /** Something was written. */
  committed(): void
  /** Settings for storage may have changed. */
  settingsChanged(): void
  stop(): void
}

type Options = {
  readonly stores: Pick<Stores, 'cache' | 'checkpoint'>
  readonly worker: Pick<CacheWorker, 'checkpoint'>
  readonly clock: Clock
  /** Epoch milliseconds on the server's clock. */
  readonly serverNow: () => number
  readonly settings: () => Pick<Settings, 'keepMessagesDays' | 'cacheBudgetMb'>
  /** Channels on a screen: their messages are not pruned. */
  readonly onScreen: () => ReadonlySet<string>
  readonly log: Logger
}

/** Half a frame. */
const STEP_MS = 8
const DOCS_A_STEP = 100
const MESSAGES_A_STEP = 50
const PAGES_A_STEP = 100
/** Text of a burst is indexed only after it; meanwhile search reads it directly. */
const DELAY_MS = 500
const BETWEEN_MS = 40
/** The log is emptied after this time without writes. */
const CHECKPOINT_IDLE_MS = 5_000
const DAY_MS = 24 * 3_600_000
const MB = 1_000_000

type Job = () => boolean

export function createUpkeep(options: Options): Upkeep {
  const { stores, clock } = options
  let planned: Stop | undefined
  let mayPrune = true
  let nextDay = clock.monotonic() + DAY_MS

  function plan(ms: number): void {
    planned ??= clock.after(ms, () => {
      planned = undefined
      if (runNext()) plan(BETWEEN_MS)
    })
  }

  /** Runs the first job that has something to do; returns whether there may be more. */
  function runNext(): boolean {
    if (clock.monotonic() >= nextDay) {
      mayPrune = true
      nextDay = clock.monotonic() + DAY_MS
    }
    try {
      return jobs.some((job) => job())
    } catch (error) {
      // A full disk is reported by the next write that matters; this job is retried after the next commit.
      options.log.warn('upkeep', { error: error instanceof Error ? error.message : 'unknown' })
      return false
    }
  }

  const indexing: Job = () => {
    const until = clock.monotonic() + STEP_MS
    const step = { limit: DOCS_A_STEP, enough: () => clock.monotonic() >= until, read }
    return stores.cache.transaction((tx) => docs.step(tx, step))
  }
  const read = (id: string) => searchableOf(stores.cache.reader, id)

  const pruning: Job = () => {
    if (!mayPrune) return false
    const before = limitOf(options)
    const count =
      before === undefined
        ? 0
        : stores.cache.transaction((tx) => retention.forgetBefore(tx, before, MESSAGES_A_STEP, options.onScreen()))
    if (count > 0) return true
    mayPrune = retention.giveBack(stores.cache.reader, PAGES_A_STEP)
    return mayPrune
  }

  const jobs: readonly Job[] = [indexing, pruning]

  const log = logKeeper(options, () => planned !== undefined)

  return {
    start() {
      stores.cache.transaction(docs.checkVersion)
      plan(DELAY_MS)
      log.empty()
    },
    committed() {
      log.move()
      plan(DELAY_MS)
      log.empty()
    },
    settingsChanged() {
      mayPrune = true
      plan(DELAY_MS)
    },
    stop() {
      planned?.()
      log.stop()
    },
  }
}

/** How often the size of the log is looked at, at most. */
const LOOK_MS = 50

type LogKeeper = {
  /** Moves what has gathered in the log into the database, if it is much. */
  move(): void
  /** Empties it after a while without writes. */
  empty(): void
  stop(): void
}

/**
 * Moving a log of a few megabytes waits for the disk, tenths of a second on a slow one. SQLite has the commit wait that
 * makes the log too long; here another thread does, each time the log has grown by so much.
 *
 * @param isBusy other upkeep is planned, and will write
 */
function logKeeper({ stores, worker, clock }: Options, isBusy: () => boolean): LogKeeper {
  let isMoving = false
  let nextLook = 0
  let movedTo = 0
  let timer: Stop | undefined

  async function moved(): Promise<void> {
    isMoving = true
    try {
      await worker.checkpoint()
    } catch {
      // The worker has logged it. It is tried again when the log has grown, and a limit of SQLite's own remains.
    } finally {
      isMoving = false
    }
  }

  function empty(): void {
    timer?.()
    timer = clock.after(CHECKPOINT_IDLE_MS, () => {
      timer = undefined
      // The database is being read: try again after the next quiet period.
      if (isBusy() || !stores.checkpoint()) empty()
    })
  }

  return {
    move() {
      if (isMoving || clock.monotonic() < nextLook) return
      nextLook = clock.monotonic() + LOOK_MS
      const bytes = stores.cache.logBytes()
      // It began anew: what was moved before is no longer in it.
      if (bytes < movedTo) movedTo = 0
      if (bytes - movedTo <= LOG_LIMIT_BYTES) return
      movedTo = bytes
      void moved()
    },
    empty,
    stop: () => timer?.(),
  }
}

/** The time before which messages are pruned, by age or by size, whichever is later. */
function limitOf({ settings, serverNow, stores }: Options): number | undefined {
  const { keepMessagesDays, cacheBudgetMb } = settings()
  const byAge = keepMessagesDays === 0 ? undefined : serverNow() - keepMessagesDays * DAY_MS
  const bySize = cacheBudgetMb === 0 ? undefined : retention.timeForBudget(stores.cache.reader, cacheBudgetMb * MB)
  if (byAge === undefined || bySize === undefined) return byAge ?? bySize
  return Math.max(byAge, bySize)
}

/** Deleted text is erased from disk within this time. */
const ERASE_WITHIN_MS = 5_000

export type Housekeeping = {
  /** Text was deleted permanently: the database's log, which may still contain it, is emptied soon. */
  erased(): void
  start(): void
  stop(): void
}

type HousekeepingOptions = {
  readonly stores: Pick<Stores, 'cache' | 'checkpoint'>
  readonly clock: Clock
  /** Epoch milliseconds on the server's clock. */
  readonly serverNow: () => number
  readonly log: Logger
}

/** Maintenance of the cache: empties the log after deletions and prunes outdated tombstones. */
export function createHousekeeping({ stores, clock, serverNow, log }: HousekeepingOptions): Housekeeping {
  let planned: Stop | undefined
  let daily: Stop | undefined

  /** A failure here is only logged: a full disk is reported by the next write that matters. */
  function attempt(what: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      log.warn(what, { error: error instanceof Error ? error.message : 'unknown' })
    }
  }

  /** Events older than the longest synchronization are never replayed. */
  const prune = (): void =>
    attempt('prune', () => stores.cache.transaction((tx) => removal.pruneTombstones(tx, serverNow() - SYNC_MAX_AGE_MS)))

  return {
    erased() {
      planned ??= clock.after(ERASE_WITHIN_MS, () => {
        planned = undefined
        attempt('checkpoint', () => stores.checkpoint())
      })
    },
    start() {
      prune()
      daily = every(clock, DAY_MS, prune)
    },
    stop() {
      planned?.()
      daily?.()
    },
  }
}
