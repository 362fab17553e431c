import type { Stop } from '#main/lib/clock.ts'
import { guarded } from '../../http/guard.ts'
import { ENDS, settleEnds } from './expiry.ts'
import { announceMessage } from '../../messages/message-announce.ts'
import { announceReminder } from '../../reminders/reminder-routes.ts'
import { accessTo } from '../../channels/access.ts'
import { channelByCid } from '../../channels/channel-table.ts'
import { takeEndedLocations } from '../../locations/location-table.ts'
import { changeMessage, messageById } from '../../messages/message-table.ts'
import { markMissed, takeDueReminders } from '../../reminders/reminder-table.ts'
import { MS } from '../../time.ts'
import { transact, type Services, type Work } from '../../work.ts'

/** Looked at this often even when nothing is known to fall due: what was written meanwhile may be. */
const TURN_MS = 10_000

export const EXPIRED_PINS = 'SELECT id FROM messages WHERE pin_expires IS NOT NULL AND pin_expires <= ? LIMIT 100'

const NEXT_DUE = `SELECT min(at) AS at FROM (
  SELECT min(remind_at) AS at FROM reminders WHERE fired = 0 AND remind_at IS NOT NULL
  UNION ALL SELECT min(end_at) FROM locations WHERE ended = 0 AND end_at IS NOT NULL
  ${ENDS}
  UNION ALL SELECT min(pin_expires) FROM messages WHERE pin_expires IS NOT NULL)`

/** Reminders fire, live locations, pins, mutes and bans end, campaigns start, each at its time. */
export function keepTime(services: Services): Stop {
  let stop: Stop
  const turn = (): void => {
    // What could not be settled, on a full disk, is tried again with the next ordinary turn.
    let wait = TURN_MS
    guarded(services.log, 'due', () => {
      const now = Math.round(services.clock.now() * MS)
      if (nextDue(services) <= now) transact(services, settleDue)
      wait = Math.ceil((nextDue(services) - now) / MS)
    })
    stop = services.clock.after(Math.min(TURN_MS, Math.max(1, wait)), turn)
  }
  turn()
  return () => stop()
}

function nextDue({ db }: Services): number {
  return db.get<{ at: number | null }>(NEXT_DUE)?.at ?? Number.MAX_SAFE_INTEGER
}

function settleDue(work: Work): void {
  settleEnds(work)
  for (const reminder of takeDueReminders(work.db, work.now)) {
    if (work.hub.ofUser(reminder.user_id).size === 0) markMissed(work.db, reminder)
    else announceReminder(work, reminder, 'notification.reminder_due')
  }
  for (const id of takeEndedLocations(work.db, work.now)) announceChanged(work, id)
  for (const { id } of work.db.all<{ id: string }>(EXPIRED_PINS, work.now)) {
    changeMessage(work.db, id, { pinned_at: null, pinned_by: null, pin_expires: null })
    announceChanged(work, id)
  }
}

/** The server itself changed a message: told in its author's name. */
function announceChanged(work: Work, messageId: string): void {
  const row = messageById(work.db, messageId)
  const channel = row ? channelByCid(work.db, row.cid) : undefined
  if (!row || !channel || row.deleted_at !== null) return
  const who = { userId: row.user_id, role: 'user', banned: false, server: true, expiresAtMs: undefined }
  announceMessage(work, accessTo(work.db, channel, who), who, 'message.updated', row)
}
