import { announceMutes } from '../../users/user-routes.ts'
import { announceUserMutes } from '../../users/own-user.ts'
import { continueCampaigns } from '../../campaigns/campaigns.ts'
import { endBan } from '../../moderation/moderation.ts'
import { closePoll } from '../../polls/poll-state.ts'
import { expiredBans } from '../../moderation/ban-table.ts'
import { takeExpiredMutes, takeExpiredUserMutes } from '../../moderation/mute-table.ts'
import { duePolls } from '../../polls/poll-tables.ts'
import type { Work } from '../../work.ts'

/** Campaigns start and go on; polls, mutes and bans whose time is up end, and who they concern hears of it. See docs/wire.md 8.14 "expiry". */
export function settleEnds(work: Work): void {
  continueCampaigns(work)
  for (const userId of new Set(takeExpiredMutes(work.db, work.now))) announceMutes(work, userId)
  for (const userId of new Set(takeExpiredUserMutes(work.db, work.now))) announceUserMutes(work, userId)
  for (const poll of duePolls(work.db, work.now)) closePoll(work, poll)
  for (const ban of expiredBans(work.db, work.now)) endBan(work, ban.user_id, ban.cid)
}

/** The earliest end of a poll, a mute or a ban, or start or end of a campaign; the rest of a UNION ALL. */
export const ENDS = `UNION ALL SELECT min(expires_at) FROM channel_mutes WHERE expires_at IS NOT NULL
  UNION ALL SELECT min(expires_at) FROM user_mutes WHERE expires_at IS NOT NULL
  UNION ALL SELECT min(expires_at) FROM bans WHERE expires_at IS NOT NULL
  UNION ALL SELECT min(closes_at) FROM polls WHERE closed = 0 AND closes_at IS NOT NULL
  UNION ALL SELECT min(scheduled_for) FROM campaigns WHERE status = 'scheduled'
  UNION ALL SELECT min(started_at) FROM campaigns WHERE status = 'in_progress'`
