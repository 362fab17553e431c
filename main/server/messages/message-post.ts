import type { WireMessage } from '#shared/wire/objects.ts'
import { storedUrls } from '../uploads/upload-files.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { type Access, moderatorsIn } from '../channels/access.ts'
import { noteMessage } from '../channels/channel-table.ts'
import { putLocation } from '../locations/location-table.ts'
import { isShadowBanned } from '../moderation/restriction-tables.ts'
import { countUnread, readOwn } from '../channels/member-table.ts'
import { isBlockedIn } from '../users/user-tables.ts'
import type { Work } from '../work.ts'
import { audienceOf, insertMessage, recountReplies, type MessageExtra, type MessageRow } from './message-table.ts'
import { KEPT, moderated, report, returned, type Fate } from '../moderation/rules.ts'
import { announceNew } from './message-announce.ts'
import { checkContent, checkId, checkRights, markupOf, broadcastsOf, knownPeople } from './message-checks.ts'
import type { MessageDraft } from './message-input.ts'

type PostOptions = {
  readonly keepHidden?: boolean
  readonly system?: boolean
  /** Shown to its author only until it is committed. */
  readonly pending?: boolean
  readonly metadata?: Readonly<Record<string, unknown>>
  /** The slash command that made the message. */
  readonly command?: { readonly name: string; readonly args: string }
}

/** Stores and announces a message. The order of the checks follows the contract. See docs/wire.md 8.7. */
export function post(
  work: Work,
  access: Access,
  who: Identity,
  draft: MessageDraft,
  options: PostOptions = {},
): MessageRow {
  return postAndAnnounce(work, access, who, draft, options).row
}

/** The same, with the message as it was announced; absent when it was not. */
export function postAndAnnounce(
  work: Work,
  access: Access,
  who: Identity,
  draft: MessageDraft,
  options: PostOptions = {},
): { readonly row: MessageRow; readonly announced?: WireMessage } {
  if (who.userId === '') return refuse('input', 'a server token must name a user')
  if (!options.system) checkRights(work, access, who, draft)
  checkId(work, draft)
  checkContent(work, access, who, draft)
  const fate = options.system
    ? KEPT
    : moderated(work, access, who.userId, { text: draft.text ?? '', attachments: draft.attachments?.length ?? 0 })
  if (fate.kind === 'returned') {
    return { row: returned(work, rowOf(work, access, who, draft, options, fate), fate) }
  }
  const row = write(work, access, rowOf(work, access, who, draft, options, fate), draft)
  report(work, row, fate)
  return { row, announced: announceNew(work, access, row, options.keepHidden ?? false) }
}

/** The message type. A client may only ask for `system`; the others follow from the message. */
function typeOf(access: Access, who: Identity, draft: MessageDraft, system: boolean): string {
  const isSystem = draft.type === 'system' && (who.server || access.can.has('update-channel'))
  if (system || isSystem) return 'system'
  return draft.parent_id === undefined ? 'regular' : 'reply'
}

/**
 * The audience of a message: everyone, unless it is hidden from all but its author and moderators, it is pending or it
 * names its readers.
 */
function audienceFor(
  work: Work,
  access: Access,
  who: Identity,
  draft: MessageDraft,
  only: 'author' | 'moderators' | undefined,
): string | null {
  if (only === 'author') return audienceOf([who.userId])
  if (only === 'moderators') return audienceOf([who.userId, ...moderatorsIn(work.db, access.channel)])
  const readers = draft.restricted_visibility ?? []
  return readers.length === 0 ? null : audienceOf([who.userId, ...readers])
}

/** A message to a user who blocked its author is visible to the author only. See docs/wire.md 8.14 "block user". */
const isToBlocker = (work: Work, { channel }: Access, who: Identity): boolean =>
  channel.member_count === 2 && isBlockedIn(work.db, channel.cid, who.userId)

function extraOf(draft: MessageDraft, options: PostOptions, byServer: boolean, fate: Fate): MessageExtra {
  return {
    ...broadcastsOf(draft),
    // Markup repeats the text that a rule changed.
    ...(fate.text === undefined ? markupOf(draft, byServer) : {}),
    moderation: fate.note,
    restricted_visibility: draft.restricted_visibility?.length ? draft.restricted_visibility : undefined,
    ...(options.command ? { command: options.command.name, args: options.command.args } : {}),
    pending_message_metadata: options.metadata,
  }
}

/** The row of a new message. */
function rowOf(
  work: Work,
  access: Access,
  who: Identity,
  draft: MessageDraft,
  options: PostOptions,
  fate: Fate,
): MessageRow {
  const { cid } = access.channel
  const shadowed = fate.kind === 'hidden' || isShadowBanned(work.db, cid, who.userId)
  const at = work.stamp(cid)
  const inChannel = draft.parent_id === undefined || draft.show_in_channel === true
  const pending = options.pending ?? false
  return {
    id: draft.id ?? work.ids.uuid(),
    cid,
    user_id: who.userId,
    type: typeOf(access, who, draft, options.system ?? false),
    text: fate.text ?? draft.text ?? '',
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
    pin_expires: draft.pinned ? (draft.pin_expires ?? null) : null,
    reply_count: 0,
    deleted_reply_count: 0,
    attachments: storedUrls(work.db, who, JSON.stringify(draft.attachments ?? [])),
    mentions: JSON.stringify(knownPeople(work, draft.mentioned_users ?? [])),
    custom: JSON.stringify(draft.custom),
    audience: audienceFor(
      work,
      access,
      who,
      draft,
      pending || isToBlocker(work, access, who) ? 'author' : shadowed ? 'moderators' : undefined,
    ),
    pending: Number(pending),
    extra: JSON.stringify(extraOf(draft, options, who.server, fate)),
  }
}

function write(work: Work, access: Access, row: MessageRow, draft: MessageDraft): MessageRow {
  insertMessage(work.db, row)
  if (draft.shared_location) shareLocation(work, row, draft.shared_location)
  noteCounters(work, access, row)
  return row
}

/** See docs/wire.md 8.7 "location". */
function shareLocation(work: Work, row: MessageRow, location: NonNullable<MessageDraft['shared_location']>): void {
  putLocation(work.db, {
    message_id: row.id,
    cid: row.cid,
    user_id: row.user_id,
    latitude: location.latitude,
    longitude: location.longitude,
    device_id: location.created_by_device_id,
    end_at: location.end_at ?? null,
    ended: 0,
    created_at: row.created_at,
    updated_at: row.created_at,
  })
}

/** Counts a message. Only messages visible to everyone change the channel's own counters. */
export function noteCounters(work: Work, access: Access, row: MessageRow): void {
  const { cid } = row
  if (row.shadowed || row.pending || row.deleted_at !== null) return
  if (row.created_at <= (access.channel.truncated_at ?? 0)) return
  if (row.in_channel) {
    const moves = row.type !== 'system' || !access.flags.skip_last_msg_update_for_system_msgs
    if (row.audience === null) noteMessage(work.db, cid, row.created_at, moves)
    if (!row.silent && access.flags.read_events) countUnread(work.db, row)
    if (access.member?.user_id === row.user_id && access.member.last_read < row.created_at) {
      readOwn(work.db, access.member, row)
    }
  }
  if (row.parent_id !== null) recountReplies(work.db, row.parent_id)
}
