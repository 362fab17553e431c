import { every, type Stop } from '#main/lib/clock.ts'
import { announceMutes } from './routes/users.ts'
import { accessTo } from './rules/access.ts'
import { channelByCid } from './store/tables/channels.ts'
import { EVENT_DAYS, pruneEvents } from './store/tables/events.ts'
import { changeMessage, messageById } from './store/tables/messages.ts'
import { takeExpiredMutes } from './store/tables/mutes.ts'
import { allUploadIds } from './store/tables/uploads.ts'
import { announceMessage } from './routes/messages.ts'
import { SECOND } from './time.ts'
import { transact, type Services, type Work } from './work.ts'

const TURN_MS = 30_000
const DAY = 86_400 * SECOND

/** What happens by itself: mutes and pins run out, old events leave, files without a row are removed at the start. */
export function keepHouse(services: Services): Stop {
  const swept = services.blobs.sweep(allUploadIds(services.db))
  if (swept > 0) services.log.info('uploads-swept', { files: swept })
  const turn = (): void =>
    transact(services, (work) => {
      for (const userId of new Set(takeExpiredMutes(work.db, work.now))) announceMutes(work, userId)
      unpinExpired(work)
      pruneEvents(work.db, work.now - EVENT_DAYS * DAY)
    })
  turn()
  return every(services.clock, TURN_MS, turn)
}

export const EXPIRED_PINS = 'SELECT id FROM messages WHERE pin_expires IS NOT NULL AND pin_expires <= ? LIMIT 100'

function unpinExpired(work: Work): void {
  for (const { id } of work.db.all<{ id: string }>(EXPIRED_PINS, work.now)) {
    changeMessage(work.db, id, { pinned_at: null, pinned_by: null, pin_expires: null })
    const row = messageById(work.db, id)
    const channel = row ? channelByCid(work.db, row.cid) : undefined
    if (!row || !channel) continue
    const who = { userId: row.user_id, role: 'user', banned: false, server: true, expiresAtMs: undefined }
    announceMessage(work, accessTo(work.db, channel, who), who, 'message.updated', row)
  }
}
