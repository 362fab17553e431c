import { every, type Stop } from '#main/lib/clock.ts'
import { guarded } from '../../http/guard.ts'
import { keepTime } from './due.ts'
import { EVENT_DAYS, pruneEvents } from '../event-table.ts'
import { allUploadIds } from '../../uploads/upload-table.ts'
import { SECOND } from '../../time.ts'
import { transact, type Services } from '../../work.ts'

const TURN_MS = 30_000
const DAY = 86_400 * SECOND

/** What happens by itself: mutes, reminders and pins run out, old events leave, files without a row are removed at the start. */
export function keepHouse(services: Services): Stop {
  const swept = services.blobs.sweep(allUploadIds(services.db))
  if (swept > 0) services.log.info('uploads-swept', { files: swept })
  const turn = (): void =>
    guarded(services.log, 'prune', () =>
      transact(services, (work) => {
        pruneEvents(work.db, work.now - EVENT_DAYS * DAY)
      }),
    )
  turn()
  const stopTurns = every(services.clock, TURN_MS, turn)
  const stopTime = keepTime(services)
  return () => {
    stopTurns()
    stopTime()
  }
}
