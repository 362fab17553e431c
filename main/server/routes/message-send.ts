import * as v from 'valibot'
import { sendMessage } from '#shared/wire/messages.ts'
import { MAX_MESSAGE_LENGTH } from '#shared/constants.ts'
import type { WireMessage } from '#shared/wire/objects.ts'
import type { Identity } from '../auth/identify.ts'
import { encodeMessages } from '../encode/load.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { flag } from '../http/shapes.ts'
import { accessTo, need, openChannel, type Access } from '../rules/access.ts'
import { checkChannelId } from '../rules/channels.ts'
import { channelByCid, noteMessage } from '../store/tables/channels.ts'
import { changeMember, countUnread } from '../store/tables/members.ts'
import {
  insertMessage,
  lastOwnMessageAt,
  messageById,
  recountReplies,
  threadAuthors,
  type MessageRow,
} from '../store/tables/messages.ts'
import { pollById } from '../store/tables/polls.ts'
import { usersByIds } from '../store/tables/users.ts'
import { SECOND } from '../time.ts'
import type { Work } from '../work.ts'
import { channelForMany } from './channel-state.ts'
import { channelEvent } from './events.ts'
import { readMessage, type MessageDraft } from './message-input.ts'

const sendBody = v.looseObject({ message: v.unknown(), keep_channel_hidden: flag })

export const sendRoutes: readonly Route[] = [
  route(sendMessage, { body: sendBody }, ({ params, body, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    const draft = readMessage(body.message)
    const row = post(work, access, who, draft, { keepHidden: body.keep_channel_hidden ?? false })
    return { message: messageFor(work, row, who) }
  }),
]

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

/** Stores a message and tells everybody. The order of the checks is the contract's. Source: wire contract 8.7. */
export function post(
  work: Work,
  access: Access,
  who: Identity,
  draft: MessageDraft,
  options: { readonly keepHidden?: boolean; readonly system?: boolean } = {},
): MessageRow {
  if (who.userId === '') return refuse('input', 'a server token must name a user')
  if (!options.system) checkRights(work, access, who, draft)
  checkId(work, draft)
  checkContent(work, access, who, draft)
  const row = write(work, access, who, draft, options.system ?? false)
  announce(work, access, row, options.keepHidden ?? false)
  return row
}

function checkRights(work: Work, access: Access, who: Identity, draft: MessageDraft): void {
  const isReply = draft.parent_id !== undefined
  if (isReply && !access.flags.replies) refuse('featureNotSupported', 'replies are switched off in this channel')
  need(access, who, isReply ? 'send-reply' : 'send-message', 'CreateMessage')
  if (!access.can.has('slow-mode')) return
  const last = lastOwnMessageAt(work.db, access.channel.cid, who.userId)
  if (last !== undefined && work.now - last < access.channel.cooldown * SECOND) {
    refuse('cooldown', `slow mode: one message every ${access.channel.cooldown} seconds`)
  }
}

/** The same id again is never a second row or a second event. */
function checkId(work: Work, draft: MessageDraft): void {
  if (draft.id !== undefined && messageById(work.db, draft.id)) {
    refuse('input', `a message with ID ${draft.id} already exists`)
  }
}

function checkContent(work: Work, access: Access, who: Identity, draft: MessageDraft): void {
  const limit = Math.min(access.flags.max_message_length, MAX_MESSAGE_LENGTH)
  if ((draft.text ?? '').length > limit) refuse('messageTooLong', `the message is longer than ${limit} characters`)
  const attachments = draft.attachments ?? []
  const something =
    (draft.text ?? '').trim() !== '' || attachments.length > 0 || draft.poll_id || draft.quoted_message_id
  if (!something) refuse('input', 'the message is empty: text, attachments, a poll or a quote is needed')
  checkParent(work, access, draft)
  checkQuote(work, access, who, draft)
  if (attachments.length > 0) {
    if (!access.flags.uploads) refuse('featureNotSupported', 'uploads are switched off in this channel')
    need(access, who, 'create-attachment', 'CreateAttachment')
  }
  if (draft.pinned) need(access, who, 'pin-message', 'PinMessage')
  if (draft.poll_id) checkPoll(work, access, who, draft.poll_id)
}

function checkParent(work: Work, access: Access, draft: MessageDraft): void {
  if (draft.parent_id === undefined) return
  const parent = messageById(work.db, draft.parent_id)
  if (!parent || parent.cid !== access.channel.cid || parent.deleted_at !== null) {
    return refuse('doesNotExist', `parent message ${draft.parent_id} does not exist`)
  }
  if (parent.parent_id !== null) refuse('multipleNesting', 'a reply cannot be replied to')
}

function checkQuote(work: Work, access: Access, who: Identity, draft: MessageDraft): void {
  if (draft.quoted_message_id === undefined) return
  if (!access.flags.quotes) refuse('featureNotSupported', 'quotes are switched off in this channel')
  need(access, who, 'quote-message', 'QuoteMessage')
  const quoted = messageById(work.db, draft.quoted_message_id)
  if (!quoted || quoted.cid !== access.channel.cid) {
    refuse('doesNotExist', `quoted message ${draft.quoted_message_id} does not exist`)
  }
}

function checkPoll(work: Work, access: Access, who: Identity, pollId: string): void {
  if (!access.flags.polls) refuse('featureNotSupported', 'polls are switched off in this channel')
  need(access, who, 'send-poll', 'SendPoll')
  const poll = pollById(work.db, pollId)
  if (!poll || poll.created_by !== who.userId) refuse('doesNotExist', `poll ${pollId} does not exist`)
}

/** What a client may call a message; everything else follows from what it is. */
function typeOf(draft: MessageDraft, system: boolean): string {
  if (system) return 'system'
  return draft.parent_id === undefined ? 'regular' : 'reply'
}

function write(work: Work, access: Access, who: Identity, draft: MessageDraft, system: boolean): MessageRow {
  const { cid } = access.channel
  const at = work.stamp(cid)
  const inChannel = draft.parent_id === undefined || draft.show_in_channel === true
  const shadowed = access.member?.shadow_banned === 1
  const row: MessageRow = {
    id: draft.id ?? work.ids.uuid(),
    cid,
    user_id: who.userId,
    type: typeOf(draft, system),
    text: draft.text ?? '',
    parent_id: draft.parent_id ?? null,
    show_in_channel: Number(draft.parent_id !== undefined && draft.show_in_channel === true),
    in_channel: Number(inChannel),
    quoted_id: draft.quoted_message_id ?? null,
    poll_id: draft.poll_id ?? null,
    silent: Number(draft.silent ?? false),
    shadowed: Number(shadowed),
    created_at: at,
    updated_at: at,
    text_updated_at: null,
    deleted_at: null,
    pinned_at: draft.pinned ? at : null,
    pinned_by: draft.pinned ? who.userId : null,
    pin_expires: draft.pin_expires ?? null,
    reply_count: 0,
    deleted_reply_count: 0,
    attachments: JSON.stringify(draft.attachments ?? []),
    mentions: JSON.stringify(knownPeople(work, draft.mentioned_users ?? [])),
    custom: JSON.stringify(draft.custom),
  }
  insertMessage(work.db, row)
  noteCounters(work, access, row)
  return row
}

/** Ids of people who exist, each once, in the order given. */
export function knownPeople(work: Work, ids: readonly string[]): string[] {
  const known = usersByIds(work.db, ids)
  return [...new Set(ids)].filter((id) => known.has(id))
}

function noteCounters(work: Work, access: Access, row: MessageRow): void {
  const { cid } = row
  if (row.shadowed) return
  if (row.in_channel) {
    noteMessage(work.db, cid, row.created_at)
    if (!row.silent && access.flags.read_events) countUnread(work.db, cid, row.user_id, row.created_at)
    if (access.member) {
      changeMember(work.db, cid, row.user_id, {
        last_read: row.created_at,
        last_read_message_id: row.id,
        unread: 0,
      })
    }
  }
  if (row.parent_id !== null) recountReplies(work.db, row.parent_id)
}

function announce(work: Work, access: Access, row: MessageRow, keepHidden: boolean): void {
  const message = messageForMany(work, row)
  const user = work.people(row.user_id)
  const watcher_count = work.hub.watchingUsers(row.cid).size
  const fields = { message, message_id: row.id, user, watcher_count }
  const event = channelEvent('message.new', access.channel, row.created_at, fields)
  if (row.shadowed) return work.emit({ event, to: { kind: 'users', ids: [row.user_id] } })
  work.emit({
    event,
    to: { kind: 'watchers', cid: row.cid, author: row.user_id },
    counters: true,
    keep: 'channel',
  })
  const fresh = accessTo(work.db, channelByCid(work.db, row.cid) ?? access.channel, NOBODY)
  if (row.in_channel && !keepHidden) unhide(work, fresh)
  if (row.in_channel) announceToAbsent(work, fresh, row, fields)
  if (row.parent_id !== null) announceReply(work, fresh, row, fields)
}

const NOBODY: Identity = { userId: '', role: 'user', banned: false, server: false, expiresAtMs: undefined }

type Fields = {
  message: WireMessage
  message_id: string
  user: ReturnType<Work['people']>
  watcher_count: number
}

function announceToAbsent(work: Work, access: Access, row: MessageRow, fields: Fields): void {
  work.emit({
    event: channelEvent('notification.message_new', access.channel, row.created_at, {
      ...fields,
      channel: channelForMany(work, access, true),
    }),
    to: { kind: 'absentMembers', cid: row.cid, except: row.user_id },
    counters: true,
  })
}

/** The parent's counters changed; the others in the thread hear of it. */
function announceReply(work: Work, access: Access, row: MessageRow, fields: Fields): void {
  const parent = messageById(work.db, row.parent_id ?? '')
  if (!parent) return
  work.emit({
    event: channelEvent('message.updated', access.channel, work.stamp(row.cid), {
      message: messageForMany(work, parent),
      message_id: parent.id,
      user: fields.user,
    }),
    to: { kind: 'watchers', cid: row.cid, author: row.user_id },
    keep: 'channel',
  })
  const others = new Set([parent.user_id, ...threadAuthors(work.db, parent.id)])
  others.delete(row.user_id)
  const members = [...others].filter((id) => work.hub.ofUser(id).size > 0)
  work.emit({
    event: channelEvent('notification.thread_message_new', access.channel, row.created_at, {
      ...fields,
      channel: channelForMany(work, access, true),
      thread_id: parent.id,
    }),
    to: { kind: 'users', ids: members },
  })
}

/** A new message brings a hidden channel back. Source: wire contract 8.13 "auto show". */
function unhide(work: Work, access: Access): void {
  const { cid } = access.channel
  const hidden = work.db.all<{ user_id: string }>(
    'UPDATE members SET hidden = 0 WHERE cid = ? AND hidden = 1 RETURNING user_id',
    cid,
  )
  for (const { user_id } of hidden) {
    work.emit({
      event: channelEvent('channel.visible', access.channel, work.stamp(cid), {
        channel: channelForMany(work, access),
        user: work.people(user_id),
      }),
      to: { kind: 'users', ids: [user_id] },
      keep: { userId: user_id },
    })
  }
}
