import type { WireOwnUser, WireUser } from '#shared/wire/objects.ts'
import { encodeChannel, muteTimes } from '../channels/encode-channels.ts'
import { flagsIn } from '../channels/channel-types.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { unreadTotals } from '../channels/member-table.ts'
import { channelMutesOf, userMutesOf, type ChannelMuteRow } from '../moderation/restriction-tables.ts'
import { threadTotals } from '../threads/thread-table.ts'
import { refuse } from '../http/refusal.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import { blocksOf, devicesOf, pushPreference, userById, type UserRow, encodeDevice } from './user-tables.ts'

/** Whether a user counts as online. */
export type OnlineNow = (userId: string) => boolean

/** @param whole includes what only the user and moderators see: private keys and teams */
export function encodeUser(row: UserRow, online: OnlineNow, whole = false): WireUser {
  const custom = JSON.parse(row.custom) as Record<string, unknown>
  return {
    ...(whole ? custom : withoutPrivate(custom)),
    id: row.id,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.image === null ? {} : { image: row.image }),
    ...(row.language === null ? {} : { language: row.language }),
    role: row.role,
    online: row.invisible === 0 && online(row.id),
    banned: row.banned === 1,
    ...(row.ban_expires ? { ban_expires: toText(row.ban_expires) } : {}),
    ...(whole && row.teams && row.teams !== '[]' ? { teams: JSON.parse(row.teams) as string[] } : {}),
    ...(row.last_active === null ? {} : { last_active: toText(row.last_active) }),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
    ...(row.deactivated_at === null ? {} : { deactivated_at: toText(row.deactivated_at) }),
    ...(row.deleted_at === null ? {} : { deleted_at: toText(row.deleted_at) }),
  }
}

/** The placeholder for a user whose row was deleted. */
export function unknownUser(id: string): WireUser {
  return { id, role: 'user', online: false, banned: false }
}

/** The privacy settings, which only the user and server tokens see. */
export const privacyOf = (row: Pick<UserRow, 'privacy'>): object =>
  row.privacy === null ? {} : (JSON.parse(row.privacy) as object)

type OwnParts = Pick<WireOwnUser, 'mutes' | 'channel_mutes' | 'devices' | 'blocked_user_ids'> & {
  readonly pushPreferences?: object
  readonly total: number
  readonly channels: number
  readonly threads: number
}

/** `me` of the first health check: all lists are present, since clients read them without a check. */
function encodeOwnUser(row: UserRow, online: OnlineNow, parts: OwnParts): WireOwnUser {
  return {
    ...encodeUser(row, online, true),
    invisible: row.invisible === 1,
    privacy_settings: privacyOf(row),
    mutes: parts.mutes,
    channel_mutes: parts.channel_mutes,
    devices: parts.devices,
    blocked_user_ids: parts.blocked_user_ids,
    ...(parts.pushPreferences ? { push_preferences: parts.pushPreferences } : {}),
    total_unread_count: parts.total,
    unread_count: parts.total,
    unread_channels: parts.channels,
    unread_threads: parts.threads,
  }
}

/**
 * Private details of users: custom keys with such names, and values that are email addresses. Visible to the user, to
 * moderators of the whole app and to server tokens.
 */
const NAMES = /^(?:_?private|e[-_]?mail|mail$|phone|mobile|tel$)|(?:e[-_]?mail|phone)(?:[-_]?(?:address|number))?$/i
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,190}\.[^\s@.]{2,60}$/

export function isPrivate(key: string, value: unknown): boolean {
  return NAMES.test(key) || holdsAddress(value)
}

function holdsAddress(value: unknown): boolean {
  if (typeof value === 'string') return ADDRESS.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsAddress)
}

/** The keys that all users may see. */
function withoutPrivate(custom: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(custom).filter(([key, value]) => !isPrivate(key, value)))
}

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
