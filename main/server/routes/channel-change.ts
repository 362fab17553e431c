import * as v from 'valibot'
import {
  deleteChannel,
  hideChannel,
  showChannel,
  stopWatching,
  truncateChannel,
  updateChannel,
  updateChannelPartial,
  updateOwnMember,
  updateMember,
} from '#shared/wire/channels.ts'
import type { WireMember } from '#shared/wire/objects.ts'
import type { Identity } from '../auth/identify.ts'
import { encodeMember } from '../encode/channels.ts'
import type { Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { customOf, flag, object, time } from '../http/shapes.ts'
import { announceWatching } from '../realtime/presence.ts'
import { accessTo, need, openChannel, type Access } from '../rules/access.ts'
import { checkChannelId, columnsOf, readCooldown } from '../rules/channels.ts'
import { changeChannel, channelByCid, deleteChannelRow, recountMessages } from '../store/tables/channels.ts'
import { changeMember, memberOf, membersOf, recountUnread } from '../store/tables/members.ts'
import { toText } from '../time.ts'
import type { Work } from '../work.ts'
import { channelFor, channelForMany, watchingConnection } from './channel-state.ts'
import { channelEvent } from './events.ts'
import { changeMembers } from './members.ts'
import { readMessage } from './message-input.ts'
import { messageFor, post } from './message-send.ts'

const MEMBERS_SHOWN = 100

const partialBody = v.object({ set: object, unset: v.nullish(v.pipe(v.array(v.string()), v.maxLength(100))) })

export const channelChangeRoutes: readonly Route[] = [
  route(
    updateChannel,
    { body: v.looseObject({ data: object, message: object }) },
    ({ params, body, raw, who }, work) => {
      const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
      if (body.data) replaceData(work, access, who, body.data)
      if ('cooldown' in raw) setCooldown(work, access, who, raw['cooldown'])
      changeMembers(work, access, who, raw)
      const message = body.message
        ? post(work, fresh(work, access, who), who, readMessage(body.message), { system: true })
        : undefined
      announceUpdate(work, fresh(work, access, who), who)
      const after = fresh(work, access, who)
      return {
        channel: channelFor(work, after),
        members: shownMembers(work, after),
        ...(message ? { message: messageFor(work, message, who) } : {}),
      }
    },
  ),
  route(updateChannelPartial, { body: partialBody }, ({ params, body, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    mergeData(work, access, who, body.set ?? {}, body.unset ?? [])
    const after = fresh(work, access, who)
    announceUpdate(work, after, who)
    return { channel: channelFor(work, after), members: shownMembers(work, after) }
  }),
  route(stopWatching, {}, ({ params, who, connectionId }, work) => {
    const connection = watchingConnection(work, who, connectionId)
    const cid = checkChannelId(params.type, params.id)
    if (work.hub.unwatch(connection, cid)) announceWatching(work, 'user.watching.stop', cid, who.userId)
    return {}
  }),
  route(updateOwnMember, { body: partialBody }, ({ params, body, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    return { channel_member: changeOwnMember(work, access, who, body.set ?? {}, body.unset ?? []) }
  }),
  route(updateMember, { body: partialBody }, ({ params, body, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    if (params.userId !== who.userId && !who.server)
      return refuse('notAllowed', 'only the own membership may be changed')
    return {
      channel_member: changeOwnMember(
        work,
        access,
        { ...who, userId: params.userId },
        body.set ?? {},
        body.unset ?? [],
      ),
    }
  }),
  route(hideChannel, { body: v.looseObject({ clear_history: flag }) }, ({ params, body, who }, work) => {
    const access = ownChannel(work, params, who)
    const clear = body.clear_history ?? false
    changeMember(work.db, access.channel.cid, who.userId, {
      hidden: 1,
      ...(clear ? { hide_before: work.now, unread: 0 } : {}),
    })
    announceToSelf(work, access, who, 'channel.hidden', { clear_history: clear })
    return {}
  }),
  route(showChannel, { body: v.looseObject({}) }, ({ params, who }, work) => {
    const access = ownChannel(work, params, who)
    changeMember(work.db, access.channel.cid, who.userId, { hidden: 0 })
    announceToSelf(work, access, who, 'channel.visible', {})
    return {}
  }),
  route(
    truncateChannel,
    { body: v.looseObject({ hard_delete: flag, truncated_at: time, message: object }) },
    ({ params, body, who }, work) => {
      const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
      need(access, who, 'update-channel', 'TruncateChannel')
      truncate(work, access, who, body.truncated_at, body.hard_delete ?? false)
      const after = fresh(work, access, who)
      const message = body.message ? post(work, after, who, readMessage(body.message), { system: true }) : undefined
      return {
        channel: channelFor(work, fresh(work, access, who)),
        ...(message ? { message: messageFor(work, message, who) } : {}),
      }
    },
  ),
  route(deleteChannel, { query: v.looseObject({ hard_delete: flag }) }, ({ params, query, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    need(access, who, 'delete-channel', 'DeleteChannel')
    return { channel: remove(work, access, who, query.hard_delete ?? false) }
  }),
]

/** The same channel as it stands now. */
function fresh(work: Work, access: Access, who: Identity): Access {
  return accessTo(work.db, channelByCid(work.db, access.channel.cid) ?? access.channel, who)
}

function ownChannel(work: Work, params: { type: string; id: string }, who: Identity): Access {
  const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
  if (!access.member) return refuse('notAllowed', 'only members may do this')
  return access
}

function shownMembers(work: Work, access: Access): WireMember[] {
  return membersOf(work.db, access.channel.cid, MEMBERS_SHOWN).map((row) => encodeMember(row, work.people))
}

/** `data` replaces every custom key. Source: wire contract 3.2 "POST update semantics". */
function replaceData(work: Work, access: Access, who: Identity, data: Json): void {
  need(access, who, 'update-channel', 'UpdateChannel')
  const next = columnsOf(data)
  const { channel } = access
  const kept = {
    ...next,
    cooldown: 'cooldown' in data ? next.cooldown : channel.cooldown,
    frozen: 'frozen' in data ? next.frozen : channel.frozen,
    config_overrides: 'config_overrides' in data ? next.config_overrides : channel.config_overrides,
  }
  checkFlags(access, who, kept)
  changeChannel(work.db, channel.cid, { ...kept, updated_at: work.now })
}

function checkFlags(access: Access, who: Identity, next: { frozen: number; cooldown: number }): void {
  if (next.frozen !== access.channel.frozen) need(access, who, 'freeze-channel', 'FreezeChannel')
  if (next.cooldown !== access.channel.cooldown) need(access, who, 'set-channel-cooldown', 'UpdateChannelCooldown')
}

function setCooldown(work: Work, access: Access, who: Identity, value: unknown): void {
  need(access, who, 'set-channel-cooldown', 'UpdateChannelCooldown')
  changeChannel(work.db, access.channel.cid, { cooldown: readCooldown(value), updated_at: work.now })
}

/** Sets and removes single keys; what is not named stays. */
function mergeData(work: Work, access: Access, who: Identity, set: Json, unset: readonly string[]): void {
  need(access, who, 'update-channel', 'UpdateChannel')
  const { channel } = access
  const data: Record<string, unknown> = {
    ...(JSON.parse(channel.custom) as Json),
    ...(channel.name === null ? {} : { name: channel.name }),
    frozen: channel.frozen === 1,
    cooldown: channel.cooldown,
    config_overrides: JSON.parse(channel.config_overrides),
    ...set,
  }
  for (const key of unset) delete data[key]
  const next = columnsOf(data)
  checkFlags(access, who, next)
  changeChannel(work.db, channel.cid, { ...next, updated_at: work.now })
}

function announceUpdate(work: Work, access: Access, who: Identity): void {
  work.emit({
    event: channelEvent('channel.updated', access.channel, work.stamp(access.channel.cid), {
      channel: channelForMany(work, access, true),
      user: work.people(who.userId),
    }),
    to: { kind: 'watchers', cid: access.channel.cid, author: who.userId },
    keep: 'channel',
  })
}

function announceToSelf(
  work: Work,
  access: Access,
  who: Identity,
  type: 'channel.hidden' | 'channel.visible',
  fields: { clear_history?: boolean },
): void {
  work.emit({
    event: channelEvent(type, access.channel, work.stamp(access.channel.cid), {
      ...fields,
      channel: channelForMany(work, access),
      user: work.people(who.userId),
    }),
    to: { kind: 'users', ids: [who.userId] },
    keep: { userId: who.userId },
  })
}

const MEMBER_KNOWN: ReadonlySet<string> = new Set(['pinned', 'archived', 'channel_role', 'role', 'user', 'user_id'])

/** Pin and archive stamp a time; every other key is custom. Source: wire contract 3.2 "Member partial update keys". */
function changeOwnMember(work: Work, access: Access, who: Identity, set: Json, unset: readonly string[]): WireMember {
  const { cid } = access.channel
  const row = memberOf(work.db, cid, who.userId)
  if (!row) return refuse('doesNotExist', `user ${who.userId} is not a member of ${cid}`)
  const custom: Record<string, unknown> = { ...(JSON.parse(row.custom) as Json), ...customOf(set, MEMBER_KNOWN) }
  for (const key of unset) delete custom[key]
  const stamped = (name: 'pinned' | 'archived', old: number | null): number | null => {
    if (unset.includes(name) || set[name] === false) return null
    return set[name] === true ? (old ?? work.now) : old
  }
  changeMember(work.db, cid, who.userId, {
    custom: JSON.stringify(custom),
    pinned_at: stamped('pinned', row.pinned_at),
    archived_at: stamped('archived', row.archived_at),
    updated_at: work.now,
  })
  const after = memberOf(work.db, cid, who.userId) ?? row
  const member = encodeMember(after, work.people)
  work.emit({
    event: channelEvent('member.updated', access.channel, work.stamp(cid), {
      member,
      user: work.people(who.userId),
      channel: channelForMany(work, access),
    }),
    to: { kind: 'watchers', cid, author: who.userId },
    keep: 'channel',
  })
  return member
}

/** Source: wire contract 8.13. */
function truncate(work: Work, access: Access, who: Identity, wished: number | undefined, hard: boolean): void {
  const { cid } = access.channel
  const at = wished ?? work.stamp(cid)
  if (hard) work.db.run('DELETE FROM messages WHERE cid = ? AND created_at <= ?', cid, at)
  changeChannel(work.db, cid, { truncated_at: at, truncated_by: who.userId, updated_at: work.now })
  work.db.run('UPDATE messages SET pinned_at = NULL, pinned_by = NULL WHERE cid = ? AND created_at <= ?', cid, at)
  recountMessages(work.db, cid)
  recountUnread(work.db, cid)
  const after = fresh(work, access, who)
  const fields = { channel: channelForMany(work, after), user: work.people(who.userId) }
  work.emit({
    event: channelEvent('channel.truncated', after.channel, work.stamp(cid), fields),
    to: { kind: 'watchers', cid, author: who.userId },
    keep: 'channel',
  })
  work.emit({
    event: channelEvent('notification.channel_truncated', after.channel, work.stamp(cid), fields),
    to: { kind: 'absentMembers', cid, except: who.userId },
    counters: true,
  })
}

function remove(work: Work, access: Access, who: Identity, hard: boolean) {
  const { channel } = access
  const at = work.stamp(channel.cid)
  const shown = { ...channelFor(work, access), deleted_at: toText(at) }
  const fields = { channel: { ...channelForMany(work, access), deleted_at: toText(at) }, user: work.people(who.userId) }
  const members = membersOf(work.db, channel.cid, 10_000).map((row) => row.user_id)
  if (hard) deleteChannelRow(work.db, channel.cid)
  else changeChannel(work.db, channel.cid, { deleted_at: at, updated_at: at })
  work.emit({
    event: channelEvent('channel.deleted', channel, at, fields),
    to: { kind: 'watchers', cid: channel.cid, author: who.userId },
    keep: 'channel',
  })
  const absent = members.filter((id) => id !== who.userId && !work.hub.isWatching(id, channel.cid))
  work.emit({
    event: channelEvent('notification.channel_deleted', channel, at, fields),
    to: { kind: 'users', ids: absent },
    counters: true,
  })
  work.afterwards(() => {
    for (const connection of work.hub.watchersOf(channel.cid)) work.hub.unwatch(connection, channel.cid)
  })
  return shown
}
