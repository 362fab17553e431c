import type { WireMessage, WireUser } from '#shared/wire/objects.ts'
import type { Identity } from '../http/auth/identify.ts'
import { encodeMessages } from './load-messages.ts'
import { refuse } from '../http/refusal.ts'
import type { Emission } from '../realtime/emission.ts'
import type { Access } from '../channels/access.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { unhide } from '../channels/member-table.ts'
import { audienceIds, messageById, threadAuthors, type MessageRow } from './message-table.ts'
import { noteReply, participantIds, threadTotals } from '../threads/participant-table.ts'
import { blockersOf } from '../users/people-tables.ts'
import type { Work } from '../work.ts'
import { channelForMany } from '../channels/channel-state.ts'
import { channelEvent } from '../realtime/channel-event.ts'

/** A message as one person sees it. */
export function messageFor(work: Work, row: MessageRow, who: Identity): WireMessage {
  return one(encodeMessages(work.db, [row], { viewer: who.userId, now: work.now, people: work.people }))
}

/** A message as it goes to many: no own reactions, no own votes. */
export function messageForMany(work: Work, row: MessageRow): WireMessage {
  return one(encodeMessages(work.db, [row], { viewer: undefined, now: work.now, people: work.people }))
}

function one(messages: readonly WireMessage[]): WireMessage {
  return messages[0] ?? refuse('internal', 'the message was not encoded')
}

/** Anyone who blocks its author hears nothing of a message. See docs/wire.md 8.14 "block user". */
function exceptBlockers(work: Work, row: MessageRow): { except?: readonly string[] } {
  const blockers = blockersOf(work.db, row.user_id)
  return blockers.length === 0 ? {} : { except: blockers }
}

/** A message's event to the watchers who may see it and to its author, kept for /sync. */
export function emitAbout(
  work: Work,
  row: MessageRow,
  event: Emission['event'],
  author: string,
  options: { readonly counters?: boolean } = {},
): void {
  const only = audienceIds(row)
  const reach = author === '' || only?.includes(author) === false ? {} : { author }
  work.emit({
    event,
    to: { kind: 'watchers', cid: row.cid, ...reach, ...(only ? { only } : {}), ...exceptBlockers(work, row) },
    keep: only ? { userIds: only } : 'channel',
    ...options,
  })
}

/** Tells everyone of a new message. Answers it as they see it. */
export function announceNew(work: Work, access: Access, row: MessageRow, keepHidden: boolean): WireMessage {
  const message = messageForMany(work, row)
  const user = work.people(row.user_id)
  const watcher_count = work.hub.watcherCount(row.cid)
  const fields = { message, message_id: row.id, user, watcher_count, ...threadOf(work, row) }
  const event = channelEvent('message.new', access.channel, row.created_at, fields)
  emitAbout(work, row, event, row.user_id, { counters: true })
  const fresh = { channel: channelByCid(work.db, row.cid) ?? access.channel, flags: access.flags }
  if (row.in_channel && !keepHidden && row.audience === null) showAgain(work, fresh)
  if (row.in_channel) announceToAbsent(work, fresh, row, fields)
  if (row.parent_id !== null && row.audience === null) announceReply(work, fresh, row, fields)
  return message
}

/** Who wrote in the thread so far, and whose message it hangs on: for replies only. */
function threadOf(
  work: Work,
  row: MessageRow,
): { thread_participants?: readonly WireUser[]; parent_author?: WireUser } {
  const parent = row.parent_id === null ? undefined : messageById(work.db, row.parent_id)
  if (!parent) return {}
  return {
    thread_participants: threadAuthors(work.db, parent.id).map(work.people),
    parent_author: work.people(parent.user_id),
  }
}

/** The channel as it is after the message. */
type Fresh = Pick<Access, 'channel' | 'flags'>

type Fields = {
  message: WireMessage
  message_id: string
  user: ReturnType<Work['people']>
  watcher_count: number
}

function announceToAbsent(work: Work, access: Fresh, row: MessageRow, fields: Fields): void {
  // No one to tell: a channel with its configuration is the larger part of what would be encoded.
  if (work.hub.everybodyWatches(row.cid)) return
  const only = audienceIds(row)
  work.emit({
    event: channelEvent('notification.message_new', access.channel, row.created_at, {
      ...fields,
      channel: channelForMany(work, access, true),
    }),
    to: {
      kind: 'absentMembers',
      cid: row.cid,
      except: [row.user_id, ...blockersOf(work.db, row.user_id)],
      ...(only ? { only } : {}),
    },
    counters: true,
  })
}

/** The parent's counters changed; the others in the thread hear of it. */
function announceReply(work: Work, access: Fresh, row: MessageRow, fields: Fields): void {
  const parent = messageById(work.db, row.parent_id ?? '')
  if (!parent) return
  work.emit({
    event: channelEvent('message.updated', access.channel, work.stamp(row.cid), {
      message: messageForMany(work, parent),
      message_id: parent.id,
      user: fields.user,
    }),
    to: { kind: 'watchers', cid: row.cid, author: row.user_id, ...exceptBlockers(work, parent) },
    keep: 'channel',
  })
  noteReply(work.db, row, parent.id, [parent.user_id, ...threadAuthors(work.db, parent.id)])
  const channel = channelForMany(work, access, true)
  const blockers = new Set(blockersOf(work.db, row.user_id))
  for (const userId of participantIds(work.db, parent.id)) {
    if (userId === row.user_id || blockers.has(userId)) continue
    work.emit({
      event: channelEvent('notification.thread_message_new', access.channel, row.created_at, {
        ...fields,
        channel,
        thread_id: parent.id,
        ...threadTotals(work.db, userId),
      }),
      to: { kind: 'users', ids: [userId] },
      keep: { userId },
    })
  }
}

/** A new message brings a hidden channel back. See docs/wire.md 8.13 "auto show". */
function showAgain(work: Work, access: Fresh): void {
  const { cid } = access.channel
  for (const userId of unhide(work.db, cid)) {
    work.emit({
      event: channelEvent('channel.visible', access.channel, work.stamp(cid), {
        channel: channelForMany(work, access),
        user: work.people(userId),
      }),
      to: { kind: 'users', ids: [userId] },
      keep: { userId },
    })
  }
}

/** Tells everyone watching how a message looks now. */
export function announceMessage(
  work: Work,
  access: Access,
  who: Identity,
  type: 'message.updated' | 'message.deleted',
  row: MessageRow,
  fields: { hard_delete?: boolean } = {},
): void {
  const event = channelEvent(type, access.channel, work.stamp(row.cid), {
    ...fields,
    message: messageForMany(work, row),
    message_id: row.id,
    user: work.people(who.userId),
  })
  emitAbout(work, row, event, who.userId)
}
