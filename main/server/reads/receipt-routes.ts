import * as v from 'valibot'
import type { WireEvent } from '#shared/wire/events.ts'
import {
  markChannelsRead,
  markDelivered,
  unreadCounts,
  unreadCountsBatch,
  type UnreadCounts,
} from '#shared/wire/channels.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { idText, list } from '../http/shapes.ts'
import { accessTo, need, openChannel, type Access } from '../channels/access.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { changeMember, channelsWithUnread, unreadChannels } from '../channels/member-table.ts'
import { messageById, readPage } from '../messages/message-table.ts'
import { unreadThreads } from '../threads/thread-table.ts'
import { usersByIds } from '../users/user-table.ts'
import { toText } from '../store/time.ts'
import type { Work } from '../work.ts'
import { showsPrivately, showsReads } from '../channels/channel-state.ts'
import { channelEvent } from '../realtime/emission.ts'
import { isVisible } from '../messages/message-open.ts'
import { unreadCounters } from '../users/own-user.ts'
import { read } from './read-routes.ts'

const MAX_READ = 30
const MAX_DELIVERED = 100
const MAX_BATCH = 100

const cidText = v.pipe(v.string(), v.maxLength(200))
const readBody = v.looseObject({ read_by_channel: v.optional(v.record(cidText, v.nullish(v.string()))) })
const deliveredBody = v.looseObject({
  latest_delivered_messages: list(v.looseObject({ cid: cidText, id: v.string(), parent_id: idText() }), MAX_DELIVERED),
})

export const receiptRoutes: readonly Route[] = [
  route(markChannelsRead, { body: readBody }, ({ body, who }, work) => {
    needUser(who)
    if (!body.read_by_channel) return { event: readEverything(work, who) }
    const wanted = Object.entries(body.read_by_channel)
    if (wanted.length > MAX_READ) return refuse('input', `at most ${MAX_READ} channels at once`)
    const events = wanted.map(([cid, messageId]) => readOne(work, who, cid, messageId || undefined))
    const last = events.at(-1)
    return last ? { event: last } : {}
  }),
  route(markDelivered, { body: deliveredBody }, ({ body, who }, work) => {
    needUser(who)
    const events = (body.latest_delivered_messages ?? []).flatMap(({ cid, id }) => deliver(work, who, cid, id) ?? [])
    const last = events.at(-1)
    return last ? { event: last } : {}
  }),
  route(unreadCounts, {}, ({ who }, work) => {
    needUser(who)
    return countsOf(work, who.userId)
  }),
  route(
    unreadCountsBatch,
    { body: v.looseObject({ user_ids: list(v.string(), MAX_BATCH) }) },
    ({ body, who }, work) => {
      if (!who.server) refuse('notAllowed', 'only a server token may count for others')
      const ids = [...usersByIds(work.db, body.user_ids ?? []).keys()]
      return { counts_by_user: Object.fromEntries(ids.map((id) => [id, countsOf(work, id)])) }
    },
  ),
]

function needUser(who: Identity): void {
  if (who.userId === '') refuse('input', 'a server token must name a user')
}

function readOne(work: Work, who: Identity, cid: string, messageId: string | undefined): WireEvent {
  const access = openChannel(work.db, cid, who)
  if (!access.flags.read_events) refuse('featureNotSupported', 'read events are switched off in this channel')
  need(access, who, 'read-events', 'ReadEvents')
  if (!access.member) return refuse('notAllowed', 'only members have a read state')
  return read(work, access, access.member, messageId)
}

/** Watchers get an event per channel; the reader gets one, without a channel. See docs/wire.md 8.8 "mark all". */
function readEverything(work: Work, who: Identity): WireEvent {
  for (const cid of channelsWithUnread(work.db, who.userId)) {
    const channel = channelByCid(work.db, cid)
    if (channel && channel.deleted_at === null) readSilently(work, accessTo(work.db, channel, who), who.userId)
  }
  const event: WireEvent = {
    type: 'notification.mark_read',
    created_at: toText(work.now),
    user: work.people(who.userId),
    ...unreadCounters(work, who.userId),
  }
  work.emit({ event, to: { kind: 'users', ids: [who.userId] } })
  return event
}

function readSilently(work: Work, { channel, member, floor }: Access, userId: string): void {
  const at = work.stamp(channel.cid)
  const scope = { kind: 'channel', key: channel.cid } as const
  const newest = readPage(work.db, scope, { viewer: userId, floor }, 'newest', undefined, 1)[0]
  const last = newest?.id ?? member?.last_read_message_id ?? null
  changeMember(work.db, channel.cid, userId, { last_read: at, last_read_message_id: last, unread: 0 })
  const shown = showsReads(work, userId)
  work.emit({
    event: channelEvent('message.read', channel, at, {
      user: work.people(userId),
      ...(last ? { last_read_message_id: last } : {}),
    }),
    to: shown ? { kind: 'watchers', cid: channel.cid, author: userId } : { kind: 'users', ids: [userId] },
    log: shown ? 'channel' : { userId },
  })
}

/** Marks only move forward; messages that do not exist or are not visible to this user are skipped. */
function deliver(work: Work, who: Identity, cid: string, id: string): WireEvent | undefined {
  const channel = channelByCid(work.db, cid)
  const message = messageById(work.db, id)
  if (!channel || message?.cid !== cid || !message.in_channel) return undefined
  const access = accessTo(work.db, channel, who)
  const { member, flags, can } = access
  if (!isVisible(message, access, who)) return undefined
  if (!member || !flags.delivery_events || !can.has('delivery-events')) return undefined
  if (message.created_at <= (member.last_delivered_at ?? 0)) return undefined
  changeMember(work.db, cid, who.userId, { last_delivered_at: message.created_at, last_delivered_message_id: id })
  const event = channelEvent('message.delivered', channel, work.stamp(cid), {
    user: work.people(who.userId),
    last_delivered_at: toText(message.created_at),
    last_delivered_message_id: id,
  })
  const shown = showsPrivately(work, who.userId, 'delivery_receipts')
  work.emit({
    event,
    to: shown ? { kind: 'watchers', cid, author: who.userId } : { kind: 'users', ids: [who.userId] },
    log: shown ? 'channel' : { userId: who.userId },
  })
  return event
}

/** See docs/wire.md 5.23. */
function countsOf(work: Work, userId: string): UnreadCounts {
  const channels = unreadChannels(work.db, userId)
  const threads = unreadThreads(work.db, userId)
  const sum = (rows: readonly { readonly unread: number }[]) => rows.reduce((total, row) => total + row.unread, 0)
  return {
    total_unread_count: sum(channels),
    total_unread_threads_count: threads.length,
    channels: channels.map((row) => ({
      channel_id: row.cid,
      unread_count: row.unread,
      last_read: toText(row.last_read),
    })),
    channel_type: [...Map.groupBy(channels, (row) => row.type)].map(([type, rows]) => ({
      channel_type: type,
      channel_count: rows.length,
      unread_count: sum(rows),
    })),
    threads: threads.map((row) => ({
      parent_message_id: row.parent_id,
      unread_count: row.unread,
      last_read: toText(row.last_read),
      last_read_message_id: row.last_read_message_id ?? undefined,
    })),
  }
}
