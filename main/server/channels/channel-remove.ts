import * as v from 'valibot'
import { deleteChannel, deleteChannels, truncateChannel } from '#shared/wire/channels.ts'
import type { WireChannel } from '#shared/wire/objects.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag, list, time } from '../http/shapes.ts'
import { eachOf, finishTask } from '../admin/tasks.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import { channelEvent } from '../realtime/emission.ts'
import { accompanyingMessage } from '../messages/message-input.ts'
import { messageFor } from '../messages/message-announce.ts'
import { post } from '../messages/message-post.ts'
import { need, openChannel, type Access } from './access.ts'
import { checkChannelId } from './channels.ts'
import { changeChannel, deleteChannelRow, recountMessages } from './channel-table.ts'
import { changeMember, memberIds, memberOf, recountUnread, recountUnreadOfMember } from './member-table.ts'
import { fresh } from './channel-change.ts'
import { channelFor, channelForMany } from './channel-state.ts'

const MAX_DELETED = 100

const truncateBody = v.looseObject({
  hard_delete: flag,
  truncated_at: time,
  message: accompanyingMessage,
  member_ids: list(v.string(), 100),
})

export const channelRemoveRoutes: readonly Route[] = [
  route(truncateChannel, { body: truncateBody }, ({ params, body, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    need(access, who, 'update-channel', 'TruncateChannel')
    if (body.member_ids?.length) truncateFor(work, access, who, body.member_ids, body.truncated_at)
    else truncate(work, access, who, body.truncated_at, body.hard_delete ?? false)
    const after = fresh(work, access, who)
    const message = body.message ? post(work, after, who, body.message, { system: true }) : undefined
    return {
      channel: channelFor(work, fresh(work, access, who)),
      message: message ? messageFor(work, message, who) : undefined,
    }
  }),
  route(deleteChannel, { query: v.looseObject({ hard_delete: flag }) }, ({ params, query, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    need(access, who, 'delete-channel', 'DeleteChannel')
    return { channel: removeChannel(work, access, who, query.hard_delete ?? false) }
  }),
  route(
    deleteChannels,
    { body: v.looseObject({ cids: list(v.string(), MAX_DELETED), hard_delete: flag }) },
    ({ body, who }, work) => {
      const cids = [...new Set(body.cids ?? [])]
      if (cids.length === 0) return refuse('input', `cids must be a list of 1 to ${MAX_DELETED}`)
      const result = eachOf(work, cids, (inner, cid) => {
        const access = openChannel(inner.db, cid, who)
        need(access, who, 'delete-channel', 'DeleteChannel')
        removeChannel(inner, access, who, body.hard_delete ?? false)
      })
      return { result, task_id: finishTask(work, { result }) }
    },
  ),
]

/** Hides the history so far from these members only. See docs/wire.md 8.13 "truncate with member_ids". */
function truncateFor(
  work: Work,
  access: Access,
  who: Identity,
  ids: readonly string[],
  requested: number | undefined,
): void {
  const { channel } = access
  const at = requested ?? work.stamp(channel.cid)
  for (const userId of ids) {
    const member = memberOf(work.db, channel.cid, userId)
    if (!member) return refuse('doesNotExist', `user ${userId} is not a member of ${channel.cid}`)
    changeMember(work.db, channel.cid, userId, { hide_before: Math.max(at, member.hide_before ?? 0) })
    recountUnreadOfMember(work.db, channel.cid, userId)
    work.emit({
      event: channelEvent('channel.truncated', channel, work.stamp(channel.cid), {
        channel: { ...channelForMany(work, access), truncated_at: toText(at) },
        user: work.people(who.userId),
      }),
      to: { kind: 'users', ids: [userId] },
      log: { userId },
    })
  }
}

const UNPIN = `UPDATE messages SET pinned_at = NULL, pinned_by = NULL, pin_expires = NULL
  WHERE cid = ? AND created_at <= ? AND (pinned_at IS NOT NULL OR pin_expires IS NOT NULL)`

/** Also deletes the replies whose parents are deleted. */
function deleteUpTo(work: Work, cid: string, at: number): void {
  work.db.run('DELETE FROM messages WHERE cid = ? AND created_at <= ?', cid, at)
  work.db.run(
    `DELETE FROM messages WHERE cid = ? AND parent_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM messages p WHERE p.id = messages.parent_id)`,
    cid,
  )
}

/** See docs/wire.md 8.13. */
function truncate(work: Work, access: Access, who: Identity, requested: number | undefined, hard: boolean): void {
  const { cid } = access.channel
  // never in the future, which would hide the next messages, and never before an earlier truncation
  const at = Math.max(Math.min(requested ?? Number.MAX_SAFE_INTEGER, work.stamp(cid)), access.channel.truncated_at ?? 0)
  if (hard) deleteUpTo(work, cid, at)
  changeChannel(work.db, cid, { truncated_at: at, truncated_by: who.userId || null, updated_at: work.now })
  work.db.run(UNPIN, cid, at)
  recountMessages(work.db, cid)
  recountUnread(work.db, cid)
  const after = fresh(work, access, who)
  const fields = { channel: channelForMany(work, after), user: work.people(who.userId) }
  work.emit({
    event: channelEvent('channel.truncated', after.channel, work.stamp(cid), fields),
    to: { kind: 'watchers', cid, author: who.userId },
    log: 'channel',
  })
  work.emit({
    event: channelEvent('notification.channel_truncated', after.channel, work.stamp(cid), fields),
    to: { kind: 'absentMembers', cid, except: [who.userId] },
    counters: true,
  })
}

/** Members who do not watch get a notification; all watches of the channel end. */
export function removeChannel(work: Work, access: Access, who: Identity, hard: boolean): WireChannel {
  const { channel } = access
  const at = work.stamp(channel.cid)
  const shown = { ...channelFor(work, access), deleted_at: toText(at) }
  const fields = { channel: { ...channelForMany(work, access), deleted_at: toText(at) }, user: work.people(who.userId) }
  const members = memberIds(work.db, channel.cid)
  if (hard) deleteChannelRow(work.db, channel.cid)
  else changeChannel(work.db, channel.cid, { deleted_at: at, updated_at: at })
  work.emit({
    event: channelEvent('channel.deleted', channel, at, fields),
    to: { kind: 'watchers', cid: channel.cid, author: who.userId },
    log: 'channel',
  })
  // by user id: the member rows may already be deleted when the event is sent
  const others = members.filter((id) => id !== who.userId)
  work.emit({
    event: channelEvent('notification.channel_deleted', channel, at, fields),
    to: { kind: 'users', ids: others, unlessWatching: channel.cid },
    counters: true,
  })
  work.afterwards(() => {
    for (const connection of work.hub.watchersOf(channel.cid)) work.hub.unwatch(connection, channel.cid)
  })
  return shown
}
