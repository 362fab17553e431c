import type { WireOwnUser } from '#shared/wire/objects.ts'
import { encodeChannel, muteTimes } from '../channels/encode-channels.ts'
import { flagsIn } from '../channels/channel-types.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { unreadTotals } from '../channels/member-table.ts'
import { channelMutesOf, userMutesOf, type ChannelMuteRow } from '../moderation/mute-table.ts'
import { threadTotals } from '../threads/thread-table.ts'
import { refuse } from '../http/refusal.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import { encodeOwnUser } from './encode-users.ts'
import { blocksOf, devicesOf, pushPreference, userById } from './user-table.ts'
import { encodeDevice } from './devices.ts'

/** The data of a client's own user. See docs/wire.md 5.3. */
export function ownUser(work: Work, userId: string): WireOwnUser {
  const row = userById(work.db, userId)
  if (!row) return refuse('doesNotExist', `Can't find user with id ${userId}`)
  const totals = unreadTotals(work.db, userId)
  const preference = pushPreference(work.db, userId, '')
  const shown = row.image === null ? row : { ...row, image: work.people.fresh(row.image) }
  return encodeOwnUser(shown, work.isOnline, {
    ...mutesAndBlocksOf(work, userId),
    devices: devicesOf(work.db, userId).map(encodeDevice),
    pushPreferences: preference === undefined ? undefined : (JSON.parse(preference) as object),
    total: totals.total,
    channels: totals.channels,
    threads: threadTotals(work.db, userId).unread_threads,
  })
}

/** The mutes and blocks of a user. */
export function mutesAndBlocksOf(
  work: Work,
  userId: string,
): Pick<WireOwnUser, 'mutes' | 'channel_mutes' | 'blocked_user_ids'> {
  const user = work.people(userId)
  return {
    mutes: userMutesOf(work.db, userId).map((mute) => ({
      user,
      target: work.people(mute.target_id),
      ...muteTimes(mute),
    })),
    channel_mutes: channelMutesOf(work.db, userId).flatMap((mute) => encodeChannelMute(work, mute) ?? []),
    blocked_user_ids: blocksOf(work.db, userId).map((block) => block.blocked_id),
  }
}

/** The unread counters of a user in the form that events carry. See docs/wire.md 4.1 "CNT" and "THR". */
export function unreadCounters(work: Work, userId: string) {
  const { total, channels } = unreadTotals(work.db, userId)
  return {
    total_unread_count: total,
    unread_count: total,
    unread_channels: channels,
    ...threadTotals(work.db, userId),
  }
}

export function encodeChannelMute(work: Work, mute: ChannelMuteRow): WireOwnUser['channel_mutes'][number] | undefined {
  const channel = channelByCid(work.db, mute.cid)
  if (!channel) return undefined
  const flags = flagsIn(work.db, channel.type, channel.config_overrides)
  return {
    user: work.people(mute.user_id),
    channel: encodeChannel(channel, { flags, user: work.people, withConfig: false }),
    ...muteTimes(mute),
  } as WireOwnUser['channel_mutes'][number]
}

/** Notifies a user of their current mutes, also when one expired; `change` names the muted or unmuted user. */
export function announceUserMutes(
  work: Work,
  userId: string,
  change?: { readonly type: 'user.muted' | 'user.unmuted'; readonly targetId: string },
): void {
  const created_at = toText(work.now)
  const to = { kind: 'users', ids: [userId] } as const
  work.emit({ event: { type: 'notification.mutes_updated', created_at, me: ownUser(work, userId) }, to })
  if (!change) return
  const user = work.people(userId)
  work.emit({ event: { type: change.type, created_at, user, target_user: work.people(change.targetId) }, to })
}
