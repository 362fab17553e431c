import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import type { Audience } from '../realtime/emission.ts'
import { acquaintances } from '../realtime/presence.ts'
import { announceUserMutes } from '../users/encode-users.ts'
import {
  deleteBan,
  deleteFutureBan,
  EVERYWHERE,
  putBan,
  putEndedBan,
  putFutureBan,
  type BanRow,
  deleteUserMute,
  putUserMute,
  userMute,
  type UserMuteRow,
} from './restriction-tables.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { memberOf } from '../channels/member-table.ts'
import { userById } from '../users/user-tables.ts'
import { SECOND, toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import { accessTo, deny, need, openChannel } from '../channels/access.ts'
import { removeMessagesOf, removeReactionsOf, type Removal } from '../messages/removal.ts'
import { requireUser } from '../users/users.ts'
import { actorOf, logAction } from './log/log-table.ts'

/**
 * Mutes a user for the caller. `minutes` absent: until unmuted. Refuses oneself with code 4, an unknown user with 16.
 * See docs/wire.md 8.14.
 */
export function mute(work: Work, who: Identity, targetId: string, minutes?: number): UserMuteRow {
  if (who.userId === '') return refuse('input', 'a server token must name a user')
  if (targetId === who.userId) return refuse('input', 'you cannot mute yourself')
  if (who.role === 'anonymous') refuse('notAllowed', 'anonymous people cannot mute')
  requireUser(work.db, targetId)
  const known = userMute(work.db, who.userId, targetId)
  const row = {
    user_id: who.userId,
    target_id: targetId,
    created_at: known?.created_at ?? work.now,
    updated_at: work.now,
    expires_at: endOf(work, minutes),
  }
  putUserMute(work.db, row)
  announceUserMutes(work, who.userId, { type: 'user.muted', targetId })
  return row
}

export function unmute(work: Work, who: Identity, targetId: string): void {
  if (who.userId === '') return refuse('input', 'a server token must name a user')
  requireUser(work.db, targetId)
  if (!deleteUserMute(work.db, who.userId, targetId)) return
  announceUserMutes(work, who.userId, { type: 'user.unmuted', targetId })
}

function endOf(work: Work, minutes: number | undefined): number | null {
  return minutes === undefined || minutes === 0 ? null : work.now + minutes * 60 * SECOND
}

type BanRequest = {
  readonly targetId: string
  /** Absent: in the whole app. */
  readonly cid?: string
  readonly minutes?: number
  readonly reason?: string
  readonly shadow?: boolean
  readonly deleteMessages?: Removal
  readonly deleteReactions?: boolean
  /** Also bans from all channels that the banning user creates in the future. */
  readonly future?: boolean
}

/**
 * Bans in one channel or in the whole app. Refuses an unknown user with code 16, a missing right with 17. See
 * docs/wire.md 8.14.
 */
export function ban(work: Work, who: Identity, request: BanRequest): BanRow {
  const target = requireUser(work.db, request.targetId)
  if (target.id === who.userId) return refuse('input', 'you cannot ban yourself')
  mayBan(work, who, request.cid, target.id)
  const row: BanRow = {
    user_id: target.id,
    cid: request.cid ?? EVERYWHERE,
    shadow: request.shadow ? 1 : 0,
    banned_by: who.userId === '' ? null : who.userId,
    reason: request.reason ?? null,
    created_at: work.now,
    expires_at: endOf(work, request.minutes),
  }
  putBan(work.db, row)
  work.people.forget(target.id)
  if (request.future && row.banned_by !== null) putFutureBan(work.db, { ...row, banned_by: row.banned_by })
  logAction(work, who, {
    action: 'user.ban',
    targetId: target.id,
    cid: request.cid,
    reason: request.reason,
    how: request.shadow ? 'shadow' : undefined,
    seconds: request.minutes ? request.minutes * 60 : undefined,
  })
  announceBan(work, 'user.banned', row)
  if (request.deleteReactions) removeReactionsOf(work, target.id, request.cid)
  if (request.deleteMessages) {
    removeMessagesOf(work, target.id, request.cid, request.deleteMessages)
    announceRemovedMessages(work, target.id, request.cid, request.deleteMessages === 'hard')
  }
  return row
}

/** Removes a ban; does nothing when there is none. */
export function unban(
  work: Work,
  who: Identity,
  request: { readonly targetId: string; readonly cid?: string; readonly future?: boolean },
): void {
  requireUser(work.db, request.targetId)
  mayBan(work, who, request.cid, request.targetId)
  if (request.future && who.userId !== '') deleteFutureBan(work.db, request.targetId, who.userId)
  if (!endBan(work, request.targetId, request.cid ?? EVERYWHERE, who)) return
  logAction(work, who, { action: 'user.unban', targetId: request.targetId, cid: request.cid })
}

/** @param who absent: its time is over. Returns false when there is no ban. */
export function endBan(work: Work, userId: string, cid: string, who?: Identity): boolean {
  const row = work.db.get<BanRow>('SELECT * FROM bans WHERE user_id = ? AND cid = ?', userId, cid)
  if (!row) return false
  deleteBan(work.db, userId, cid)
  putEndedBan(work.db, { ...row, ended_at: work.now, ended_by: who === undefined ? null : actorOf(who) })
  work.people.forget(userId)
  announceBan(work, 'user.unbanned', row)
  return true
}

/**
 * In a channel: users with the capability, but not against owners and administrators. In the app: administrators and
 * server tokens.
 */
function mayBan(work: Work, who: Identity, cid: string | undefined, targetId: string): void {
  if (cid === undefined) {
    if (!isAdmin(who)) refuse('notAllowed', `User '${who.userId}' is not allowed to perform action BanUser`)
    return
  }
  const access = openChannel(work.db, cid, who)
  need(access, who, 'ban-channel-members', 'BanChannelMember')
  if (isAdmin(who)) return
  const isOwner = access.channel.created_by === targetId && memberOf(work.db, cid, targetId) !== undefined
  if (isOwner || userById(work.db, targetId)?.role === 'admin') deny(access, who, 'BanChannelMember')
}

export const isAdmin = (who: Identity): boolean => who.server || who.role === 'admin'

/** Administrators, moderators of the whole app, and server tokens. */
export const isAppModerator = (who: Identity): boolean => isAdmin(who) || who.role === 'moderator'

/** Refuses users who moderate neither the app nor the channel `cid`. */
export function needModerator(work: Work, who: Identity, cid?: string): void {
  if (isAppModerator(who)) return
  const channel = cid === undefined ? undefined : channelByCid(work.db, cid)
  if (channel && accessTo(work.db, channel, who).can.has('ban-channel-members')) return
  refuse('notAllowed', `User '${who.userId}' with roles ['${who.role}'] is not allowed to moderate`)
}

function scope(cid: string): object {
  const at = cid.indexOf(':')
  return { cid, channel_type: cid.slice(0, at), channel_id: cid.slice(at + 1) }
}

/** The users among `ids` who moderate the channel or the whole app. */
function moderatorsAmong(work: Work, ids: Iterable<string>, cid: string): string[] {
  const channel = cid === EVERYWHERE ? undefined : channelByCid(work.db, cid)
  return [...ids].filter((id) => {
    const who = identityOf(work, id)
    return isAppModerator(who) || (channel !== undefined && accessTo(work.db, channel, who).moderates)
  })
}

function identityOf(work: Work, userId: string): Identity {
  const row = userById(work.db, userId)
  return { userId, role: row?.role ?? 'user', banned: row?.banned === 1, server: false, expiresAtMs: undefined }
}

/**
 * Announces a ban. Only moderators see who banned, and only they are notified of a shadow ban.
 * See docs/wire.md 4.6.
 */
function announceBan(work: Work, type: 'user.banned' | 'user.unbanned', row: BanRow): void {
  const everywhere = row.cid === EVERYWHERE
  const audience = everywhere ? acquaintances(work, row.user_id) : [...work.hub.watchingUsers(row.cid)]
  const moderators = moderatorsAmong(
    work,
    audience.filter((id) => id !== row.user_id),
    row.cid,
  )
  const event = {
    type,
    created_at: toText(work.now),
    user: work.people(row.user_id),
    shadow: row.shadow === 1,
    ...(everywhere ? {} : scope(row.cid)),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.expires_at === null ? {} : { expiration: toText(row.expires_at) }),
  }
  const by = row.banned_by === null ? {} : { created_by: work.people(row.banned_by) }
  const toModerators: Audience = everywhere
    ? { kind: 'users', ids: moderators }
    : { kind: 'watchers', cid: row.cid, only: moderators }
  if (moderators.length > 0) work.emit({ event: { ...event, ...by }, to: toModerators })
  if (row.shadow === 1) return
  if (everywhere) {
    work.emit({ event, to: { kind: 'users', ids: audience.filter((id) => !moderators.includes(id)) } })
  } else {
    const to = { kind: 'watchers', cid: row.cid, author: row.user_id, except: moderators } as const
    work.emit({ event, to, log: 'channel' })
  }
}

/** Watching moderators, who may see shadow bans. */
export function watchingModerators(work: Work, cid: string): string[] {
  return moderatorsAmong(work, work.hub.watchingUsers(cid), cid)
}

/** See docs/wire.md 4.3 `user.messages.deleted`. */
export function announceRemovedMessages(work: Work, userId: string, cid: string | undefined, hard: boolean): void {
  const event = {
    type: 'user.messages.deleted',
    created_at: toText(work.now),
    user: work.people(userId),
    hard_delete: hard,
    ...(cid === undefined ? {} : scope(cid)),
  } as const
  if (cid === undefined) work.emit({ event, to: { kind: 'users', ids: acquaintances(work, userId) } })
  else work.emit({ event, to: { kind: 'watchers', cid }, log: 'channel' })
}
