import type { Stop } from '#main/lib/clock.ts'
import type { Db } from './db.ts'

/** What of the timer of a store can be brought forward; see `startDueTimer`. */
const timers = new WeakMap<Db, () => void>()

/** Says how the timer of this store is brought forward, until it ends. */
export function offerWaking(db: Db, wake: () => void): Stop {
  timers.set(db, wake)
  return () => void timers.delete(db)
}

/** What is due is looked at now instead of at the next regular check: something has just become due, or soon will. */
export const wakeDueTimer = (db: Db): void => timers.get(db)?.()
