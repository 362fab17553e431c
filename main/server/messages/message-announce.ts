import type { WireMessage, WireUser } from '#shared/wire/objects.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { type Emission, channelEvent } from '../realtime/emission.ts'
import type { Access } from '../channels/access.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { unhide } from '../channels/member-table.ts'
import { noteReply, participantIds, threadTotals } from '../threads/thread-table.ts'
import { blockersOf } from '../users/user-tables.ts'
import type { Work } from '../work.ts'
import { channelForMany } from '../channels/channel-state.ts'
import { encodeMessages } from './encode-messages.ts'
import { audienceIds, messageById, threadAuthors, type MessageRow } from './message-table.ts'

/** A message as one user sees it. */
export function messageFor(work: Work, row: MessageRow, who: Identity): WireMessage {
  return one(encodeMessages(work.db, [row], { viewer: who.userId, now: work.now, people: work.people }))
}

/** The form for many recipients: no own reactions, no own votes. */
export function messageForMany(work: Work, row: MessageRow): WireMessage {
  return one(encodeMessages(work.db, [row], { viewer: undefined, now: work.now, people: work.people }))
}

function one(messages: readonly WireMessage[]): WireMessage {
  return messages[0] ?? refuse('internal', 'the message was not encoded')
}

/** Users who blocked the author do not get events of their messages. See docs/wire.md 8.14 "block user". */
function exceptBlockers(work: Work, row: MessageRow): { except?: readonly string[] } {
  const blockers = blockersOf(work.db, row.user_id)
  return blockers.length === 0 ? {} : { except: blockers }
}

/** Sends an event about a message to the watchers who may see it and to its author, and logs it for /sync. */
export function emitAbout(
  work: Work,
  row: MessageRow,
  event: Emission['event'],
  author: string,
  options: { readonly counters?: boolean } = {},
): void {
  const only = audienceIds(row)
  const authorToo = author === '' || only?.includes(author) === false ? {} : { author }
  work.emit({
    event,
    to: { kind: 'watchers', cid: row.cid, ...authorToo, only, ...exceptBlockers(work, row) },
    log: only ? { userIds: only } : 'channel',
    ...options,
  })
}

/** Announces a new message. Returns its form for many recipients. */
export function announceNew(work: Work, access: Access, row: MessageRow, keepHidden: boolean): WireMessage {
  const message = messageForMany(work, row)
  const user = work.people(row.user_id)
  const watcher_count = work.hub.watcherCount(row.cid)
  const fields = { message, message_id: row.id, user, watcher_count, ...threadOf(work, row) }
  const event = channelEvent('message.new', access.channel, row.created_at, fields)
  emitAbout(work, row, event, row.user_id, { counters: true })
  const fresh = (): CurrentChannel => ({
    channel: channelByCid(work.db, row.cid) ?? access.channel,
    flags: access.flags,
  })
  if (row.in_channel && !keepHidden && row.audience === null) showHiddenAgain(work, row.cid, fresh)
  if (row.in_channel) announceToAbsent(work, fresh, row, fields)
  if (row.parent_id !== null && row.audience === null) announceReply(work, fresh, row, fields)
  return message
}

/** The authors in the thread so far and the author of its parent: for replies only. */
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

/** The channel as it is after the message, read when somebody is told of it. */
type CurrentChannel = Pick<Access, 'channel' | 'flags'>

type Fields = {
  message: WireMessage
  message_id: string
  user: ReturnType<Work['people']>
  watcher_count: number
}

function announceToAbsent(work: Work, fresh: () => CurrentChannel, row: MessageRow, fields: Fields): void {
  // No recipients: skip encoding the channel with its configuration, the larger part of the event.
  if (work.hub.allWatch(row.cid)) return
  const access = fresh()
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
      only,
    },
    counters: true,
  })
}

/** Announces the parent's new counters, and notifies the other participants of the thread. */
function announceReply(work: Work, fresh: () => CurrentChannel, row: MessageRow, fields: Fields): void {
  const parent = messageById(work.db, row.parent_id ?? '')
  if (!parent) return
  const access = fresh()
  work.emit({
    event: channelEvent('message.updated', access.channel, work.stamp(row.cid), {
      message: messageForMany(work, parent),
      message_id: parent.id,
      user: fields.user,
    }),
    to: { kind: 'watchers', cid: row.cid, author: row.user_id, ...exceptBlockers(work, parent) },
    log: 'channel',
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
      log: { userId },
    })
  }
}

/** A new message shows a hidden channel again. See docs/wire.md 8.13 "auto show". */
function showHiddenAgain(work: Work, cid: string, fresh: () => CurrentChannel): void {
  const shown = unhide(work.db, cid)
  if (shown.length === 0) return
  const access = fresh()
  for (const userId of shown) {
    work.emit({
      event: channelEvent('channel.visible', access.channel, work.stamp(cid), {
        channel: channelForMany(work, access),
        user: work.people(userId),
      }),
      to: { kind: 'users', ids: [userId] },
      log: { userId },
    })
  }
}

/** Announces a changed or deleted message to watchers. */
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
