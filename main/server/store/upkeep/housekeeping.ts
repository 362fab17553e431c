import { every, type Stop } from '#main/lib/clock.ts'
import { guarded } from '../../http/guard.ts'
import { startDueTimer } from './due.ts'
import { EVENT_DAYS, pruneEvents } from '../event-table.ts'
import { allUploadIds } from '../../uploads/upload-table.ts'
import { SECOND } from '../../time.ts'
import { transact, type Services } from '../../work.ts'

const PRUNE_EVERY_MS = 30_000
const DAY = 86_400 * SECOND

/** Removes uploads without a row at the start, prunes old events, and starts the timer of due rows. */
export function startHousekeeping(services: Services): Stop {
  const swept = services.blobs.sweep(allUploadIds(services.db))
  if (swept > 0) services.log.info('uploads-swept', { files: swept })
  const prune = (): void =>
    guarded(services.log, 'prune', () =>
      transact(services, (work) => {
        pruneEvents(work.db, work.now - EVENT_DAYS * DAY)
      }),
    )
  prune()
  const stopPruning = every(services.clock, PRUNE_EVERY_MS, prune)
  const stopTimer = startDueTimer(services)
  return () => {
    stopPruning()
    stopTimer()
  }
}
