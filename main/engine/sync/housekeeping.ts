import { SYNC_MAX_AGE_MS } from '#shared/constants.ts'
import type { Stores } from '#main/cache/files/open.ts'
import * as removal from '#main/cache/messages/removal.ts'
import { every, type Clock, type Stop } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'

/** Deleted text is erased from disk within this time. */
const ERASE_WITHIN_MS = 5_000
const DAY_MS = 24 * 3_600_000

export type Housekeeping = {
  /** Text was deleted permanently: the database's log, which may still contain it, is emptied soon. */
  erased(): void
  start(): void
  stop(): void
}

type Options = {
  readonly stores: Pick<Stores, 'cache' | 'checkpoint'>
  readonly clock: Clock
  /** Epoch milliseconds on the server's clock. */
  readonly serverNow: () => number
  readonly log: Logger
}

/** Maintenance of the cache: empties the log after deletions and prunes outdated tombstones. */
export function createHousekeeping({ stores, clock, serverNow, log }: Options): Housekeeping {
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
