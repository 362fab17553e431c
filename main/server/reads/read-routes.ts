import * as v from 'valibot'
import {
  markRead,
  markUnread,
  sendEvent,
  markChannelsRead,
  markDelivered,
  unreadCounts,
  unreadCountsBatch,
  type UnreadCounts,
} from '#shared/wire/channels.ts'
import type { WireEvent } from '#shared/wire/events.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { idText, time, list } from '../http/shapes.ts'
import { need, openChannel, type Access, accessTo } from '../channels/access.ts'
import { checkChannelId } from '../channels/channels.ts'
import {
  changeMember,
  memberOf,
  recountUnreadOfMember,
  type MemberRow,
  channelsWithUnread,
  unreadChannels,
} from '../channels/member-table.ts'
import { messageById, readPage, type MessageRow } from '../messages/message-table.ts'
import { toText, type Micros } from '../store/time.ts'
import type { TypingPlace } from '../realtime/presence.ts'
import { transact, type Work } from '../work.ts'
import { channelForMany, showsPrivately, showsReads } from '../channels/channel-state.ts'
import { channelEvent, isOwnEvent, MAX_EVENT_BYTES } from '../realtime/emission.ts'
import { isVisible } from '../messages/message-checks.ts'
import { unreadCounters } from '../users/encode-users.ts'
import { readThread, unreadReplies, unreadThreads } from '../threads/thread-table.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { usersByIds } from '../users/user-tables.ts'

export const readRoutes: readonly Route[] = [
  route(
    markRead,
    { body: v.looseObject({ message_id: idText(), thread_id: idText() }) },
    ({ params, body, who }, work) => {
      const { access, member } = reader(work, params, who)
      if (body.thread_id !== undefined)
        return { event: readThreadUpTo(work, access, member, body.thread_id, body.message_id) }
      return { event: read(work, access, member, body.message_id) }
    },
  ),
  route(
    markUnread,
    { body: v.looseObject({ message_id: idText(), message_timestamp: time, thread_id: idText() }) },
    ({ params, body, who }, work) => {
      const { access, member } = reader(work, params, who)
      const { message_id: messageId, message_timestamp: since, thread_id: threadId } = body
      if (threadId !== undefined) {
        unreadThreadFrom(work, access, member, { threadId, messageId, since })
        return {}
      }
      unread(work, access, member, messageId, since)
      return {}
    },
  ),
  route(
    sendEvent,
    {
      body: v.looseObject({ event: v.optional(v.looseObject({ type: v.optional(v.string()), parent_id: idText() })) }),
    },
    ({ params, body, who }, work) => {
      const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
      return { event: relay(work, access, who, body.event ?? {}) }
    },
  ),
]

function reader(
  work: Work,
  params: { type: string; id: string },
  who: Identity,
): { access: Access; member: MemberRow } {
  const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
  if (!access.flags.read_events) return refuse('featureNotSupported', 'read events are switched off in this channel')
  need(access, who, 'read-events', 'ReadEvents')
  if (!access.member) return refuse('notAllowed', 'only members have a read state')
  return { access, member: access.member }
}

/** See docs/wire.md 8.8 "mark read". */
function read(work: Work, access: Access, member: MemberRow, messageId: string | undefined): WireEvent {
  const { channel } = access
  const at = work.stamp(channel.cid)
  const upTo =
    messageId === undefined ? newest(work, access, member.user_id) : inChannel(work, access, member.user_id, messageId)
  const last = upTo?.id ?? member.last_read_message_id
  let unread = 0
  if (messageId === undefined || !upTo) {
    changeMember(work.db, channel.cid, member.user_id, { last_read: at, last_read_message_id: last, unread })
  } else {
    changeMember(work.db, channel.cid, member.user_id, { last_read: upTo.created_at, last_read_message_id: last })
    unread = recountUnreadOfMember(work.db, channel.cid, member.user_id)
  }
  return announceRead(work, access, { userId: member.user_id, at, lastReadId: last, unread })
}

function newest(work: Work, access: Access, viewer: string): MessageRow | undefined {
  const scope = { kind: 'channel', key: access.channel.cid } as const
  return readPage(work.db, scope, { viewer, floor: access.floor }, 'newest', undefined, 1)[0]
}

function inChannel(work: Work, access: Access, userId: string, id: string): MessageRow {
  const row = messageById(work.db, id)
  if (!row || !isVisible(row, access, { userId, server: false }))
    return refuse('doesNotExist', `message ${id} does not exist`)
  return row
}

/** How far back a message may be to be marked unread. See docs/wire.md 8.8 "mark unread by message". */
const LAST_MESSAGES = 100

/** Refuses a message that is not among the newest that the user sees here. */
function recent(work: Work, access: Access, userId: string, id: string): MessageRow {
  const row = inChannel(work, access, userId, id)
  const scope = { kind: 'channel', key: access.channel.cid } as const
  const view = { viewer: userId, floor: access.floor }
  const after = readPage(work.db, scope, view, 'after', { at: row.created_at, id: row.id }, LAST_MESSAGES)
  if (after.length < LAST_MESSAGES) return row
  return refuse('input', `only one of the last ${LAST_MESSAGES} messages can be marked unread`)
}

/** From a message on, or from a time on. See docs/wire.md 8.8 "mark unread". */
function unread(
  work: Work,
  access: Access,
  member: MemberRow,
  messageId: string | undefined,
  since: number | undefined,
): void {
  const { channel } = access
  const view = { viewer: member.user_id, floor: access.floor }
  const scope = { kind: 'channel', key: channel.cid } as const
  const first =
    messageId === undefined
      ? readPage(
          work.db,
          scope,
          view,
          'after',
          { at: since ?? refuse('input', 'message_id or message_timestamp is needed'), id: '\u{10FFFF}' },
          1,
        )[0]
      : recent(work, access, member.user_id, messageId)
  const place = first ? { at: first.created_at, id: first.id } : undefined
  const before = readPage(work.db, scope, view, place ? 'before' : 'newest', place, 1)[0]
  const lastRead = messageId === undefined ? (since ?? 0) : (before?.created_at ?? (first?.created_at ?? 1) - 1)
  changeMember(work.db, channel.cid, member.user_id, { last_read: lastRead, last_read_message_id: before?.id ?? null })
  recountUnreadOfMember(work.db, channel.cid, member.user_id)
  const after = memberOf(work.db, channel.cid, member.user_id)
  work.emit({
    event: channelEvent('notification.mark_unread', channel, work.stamp(channel.cid), {
      user: work.people(member.user_id),
      channel: channelForMany(work, access),
      ...(first ? { first_unread_message_id: first.id } : {}),
      last_read_at: toText(lastRead),
      ...(before ? { last_read_message_id: before.id } : {}),
      unread_messages: after?.unread ?? 0,
      ...unreadCounters(work, member.user_id),
    }),
    to: { kind: 'users', ids: [member.user_id] },
    log: { userId: member.user_id },
  })
}

/** Keys that clients trust to come from the server: custom events may not carry them. */
const SERVER_KEYS: ReadonlySet<string> = new Set([
  'me',
  'own_capabilities',
  'connection_id',
  'watcher_count',
  'unread_count',
  'unread_channels',
  'unread_threads',
  'unread_thread_messages',
  'total_unread_count',
  'message',
  'channel',
  'member',
  'received_at',
])

const withoutServerKeys = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([key]) => !SERVER_KEYS.has(key)))

/** Typing and custom events: relayed, never stored. */
function relay(work: Work, access: Access, who: Identity, input: Record<string, unknown>): WireEvent {
  const { type } = input
  if (typeof type !== 'string' || type === '' || type.length > 100) return refuse('input', 'event.type is required')
  const typing = type === 'typing.start' || type === 'typing.stop'
  if (typing) {
    if (!access.flags.typing_events) refuse('eventNotSupported', 'typing events are switched off in this channel')
    need(access, who, 'send-typing-events', 'SendTypingEvent')
  } else {
    if (isOwnEvent(type)) refuse('eventNotSupported', `events of type ${type} cannot be sent`)
    if (!access.flags.custom_events) refuse('eventNotSupported', 'custom events are switched off in this channel')
    need(access, who, 'send-custom-events', 'SendCustomEvent')
  }
  if (JSON.stringify(input).length > MAX_EVENT_BYTES) refuse('payloadTooBig', 'an event is limited to 5 KB')
  const { channel } = access
  const event = {
    ...(typing ? { parent_id: input['parent_id'] } : withoutServerKeys(input)),
    type,
    created_at: toText(work.now),
    cid: channel.cid,
    channel_type: channel.type,
    channel_id: channel.id,
    user: work.people(who.userId),
  } as WireEvent
  const hidden = typing && !showsPrivately(work, who.userId, 'typing_indicators')
  if (typing && !hidden) followTyping(work, event, channel, who.userId)
  if (!hidden) {
    work.emit({
      event,
      to: { kind: 'watchers', cid: channel.cid, except: typing ? who.userId : undefined },
      droppable: typing,
    })
  }
  return event
}

/** Typing ends without an event too: after seven seconds, or when the user disconnects. See docs/wire.md 4.9. */
function followTyping(work: Work, event: WireEvent, channel: Access['channel'], userId: string): void {
  const { type, parent_id: parentId } = event as { type: string; parent_id?: unknown }
  const place = { cid: channel.cid, userId, parentId: typeof parentId === 'string' ? parentId : undefined }
  work.afterwards(() => {
    if (type === 'typing.stop') return work.presence.stopTyping(place)
    return work.presence.startTyping(place, work.clock, () =>
      transact(work, (later) => endTyping(later, channel, place)),
    )
  })
}

function endTyping(work: Work, channel: Access['channel'], { userId, parentId }: TypingPlace): void {
  work.emit({
    event: channelEvent('typing.stop', channel, work.now, {
      user: work.people(userId),
      ...(parentId === undefined ? {} : { parent_id: parentId }),
    }),
    to: { kind: 'watchers', cid: channel.cid, except: userId },
    droppable: true,
  })
}

/**
 * Marks a thread as read, up to one reply or to the newest. The read state of the channel stays as it is. See
 * docs/wire.md 8.8.
 */
function readThreadUpTo(
  work: Work,
  access: Access,
  member: MemberRow,
  threadId: string,
  messageId: string | undefined,
): WireEvent {
  const { channel } = access
  const parent = replyIn(work, access, member, threadId)
  const upTo = messageId === undefined ? undefined : replyIn(work, access, member, messageId)
  if (upTo && upTo.parent_id !== parent.id) return refuse('input', 'the message is not in this thread')
  const scope = { kind: 'replies', key: parent.id } as const
  const view = { viewer: member.user_id, floor: access.floor }
  const last = (upTo ?? readPage(work.db, scope, view, 'newest', undefined, 1)[0])?.id ?? null
  const at = work.stamp(channel.cid)
  readThread(work.db, parent, member.user_id, { at: upTo?.created_at ?? at, messageId: last })
  const unread = upTo ? unreadReplies(work.db, parent.id, member.user_id) : 0
  return announceRead(work, access, { userId: member.user_id, at, lastReadId: last, unread, threadId: parent.id })
}

/** Marks a thread as unread from a reply or from a time on. */
function unreadThreadFrom(
  work: Work,
  access: Access,
  member: MemberRow,
  from: {
    readonly threadId: string
    readonly messageId: string | undefined
    readonly since: number | undefined
  },
): void {
  const { channel } = access
  const parent = replyIn(work, access, member, from.threadId)
  const first = from.messageId === undefined ? undefined : replyIn(work, access, member, from.messageId)
  if (first && first.parent_id !== parent.id) return refuse('input', 'the message is not in this thread')
  const lastRead = first ? first.created_at - 1 : (from.since ?? parent.created_at)
  readThread(work.db, parent, member.user_id, { at: lastRead, messageId: null })
  work.emit({
    event: channelEvent('notification.mark_unread', channel, work.stamp(channel.cid), {
      user: work.people(member.user_id),
      ...(first ? { first_unread_message_id: first.id } : {}),
      last_read_at: toText(lastRead),
      thread_id: parent.id,
      unread_messages: unreadReplies(work.db, parent.id, member.user_id),
      ...unreadCounters(work, member.user_id),
    }),
    to: { kind: 'users', ids: [member.user_id] },
    log: { userId: member.user_id },
  })
}

function replyIn(work: Work, access: Access, member: MemberRow, id: string): MessageRow {
  const row = messageById(work.db, id)
  return row && isVisible(row, access, { userId: member.user_id, server: false })
    ? row
    : refuse('doesNotExist', `message ${id} does not exist`)
}

/** How far a user has read now: the channel, or one thread of it. */
type ReadNow = {
  readonly userId: string
  readonly at: Micros
  readonly lastReadId: string | null
  /** What is still unread there. */
  readonly unread: number
  readonly threadId?: string
}

/**
 * Announces a read: to watchers unless the reader hides read receipts, and to the reader's own connections with the new
 * counters. Returns the event for the response. See docs/wire.md 8.8.
 */
function announceRead(work: Work, access: Access, { userId, at, lastReadId, unread, threadId }: ReadNow): WireEvent {
  const { channel } = access
  const fields = { user: work.people(userId), ...(lastReadId === null ? {} : { last_read_message_id: lastReadId }) }
  const thread = threadId === undefined ? {} : { thread: { parent_message_id: threadId } }
  const event = channelEvent('message.read', channel, at, { ...fields, ...thread })
  const shown = showsReads(work, userId)
  work.emit({
    event,
    to: shown ? { kind: 'watchers', cid: channel.cid, author: userId } : { kind: 'users', ids: [userId] },
    log: shown ? 'channel' : { userId },
  })
  work.emit({
    event: channelEvent('notification.mark_read', channel, at, {
      ...fields,
      ...(threadId === undefined ? {} : { thread_id: threadId }),
      channel: channelForMany(work, access),
      unread_messages: unread,
      ...unreadCounters(work, userId),
    }),
    to: { kind: 'users', ids: [userId] },
    log: { userId },
  })
  return event
}

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
