import * as v from 'valibot'
import { getManyMessages } from '#shared/wire/channels.ts'
import {
  deleteMessage,
  getMessage,
  getReplies,
  updateMessage,
  updateMessagePartial,
  sendMessage,
} from '#shared/wire/messages.ts'
import { MAX_MESSAGE_LENGTH, REPLY_PAGE } from '#shared/constants.ts'
import { isLongerThan } from '#shared/rules/messages/text.ts'
import type { WireMember } from '#shared/wire/objects.ts'
import type { Identity } from '../http/auth/identify.ts'
import { isObject, type Json } from '../http/json.ts'
import { storedUrls } from '../uploads/upload-files.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route, Later } from '../http/router.ts'
import { flag, idList, idText, list, object } from '../http/shapes.ts'
import { enrichLater, withoutStalePreviews } from '../og/previews.ts'
import { deny, need, openChannel, type Access } from '../channels/access.ts'
import { checkChannelId } from '../channels/channels.ts'
import { recount, recountUnread, uncountUnread, memberOf } from '../channels/member-table.ts'
import { unnoteMessage, noteMessage } from '../channels/channel-table.ts'
import { MS, optionalTime } from '../store/time.ts'
import type { Work } from '../work.ts'
import { channelFor } from '../channels/channel-state.ts'
import { channelEvent } from '../realtime/emission.ts'
import { dropRemindersOf } from '../reminders/reminder-routes.ts'
import { changeOf, type PartialUpdate } from '../admin/partial-updates.ts'
import { encodeMessages } from './encode-messages.ts'
import {
  hideMessage,
  changeMessage,
  deleteMessageRow,
  messageById,
  messagesByIds,
  recountReplies,
  shownReplies,
  type MessageExtra,
  type MessageRow,
  addHistory,
  findPage,
  messagePage,
} from './message-table.ts'
import {
  checkAttaching,
  checkBroadcast,
  LINK,
  markupOf,
  broadcastsOf,
  type BroadcastFields,
  isVisible,
  knownPeople,
  openMessage,
} from './message-checks.ts'
import { requireMessage, isCustomKey, messageInput, readMessage } from './message-input.ts'
import { announceMessage, messageFor } from './message-announce.ts'
import { moderatedEdit } from '../moderation/rules.ts'
import { postAndAnnounce } from './message-post.ts'
import { encodeMember } from '../channels/encode-channels.ts'
import { runCommand } from '../commands/commands.ts'

const partialBody = v.object({ set: object, unset: list(v.string(), 100), skip_enrich_url: flag })

export const messageRoutes: readonly Route[] = [
  route(getMessage, { query: v.looseObject({ show_deleted_message: flag }) }, ({ params, query, who }, work) => {
    const { row, access } = openMessage(work, params.id, who)
    const showDeleted = (query.show_deleted_message ?? false) && (who.server || access.can.has('delete-any-message'))
    const view = { viewer: who.userId, now: work.now, people: work.people, showDeleted }
    const metadata = (JSON.parse(row.extra) as MessageExtra).pending_message_metadata
    const [message = messageFor(work, row, who)] = encodeMessages(work.db, [row], view)
    return {
      message: { ...message, channel: channelFor(work, access) },
      pending_message_metadata: metadata && (who.server || row.user_id === who.userId) ? metadata : undefined,
    }
  }),
  route(
    updateMessage,
    { body: v.object({ message: messageInput, skip_enrich_url: flag }) },
    ({ params, body, who }, work) => {
      const { row, access } = openMessage(work, params.id, who)
      const draft = requireMessage(body.message)
      mayEdit(access, who, row)
      return edit(work, access, who, row, {
        text: draft.text ?? '',
        attachments: draft.attachments ?? [],
        mentions: draft.mentioned_users ?? [],
        custom: draft.custom,
        pinned: draft.pinned,
        pinExpires: draft.pin_expires,
        pinnedAt: draft.pinned_at,
        silent: draft.silent,
        inChannel: draft.show_in_channel,
        quoted: draft.quoted_message_id,
        skipEnrich: body.skip_enrich_url,
        extra: { ...broadcastsOf(draft), ...markupOf(draft, who.server) },
      })
    },
  ),
  route(updateMessagePartial, { body: partialBody }, ({ params, body, who }, work) => {
    const { row, access } = openMessage(work, params.id, who)
    const change = partialChange(row, body, who.server)
    const keys = [...Object.keys(body.set ?? {}), ...(body.unset ?? [])]
    if (keys.length === 0 || keys.some((key) => !PIN_KEYS.has(key))) mayEdit(access, who, row)
    else mayPin(row)
    return edit(work, access, who, row, { ...change, skipEnrich: body.skip_enrich_url })
  }),
  route(
    deleteMessage,
    { query: v.looseObject({ hard: flag, delete_for_me: flag, deleted_by: idText() }) },
    ({ params, query, who: caller }, work) => {
      const who = caller.server && query.deleted_by ? { ...caller, userId: query.deleted_by } : caller
      const { row, access } = openMessage(work, params.id, who)
      if (query.delete_for_me ?? false) return removeForMe(work, access, who, row)
      if (
        !access.can.has('delete-any-message') &&
        !(row.user_id === who.userId && access.can.has('delete-own-message'))
      ) {
        deny(access, who, 'DeleteMessage')
      }
      if (query.hard ?? false) return removeHard(work, access, who, row)
      return row.deleted_at === null ? removeSoft(work, access, who, row) : { message: messageFor(work, row, who) }
    },
  ),
  route(getManyMessages, { query: v.looseObject({ ids: idList(100) }) }, ({ params, query, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    const ids = query.ids ?? []
    const found = messagesByIds(work.db, ids)
    const rows = ids.flatMap((id) => found.get(id) ?? []).filter((row) => isVisible(row, access, who))
    return { messages: encodeMessages(work.db, rows, { viewer: who.userId, now: work.now, people: work.people }) }
  }),
  route(getReplies, { query: messagePage }, ({ params, query, who }, work) => {
    const { row, access } = openMessage(work, params.id, who)
    const view = { viewer: who.userId, floor: access.floor }
    const rows = findPage(work.db, { kind: 'replies', key: row.id }, view, query, query.limit ?? REPLY_PAGE)
    return { messages: encodeMessages(work.db, rows, { viewer: who.userId, now: work.now, people: work.people }) }
  }),
]

function mayEdit(access: Access, who: Identity, row: MessageRow): void {
  const own = row.user_id === who.userId && access.can.has('update-own-message')
  if (!own && !access.can.has('update-any-message')) deny(access, who, 'UpdateMessage')
  if (row.deleted_at !== null) refuse('input', 'a deleted message cannot be edited')
}

/** The right to pin is checked with the change itself. */
function mayPin(row: MessageRow): void {
  if (row.deleted_at !== null) refuse('input', 'a deleted message cannot be pinned')
}

type Change = {
  readonly text: string
  readonly attachments: readonly unknown[]
  readonly mentions: readonly string[]
  readonly custom: Json
  /** `undefined`: the pin stays as it is. */
  readonly pinned: boolean | undefined
  /** `undefined`: as it is; null: the pin stays until it is removed. */
  readonly pinExpires: number | null | undefined
  /** The reported time of the pin; absent: now. */
  readonly pinnedAt?: number
  readonly silent?: boolean
  /** True also shows a reply in the channel; this cannot be undone. */
  readonly inChannel?: boolean
  /** The newly quoted message; empty: none. */
  readonly quoted?: string
  readonly skipEnrich?: boolean
  /** The new broadcast mentions; absent: as they are. */
  readonly extra?: BroadcastFields & Pick<MessageExtra, 'mml' | 'html'>
}

const PIN_KEYS: ReadonlySet<string> = new Set(['pinned', 'pin_expires', 'pinned_at'])

/** The whole message after a partial update. */
export function partialChange(row: MessageRow, request: PartialUpdate, byServer: boolean): Change {
  const current = JSON.parse(row.custom) as Json
  const { set, unset } = changeOf(current, request)
  const whole = readMessage({
    text: row.text,
    attachments: JSON.parse(row.attachments),
    mentioned_users: JSON.parse(row.mentions),
    ...Object.fromEntries(Object.entries(set).filter(([key]) => !isCustomKey(key))),
  })
  const custom: Record<string, unknown> = { ...current, ...readMessage(set).custom }
  for (const key of unset) delete custom[key]
  const isUnset = (key: string) => unset.includes(key)
  return {
    text: isUnset('text') ? '' : (whole.text ?? ''),
    attachments: isUnset('attachments') ? [] : (whole.attachments ?? []),
    mentions: isUnset('mentioned_users') ? [] : (whole.mentioned_users ?? []),
    custom,
    pinned: isUnset('pinned') ? false : whole.pinned,
    pinExpires: isUnset('pin_expires') ? null : pinExpiry(set['pin_expires']),
    pinnedAt: whole.pinned_at,
    extra: { ...partialBroadcast(row, set, unset, whole), ...markupOf(whole, byServer) },
    silent: whole.silent,
    inChannel: whole.show_in_channel,
    quoted: isUnset('quoted_message_id') ? '' : whole.quoted_message_id,
  }
}

/** The broadcast mentions after a partial update: keys that are not set or unset stay. */
function partialBroadcast(
  row: MessageRow,
  set: Json,
  unset: readonly string[],
  whole: BroadcastFields,
): BroadcastFields {
  const known = JSON.parse(row.extra) as BroadcastFields & Pick<MessageExtra, 'mml' | 'html'>
  // markup of the previous text does not fit a new one
  const previous = Object.entries({
    ...broadcastsOf(known),
    ...markupOf(known, !('text' in set) && !unset.includes('text')),
  })
  const given = Object.entries(broadcastsOf(whole)).filter(([key]) => key in set)
  return Object.fromEntries([...previous.filter(([key]) => !(key in set) && !unset.includes(key)), ...given])
}

function pinExpiry(value: unknown): number | undefined {
  return isObject(value) ? undefined : optionalTime(value)
}

/** Content that an edit adds needs the same rights as in a new message. */
function checkAdded(work: Work, access: Access, who: Identity, row: MessageRow, change: Change): void {
  const before = JSON.parse(row.extra) as BroadcastFields
  const named = new Set(JSON.parse(row.mentions) as string[])
  const { extra = {} } = change
  checkBroadcast(access, who, {
    text: LINK.test(row.text) ? '' : change.text,
    mentioned_users: change.mentions.filter((id) => !named.has(id)),
    mentioned_channel: extra.mentioned_channel && !before.mentioned_channel,
    mentioned_here: extra.mentioned_here && !before.mentioned_here,
    mentioned_roles: before.mentioned_roles ? [] : extra.mentioned_roles,
    mentioned_group_ids: before.mentioned_group_ids ? [] : extra.mentioned_group_ids,
  })
  const known = new Set((JSON.parse(row.attachments) as unknown[]).map((each) => JSON.stringify(each)))
  const added = change.attachments.filter((each) => !known.has(JSON.stringify(each)))
  const ownFiles = added.some((each) => !(isObject(each) && typeof each['og_scrape_url'] === 'string'))
  if (ownFiles && known.size < change.attachments.length) checkAttaching(access, who)
  if (change.quoted === undefined || change.quoted === '' || change.quoted === row.quoted_id) return
  const quoted = messageById(work.db, change.quoted)
  if (!quoted || !isVisible(quoted, access, who)) {
    refuse('doesNotExist', `quoted message ${change.quoted} does not exist`)
  }
}

function edit(work: Work, access: Access, who: Identity, row: MessageRow, given: Change) {
  const stored = storedUrls(work.db, who, JSON.stringify(given.attachments), row.attachments)
  const edited = { ...given, attachments: JSON.parse(stored) as readonly unknown[] }
  checkAdded(work, access, who, row, edited)
  const hasNewText = access.flags.url_enrichment && edited.text !== row.text
  const kept = hasNewText ? { ...edited, attachments: withoutStalePreviews(edited.attachments, edited.text) } : edited
  const change = { ...kept, ...moderatedEdit(work, access, row, kept) }
  const at = work.stamp(row.cid)
  if (changesContent(row, change)) {
    addHistory(work.db, {
      message_id: row.id,
      user_id: who.userId === '' ? row.user_id : who.userId,
      at,
      text: row.text,
      attachments: row.attachments,
      custom: row.custom,
    })
  }
  if (joinsChannel(row, change) && !access.can.has('send-message')) deny(access, who, 'UpdateMessage')
  const more = {
    updated_at: at,
    ...(change.text === row.text ? {} : { text_updated_at: at }),
    ...pinChange(access, who, row, change, at),
  }
  const after = writeChange(work, access, row, change, more)
  announceMessage(work, access, who, 'message.updated', after)
  if (hasNewText && !(edited.skipEnrich ?? false)) enrichLater(work, after)
  return { message: messageFor(work, after, who) }
}

/** Whether the content changes; a pin alone is not an edit. */
function changesContent(row: MessageRow, change: Change): boolean {
  return (
    change.text !== row.text ||
    JSON.stringify(change.attachments) !== row.attachments ||
    JSON.stringify(change.custom) !== row.custom
  )
}

/** Writes an edit, within the channel's length limit. */
export function writeChange(
  work: Work,
  access: Access,
  row: MessageRow,
  change: Change,
  more: Partial<MessageRow> = {},
): MessageRow {
  const limit = Math.min(access.flags.max_message_length, MAX_MESSAGE_LENGTH)
  if (isLongerThan(change.text, limit)) refuse('messageTooLong', `the message is longer than ${limit} characters`)
  const after = changeMessage(work.db, row.id, {
    text: change.text,
    attachments: JSON.stringify(change.attachments),
    mentions: JSON.stringify(knownPeople(work, change.mentions)),
    custom: JSON.stringify(change.custom),
    ...(change.silent === undefined ? {} : { silent: Number(change.silent) }),
    ...(joinsChannel(row, change) ? { show_in_channel: 1, in_channel: 1 } : {}),
    ...(change.extra === undefined ? {} : { extra: JSON.stringify({ ...otherExtra(row), ...change.extra }) }),
    ...(change.quoted === undefined ? {} : { quoted_id: quotedHere(work, row, change.quoted) }),
    ...more,
  })
  if (change.silent !== undefined && Number(change.silent) !== row.silent && row.in_channel) {
    recountUnread(work.db, row.cid)
  }
  if (joinsChannel(row, change)) {
    noteMessage(work.db, row.cid, row.created_at)
    recountUnread(work.db, row.cid)
  }
  return after ?? row
}

/** Whether a reply that was only in its thread is now also shown in the channel. */
const joinsChannel = (row: MessageRow, { inChannel }: Change): boolean =>
  inChannel === true && row.parent_id !== null && row.in_channel === 0 && row.audience === null && !row.shadowed

/** The extra fields that an edit does not change. */
function otherExtra(row: MessageRow): MessageExtra {
  const {
    mml: _mml,
    html: _html,
    mentioned_channel: _channel,
    mentioned_here: _here,
    mentioned_roles: _roles,
    mentioned_group_ids: _groups,
    ...rest
  } = JSON.parse(row.extra) as MessageExtra
  return rest
}

/** An empty id removes the quote. */
function quotedHere(work: Work, row: MessageRow, id: string): string | null {
  if (id === '') return null
  if (messageById(work.db, id)?.cid !== row.cid) refuse('doesNotExist', `quoted message ${id} does not exist`)
  return id
}

/** Clients send times back with milliseconds only. */
const sameMoment = (a: number, b: number | null): boolean => b !== null && Math.abs(a - b) < MS

function sameEnd(requested: number | null, known: number | null): boolean {
  return requested === null ? known === null : sameMoment(requested, known)
}

function pinChange(access: Access, who: Identity, row: MessageRow, change: Change, at: number): Partial<MessageRow> {
  const expired = row.pin_expires !== null && row.pin_expires <= at
  const isPinned = row.pinned_at !== null && !expired
  const { pinned = isPinned, pinExpires } = change
  if (pinned === isPinned) {
    if (!isPinned || pinExpires === undefined || sameEnd(pinExpires, row.pin_expires)) return {}
    need(access, who, 'pin-message', 'PinMessage')
    return { pin_expires: pinExpires }
  }
  need(access, who, 'pin-message', 'PinMessage')
  return pinned
    ? { pinned_at: Math.min(change.pinnedAt ?? at, at), pinned_by: who.userId, pin_expires: change.pinExpires ?? null }
    : { pinned_at: null, pinned_by: null, pin_expires: null }
}

export function removeSoft(work: Work, access: Access, who: Identity, row: MessageRow) {
  const at = work.stamp(row.cid)
  const changed = changeMessage(work.db, row.id, {
    deleted_at: at,
    updated_at: at,
    pinned_at: null,
    pinned_by: null,
    pin_expires: null,
  })
  const after = changed ?? row
  announceMessage(work, access, who, 'message.deleted', after, { hard_delete: false })
  dropRemindersOf(work, row.id)
  settle(work, access, who, row)
  return { message: messageFor(work, after, who) }
}

/** For other users nothing changes. See docs/wire.md 8.9 "delete_for_me". */
function removeForMe(work: Work, access: Access, who: Identity, row: MessageRow) {
  if (who.userId === '') return refuse('input', 'a server token must name a user')
  hideMessage(work.db, row.id, who.userId)
  const message = messageFor(work, row, who)
  work.emit({
    event: channelEvent('message.deleted', access.channel, work.stamp(row.cid), {
      message,
      message_id: row.id,
      user: work.people(who.userId),
      hard_delete: false,
      deleted_for_me: true,
    }),
    to: { kind: 'users', ids: [who.userId] },
    log: { userId: who.userId },
  })
  return { message }
}

/** Deletes the replies too; those that are also shown in the channel are announced one by one. */
export function removeHard(work: Work, access: Access, who: Identity, row: MessageRow) {
  for (const reply of shownReplies(work.db, row.id)) {
    const deleted = { ...reply, deleted_at: reply.deleted_at ?? work.now }
    announceMessage(work, access, who, 'message.deleted', deleted, { hard_delete: true })
  }
  const deleted = { ...row, deleted_at: row.deleted_at ?? work.now }
  const message = messageFor(work, deleted, who)
  announceMessage(work, access, who, 'message.deleted', deleted, { hard_delete: true })
  dropRemindersOf(work, row.id)
  deleteMessageRow(work.db, row.id)
  settle(work, access, who, row)
  return { message }
}

/** Updates the counters that a deletion changes; a reply's parent is announced again. */
function settle(work: Work, access: Access, who: Identity, row: MessageRow): void {
  uncount(work, access, row)
  if (row.parent_id === null) return
  const parent = recountReplies(work.db, row.parent_id)
  if (parent) announceMessage(work, access, who, 'message.updated', parent)
}

/**
 * Removes a deleted message from the counters. Its deleted replies may have been shown in the channel too: then all are
 * counted again.
 */
function uncount(work: Work, access: Access, row: MessageRow): void {
  const { db } = work
  if (messageById(db, row.id) === undefined && row.reply_count + row.deleted_reply_count > 0) {
    recount(db, row.cid)
  } else if (row.deleted_at === null && row.created_at > (access.channel.truncated_at ?? 0)) {
    unnoteMessage(db, row)
    if (row.in_channel && !row.silent && access.flags.read_events) uncountUnread(db, row)
  }
}

const sendBody = v.looseObject({
  message: messageInput,
  keep_channel_hidden: flag,
  skip_enrich_url: flag,
  pending: flag,
  is_pending_message: flag,
  pending_message_metadata: object,
  include_mentioned_members: flag,
})

/** The mentioned users who are members of the channel. */
function mentionedMembers(work: Work, row: MessageRow): WireMember[] {
  const ids = JSON.parse(row.mentions) as string[]
  return ids.flatMap((id) => {
    const member = memberOf(work.db, row.cid, id)
    return member ? [encodeMember(member, work.people)] : []
  })
}

export const sendRoutes: readonly Route[] = [
  route(sendMessage, { body: sendBody }, ({ params, body, who }, work) => {
    const access = openChannel(work.db, checkChannelId(params.type, params.id), who)
    const draft = requireMessage(body.message)
    const reply = runCommand(work, access, who, draft)
    if (reply) return reply instanceof Later ? reply : { message: reply }
    const metadata = body.pending_message_metadata
    const isPending = (body.pending ?? false) || (body.is_pending_message ?? false)
    const { row, announced } = postAndAnnounce(work, access, who, draft, {
      keepHidden: body.keep_channel_hidden ?? false,
      pending: isPending || access.flags.mark_messages_pending,
      metadata,
    })
    if (access.flags.url_enrichment && !(body.skip_enrich_url ?? false)) enrichLater(work, row)
    // A new message has no data of the author's own yet, unless it has a poll or a quote.
    const isSameForAll = row.poll_id === null && row.quoted_id === null
    return {
      message: announced && isSameForAll ? announced : messageFor(work, row, who),
      pending_message_metadata: metadata,
      mentioned_members: body.include_mentioned_members ? mentionedMembers(work, row) : undefined,
    }
  }),
]
