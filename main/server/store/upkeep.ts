import { type Stop, every } from '#main/lib/clock.ts'
import { guarded } from '../http/refusal.ts'
import { announceMessage } from '../messages/message-announce.ts'
import { announceReminder } from '../reminders/reminder-routes.ts'
import { accessTo } from '../channels/access.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { takeEndedLocations } from '../locations/location-table.ts'
import { changeMessage, messageById } from '../messages/message-table.ts'
import { markMissed, takeDueReminders } from '../reminders/reminder-table.ts'
import { MS, SECOND, offerWaking } from './time.ts'
import { transact, type Services, type Work } from '../work.ts'
import { announceMutes } from '../users/user-routes.ts'
import { announceUserMutes } from '../users/encode-users.ts'
import { continueCampaigns, continueRemovals } from '../campaigns/campaigns.ts'
import { logAction, pruneActions } from '../moderation/log/log-table.ts'
import { endBan } from '../moderation/moderation.ts'
import { closePoll } from '../polls/poll-votes.ts'
import { expiredBans, takeExpiredMutes, takeExpiredUserMutes } from '../moderation/restriction-tables.ts'
import { duePolls } from '../polls/poll-tables.ts'
import { hurry, pruneCalls } from '../integrations/integration-table.ts'
import { sendDue } from '../integrations/outgoing.ts'
import { allUploadIds } from '../uploads/upload-files.ts'
import { EVENT_DAYS, pruneEvents } from './event-table.ts'

/** Checked at least this often, since rows written meanwhile may be due earlier. */
const CHECK_MS = 10_000

export const EXPIRED_PINS = 'SELECT id FROM messages WHERE pin_expires IS NOT NULL AND pin_expires <= ? LIMIT 100'

/** The earliest time at which {@link settleDue} has something to do. */
const NEXT_DUE = `SELECT min(at) AS at FROM (
  SELECT min(remind_at) AS at FROM reminders WHERE fired = 0 AND remind_at IS NOT NULL
  UNION ALL SELECT min(end_at) FROM locations WHERE ended = 0 AND end_at IS NOT NULL
  UNION ALL SELECT min(expires_at) FROM channel_mutes WHERE expires_at IS NOT NULL
  UNION ALL SELECT min(expires_at) FROM user_mutes WHERE expires_at IS NOT NULL
  UNION ALL SELECT min(expires_at) FROM bans WHERE expires_at IS NOT NULL
  UNION ALL SELECT min(closes_at) FROM polls WHERE closed = 0 AND closes_at IS NOT NULL
  UNION ALL SELECT min(scheduled_for) FROM campaigns WHERE status = 'scheduled'
  UNION ALL SELECT min(started_at) FROM campaigns WHERE status = 'in_progress'
  UNION ALL SELECT min(started_at) FROM campaigns WHERE gathering > ''
  UNION ALL SELECT min(removed_at) FROM campaigns WHERE removed_at IS NOT NULL
  UNION ALL SELECT min(removed_at) FROM segments WHERE removed_at IS NOT NULL
  UNION ALL SELECT min(next_at) FROM integrations WHERE revoked_at IS NULL AND paused = 0
  UNION ALL SELECT min(pin_expires) FROM messages WHERE pin_expires IS NOT NULL)`

/** Fires reminders, ends live locations, pins, mutes and bans, starts campaigns and calls programs, each at its time. */
export function startDueTimer(services: Services): Stop {
  let stop: Stop = () => undefined
  const turn = (): void => {
    // After an error, for example on a full disk, the next regular check tries again.
    let wait = CHECK_MS
    guarded(services.log, 'due', () => {
      const now = Math.round(services.clock.now() * MS)
      if (nextDue(services) <= now) transact(services, settleDue)
      wait = Math.ceil((nextDue(services) - now) / MS)
    })
    // A step of this turn may have brought the next one forward: there is only one timer.
    stop()
    stop = services.clock.after(Math.min(CHECK_MS, Math.max(1, wait)), turn)
  }
  turn()
  const endWaking = offerWaking(services.db, () => {
    stop()
    stop = services.clock.after(1, turn)
  })
  return () => {
    endWaking()
    stop()
  }
}

function nextDue({ db }: Services): number {
  return db.get<{ at: number | null }>(NEXT_DUE)?.at ?? Number.MAX_SAFE_INTEGER
}

function settleDue(work: Work): void {
  sendDue(work)
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

/** Announces a change of a message by the server itself, in its author's name. */
function announceChanged(work: Work, messageId: string): void {
  const row = messageById(work.db, messageId)
  const channel = row ? channelByCid(work.db, row.cid) : undefined
  if (!row || !channel || row.deleted_at !== null) return
  const who = { userId: row.user_id, role: 'user', banned: false, server: true, expiresAtMs: undefined }
  announceMessage(work, accessTo(work.db, channel, who), who, 'message.updated', row)
}

/** Starts, continues and removes campaigns, and ends polls, mutes and bans that expired. See docs/wire.md 8.14 "expiry". */
function settleEnds(work: Work): void {
  continueCampaigns(work)
  continueRemovals(work)
  for (const userId of new Set(takeExpiredMutes(work.db, work.now))) announceMutes(work, userId)
  for (const userId of new Set(takeExpiredUserMutes(work.db, work.now))) announceUserMutes(work, userId)
  for (const poll of duePolls(work.db, work.now)) closePoll(work, poll)
  for (const { user_id: targetId, cid } of expiredBans(work.db, work.now)) {
    endBan(work, targetId, cid)
    logAction(work, undefined, { action: 'user.ban_ended', targetId, cid: cid || undefined })
  }
}

const PRUNE_EVERY_MS = 30_000
const DAY = 86_400 * SECOND

/** Removes uploads without a row at the start, prunes old events and logged actions, and starts the timer of due rows. */
export function startHousekeeping(services: Services): Stop {
  const swept = services.blobs.sweep(allUploadIds(services.db))
  if (swept > 0) services.log.info('uploads-swept', { files: swept })
  const prune = (): void =>
    guarded(services.log, 'prune', () =>
      transact(services, (work) => {
        pruneEvents(work.db, work.now - EVENT_DAYS * DAY)
        pruneActions(work.db, work.now)
        pruneCalls(work.db, work.now)
      }),
    )
  prune()
  guarded(services.log, 'hurry', () => transact(services, (work) => hurry(work.db, work.now)))
  const stopPruning = every(services.clock, PRUNE_EVERY_MS, prune)
  const stopTimer = startDueTimer(services)
  return () => {
    stopPruning()
    stopTimer()
  }
}
