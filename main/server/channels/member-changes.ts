import type { Identity } from '../http/auth/identify.ts'
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { announceWatching } from '../realtime/presence.ts'
import { asUser } from '../uploads/upload-files.ts'
import { watchingModerators } from '../moderation/moderation.ts'
import { leaveThreads } from '../threads/thread-table.ts'
import { userById } from '../users/user-tables.ts'
import { toText } from '../store/time.ts'
import { transact, type Work } from '../work.ts'
import { channelEvent } from '../realtime/emission.ts'
import { encodeMember } from './encode-channels.ts'
import { accessTo, mayRead, need, type Access } from './access.ts'
import { addMember, checkChannelRole, readMembers, type MemberInput } from './channels.ts'
import { changeChannel, channelByCid, recountMembers } from './channel-table.ts'
import { changeMember, deleteMember, memberOf } from './member-table.ts'
import { announceAdded } from './channel-query.ts'
import { channelForMany } from './channel-state.ts'

type MemberChange = Json & {
  readonly hide_history?: boolean
  readonly hide_history_before?: number
}

/** The member lists an update body may carry, each with its own rule. See docs/wire.md 8.6. */
export function changeMembers(work: Work, access: Access, who: Identity, body: MemberChange): void {
  const added = readMembers(body['add_members'], 'add_members')
  const assigned = readMembers(body['assign_roles'], 'assign_roles')
  const removed = readMembers(body['remove_members'], 'remove_members')
  const invited = readMembers(body['invites'], 'invites')
  const raised = readMembers(body['add_moderators'], 'add_moderators')
  const lowered = readMembers(body['demote_moderators'], 'demote_moderators')
  const { hide_history_before: before, hide_history: hideHistory = false } = body
  if (added.length > 0) add(work, access, who, added, { hideHistory, before })
  if (invited.length > 0) add(work, access, who, invited, { invited: true })
  if (removed.length > 0) remove(work, access, who, removed)
  setRoles(work, access, who, raised, () => 'channel_moderator')
  setRoles(work, access, who, lowered, () => 'channel_member')
  setRoles(work, access, who, assigned, (person) => person.role ?? refuse('input', 'assign_roles needs a channel_role'))
  if (body['accept_invite'] === true) answerInvite(work, access, who, 'accepted')
  if (body['reject_invite'] === true) answerInvite(work, access, who, 'rejected')
}

/** Invited, but not a member yet or no longer. */
const INVITED: ReadonlySet<string> = new Set(['pending', 'rejected'])

const isDistinct = (access: Access): boolean => access.channel.id.startsWith('!members-')

function add(
  work: Work,
  access: Access,
  who: Identity,
  people: readonly MemberInput[],
  options: { hideHistory?: boolean; before?: number; invited?: boolean },
): void {
  const onlySelf = people.every((person) => person.userId === who.userId && person.role === undefined)
  if (!(onlySelf && access.can.has('join-channel'))) need(access, who, 'update-channel-members', 'UpdateChannelMembers')
  if (isDistinct(access)) refuse('input', 'members of a distinct channel cannot be changed')
  const { cid } = access.channel
  const rowOf = (userId: string) => memberOf(work.db, cid, userId)
  const fresh = people.filter((person) => !rowOf(person.userId))
  const again = options.invited ? people.filter((person) => rowOf(person.userId)?.status === 'rejected') : []
  for (const { userId } of again) changeMember(work.db, cid, userId, { status: 'pending', updated_at: work.now })
  const promoted = options.invited ? [] : people.filter((person) => INVITED.has(rowOf(person.userId)?.status ?? ''))
  for (const { userId } of promoted) changeMember(work.db, cid, userId, { status: 'member', updated_at: work.now })
  for (const person of fresh) {
    const at = work.stamp(cid)
    addMember(work.db, cid, person, at, {
      invited: options.invited ?? false,
      hideBefore: options.before ?? (options.hideHistory ? at : null),
    })
  }
  settle(work, access)
  for (const { userId } of [...again, ...promoted]) {
    announceMember(work, access, who, 'member.updated', userId)
    announceAdded(work, current(work, access, who), userId, who.userId)
  }
  for (const person of fresh) {
    announceMember(work, access, who, 'member.added', person.userId)
    announceAdded(work, current(work, access, who), person.userId, who.userId)
  }
}

function remove(work: Work, access: Access, who: Identity, people: readonly MemberInput[]): void {
  const onlySelf = people.every((person) => person.userId === who.userId)
  if (onlySelf) need(access, who, 'leave-channel', 'LeaveChannel')
  else need(access, who, 'update-channel-members', 'UpdateChannelMembers')
  if (isDistinct(access) && !onlySelf) refuse('input', 'members of a distinct channel cannot be changed')
  for (const { userId } of people) takeOut(work, access, who, userId)
}

/** Ends a membership and announces it; does nothing for a user who is not a member. */
export function takeOut(work: Work, access: Access, who: Identity, userId: string): void {
  const { cid } = access.channel
  const row = memberOf(work.db, cid, userId)
  if (!row) return
  const member = encodeMember(row, work.people)
  deleteMember(work.db, cid, userId)
  leaveThreads(work.db, cid, userId, work.now)
  settle(work, access)
  announceRemoval(work, current(work, access, who), who, userId, member)
}

function announceRemoval(
  work: Work,
  access: Access,
  who: Identity,
  userId: string,
  member: ReturnType<typeof encodeMember>,
): void {
  const { channel } = access
  const shown = channelForMany(work, access)
  work.emit({
    event: channelEvent('member.removed', channel, work.stamp(channel.cid), {
      member,
      user: work.people(userId),
      channel: shown,
    }),
    to: { kind: 'watchers', cid: channel.cid, author: who.userId },
    log: 'channel',
  })
  work.emit({
    event: channelEvent('notification.removed_from_channel', channel, work.stamp(channel.cid), {
      member,
      user: work.people(who.userId),
      channel: channelForMany(work, access, true),
    }),
    to: { kind: 'users', ids: [userId] },
  })
  unsubscribe(work, channel, userId)
}

/** Ends the watches of a user who was removed, and notifies them. See docs/wire.md 4.5 "channel.kicked". */
function unsubscribe(work: Work, channel: Access['channel'], userId: string): void {
  const { cid, type, id } = channel
  if (!work.hub.isWatching(userId, cid)) return
  const created_at = toText(work.stamp(cid))
  work.emit({
    event: { type: 'channel.kicked', created_at, cid, channel_type: type, channel_id: id, user: work.people(userId) },
    to: { kind: 'users', ids: [userId] },
  })
  work.afterwards(() => {
    for (const connection of work.hub.ofUser(userId)) work.hub.unwatch(connection, cid)
    transact(work, (later) => announceWatching(later, 'user.watching.stop', cid, userId))
  })
}

/** Ends the watches of users who may no longer read the channel now that it is private. */
export function unwatchOutsiders(work: Work, channel: Access['channel']): void {
  for (const userId of work.hub.watchingUsers(channel.cid)) {
    const watcher = asUser(userId, userById(work.db, userId)?.role ?? 'anonymous')
    if (!mayRead(accessTo(work.db, channel, watcher), watcher)) unsubscribe(work, channel, userId)
  }
}

function setRoles(
  work: Work,
  access: Access,
  who: Identity,
  people: readonly MemberInput[],
  roleFor: (person: MemberInput) => string,
): void {
  for (const person of people) assignRole(work, access, who, person.userId, roleFor(person))
  if (people.length === 0) return
  settle(work, access)
  for (const { userId } of people) announceMember(work, access, who, 'member.updated', userId)
}

/** Gives a channel role; a user who is not a member becomes one. See docs/wire.md 8.6 "assign_roles". */
export function assignRole(work: Work, access: Access, who: Identity, userId: string, channelRole: string): void {
  need(access, who, 'update-channel-members', 'UpdateChannelMembers')
  checkChannelRole(work.db, channelRole)
  const { cid } = access.channel
  const known = memberOf(work.db, cid, userId)
  if (!known) {
    if (isDistinct(access)) refuse('input', 'members of a distinct channel cannot be changed')
    addMember(work.db, cid, { userId, role: undefined, custom: {} }, work.now)
  }
  const plain = known?.role === 'owner' && channelRole === 'channel_member' ? 'owner' : 'member'
  changeMember(work.db, cid, userId, {
    channel_role: channelRole,
    role: channelRole === 'channel_moderator' ? 'moderator' : plain,
    updated_at: work.now,
  })
}

/** Accepting again is a no-op; a user who was not invited is refused. */
function answerInvite(work: Work, access: Access, who: Identity, status: 'accepted' | 'rejected'): void {
  const { cid } = access.channel
  const row = memberOf(work.db, cid, who.userId)
  if (!row?.invited) return refuse('input', 'there is no invite to answer')
  if (row.status === status) return
  const at = work.stamp(cid)
  changeMember(work.db, cid, who.userId, {
    status,
    updated_at: at,
    ...(status === 'accepted' ? { invite_accepted_at: at } : { invite_rejected_at: at }),
  })
  announceMember(work, access, who, 'member.updated', who.userId)
  announceAnswer(work, access, who, status)
}

/** Notifies the other devices of the invited user. See docs/wire.md 4.7. */
function announceAnswer(work: Work, access: Access, who: Identity, status: 'accepted' | 'rejected'): void {
  const { cid, type, id } = access.channel
  const row = memberOf(work.db, cid, who.userId)
  work.emit({
    event: {
      type: `notification.invite_${status}`,
      created_at: toText(work.stamp(cid)),
      cid,
      channel_type: type,
      channel_id: id,
      channel: channelForMany(work, current(work, access, who), true),
      user: work.people(who.userId),
      ...(row ? { member: encodeMember(row, work.people) } : {}),
    },
    to: { kind: 'users', ids: [who.userId] },
  })
}

function settle(work: Work, access: Access): void {
  recountMembers(work.db, access.channel.cid)
  changeChannel(work.db, access.channel.cid, { updated_at: work.now })
}

function current(work: Work, access: Access, who: Identity): Access {
  return accessTo(work.db, channelByCid(work.db, access.channel.cid) ?? access.channel, who)
}

export function announceMember(
  work: Work,
  access: Access,
  who: Identity,
  type: 'member.added' | 'member.updated',
  userId: string,
): void {
  const { cid } = access.channel
  const row = memberOf(work.db, cid, userId)
  if (!row) return
  const at = work.stamp(cid)
  const channel = channelForMany(work, current(work, access, who))
  const eventOf = (moderates: boolean) =>
    channelEvent(type, access.channel, at, {
      member: encodeMember(row, work.people, moderates),
      user: work.people(userId),
      channel,
    })
  // only moderators may see that a member is shadow banned
  const moderators = row.shadow_banned === 1 ? watchingModerators(work, cid) : []
  if (moderators.length > 0) work.emit({ event: eventOf(true), to: { kind: 'watchers', cid, only: moderators } })
  work.emit({
    event: eventOf(false),
    to: { kind: 'watchers', cid, author: who.userId, except: moderators.length > 0 ? moderators : undefined },
    log: 'channel',
  })
}
