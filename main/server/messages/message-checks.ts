import { MAX_MESSAGE_LENGTH, MIN_LOCATION_SHARE_MS } from '#shared/constants.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { isLongerThan } from '#shared/rules/messages/text.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse } from '../http/refusal.ts'
import { need, type Access, accessTo, deny, mayRead } from '../channels/access.ts'
import { requireUser } from '../users/users.ts'
import { lastOwnMessageAt, messageById, type MessageExtra, audienceIds, type MessageRow } from './message-table.ts'
import { messageOfPoll, pollById } from '../polls/poll-tables.ts'
import { MS, SECOND } from '../store/time.ts'
import type { Work } from '../work.ts'
import type { MessageDraft } from './message-input.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { usersByIds } from '../users/user-tables.ts'

/** Rights and slow mode. */
export function checkRights(work: Work, access: Access, who: Identity, draft: MessageDraft): void {
  if (who.server) requireUser(work.db, who.userId)
  const isReply = draft.parent_id !== undefined
  if (isReply && !access.flags.replies) refuse('featureNotSupported', 'replies are switched off in this channel')
  need(access, who, isReply ? 'send-reply' : 'send-message', 'CreateMessage')
  if (!access.can.has('slow-mode')) return
  const last = lastOwnMessageAt(work.db, access.channel.cid, who.userId)
  if (last !== undefined && work.now - last < access.channel.cooldown * SECOND) {
    refuse('cooldown', `slow mode: one message every ${access.channel.cooldown} seconds`)
  }
}

/** Refuses a used id, so that a repeated request never adds a second row or event. */
export function checkId(work: Work, draft: MessageDraft): void {
  if (draft.id !== undefined && messageById(work.db, draft.id)) {
    refuse('input', `a message with ID ${draft.id} already exists`)
  }
}

/** Text, parent, quote, attachments, poll and location: each with its right and its feature. */
export function checkContent(work: Work, access: Access, who: Identity, draft: MessageDraft): void {
  const limit = Math.min(access.flags.max_message_length, MAX_MESSAGE_LENGTH)
  if (isLongerThan(draft.text ?? '', limit)) refuse('messageTooLong', `the message is longer than ${limit} characters`)
  const attachments = draft.attachments ?? []
  const hasContent =
    !isBlank(draft.text ?? '') ||
    attachments.length > 0 ||
    draft.poll_id ||
    draft.quoted_message_id ||
    draft.shared_location
  if (!hasContent) refuse('input', 'the message is empty: text, attachments, a poll, a place or a quote is needed')
  checkParent(work, access, who, draft)
  checkQuote(work, access, who, draft)
  if (attachments.length > 0) checkAttaching(access, who)
  if (draft.pinned) need(access, who, 'pin-message', 'PinMessage')
  if (draft.poll_id) checkPoll(work, access, who, draft.poll_id)
  if (draft.shared_location) checkLocation(work, access, who, draft.shared_location)
  checkBroadcast(access, who, draft)
}

export function checkAttaching(access: Access, who: Identity): void {
  if (!access.flags.uploads) refuse('featureNotSupported', 'uploads are switched off in this channel')
  need(access, who, 'create-attachment', 'CreateAttachment')
}

function checkParent(work: Work, access: Access, who: Identity, draft: MessageDraft): void {
  if (draft.parent_id === undefined) return
  const parent = messageById(work.db, draft.parent_id)
  if (!parent || !isVisible(parent, access, who) || parent.deleted_at !== null) {
    return refuse('doesNotExist', `parent message ${draft.parent_id} does not exist`)
  }
  if (parent.parent_id !== null) refuse('multipleNesting', 'a reply cannot be replied to')
}

function checkQuote(work: Work, access: Access, who: Identity, draft: MessageDraft): void {
  if (draft.quoted_message_id === undefined) return
  if (!access.flags.quotes) refuse('featureNotSupported', 'quotes are switched off in this channel')
  need(access, who, 'quote-message', 'QuoteMessage')
  const quoted = messageById(work.db, draft.quoted_message_id)
  if (!quoted || !isVisible(quoted, access, who)) {
    refuse('doesNotExist', `quoted message ${draft.quoted_message_id} does not exist`)
  }
}

function checkPoll(work: Work, access: Access, who: Identity, pollId: string): void {
  if (!access.flags.polls) refuse('featureNotSupported', 'polls are switched off in this channel')
  need(access, who, 'send-poll', 'SendPoll')
  const poll = pollById(work.db, pollId)
  if (!poll || poll.created_by !== who.userId) refuse('doesNotExist', `poll ${pollId} does not exist`)
  if (messageOfPoll(work.db, pollId) !== undefined) refuse('input', `poll ${pollId} hangs on a message already`)
}

/** See docs/wire.md 8.7 "location". */
function checkLocation(
  work: Work,
  access: Access,
  who: Identity,
  location: NonNullable<MessageDraft['shared_location']>,
): void {
  if (!access.flags.shared_locations) {
    refuse('featureNotSupported', 'shared locations are switched off in this channel')
  }
  need(access, who, 'share-location', 'ShareLocation')
  if (location.end_at !== undefined && location.end_at - work.now < MIN_LOCATION_SHARE_MS * MS) {
    refuse('input', 'shared_location.end_at must be at least one minute ahead')
  }
}

export const LINK = /https?:\/\/\S/i

/** Mentions of a message beyond single users. */
export type BroadcastFields = {
  readonly mentioned_channel?: boolean
  readonly mentioned_here?: boolean
  readonly mentioned_roles?: readonly string[]
  readonly mentioned_group_ids?: readonly string[]
}

type Broadcasts = Pick<MessageExtra, keyof BroadcastFields>

/** Only the fields that are set. */
export function broadcastsOf(draft: BroadcastFields): Broadcasts {
  return {
    mentioned_channel: draft.mentioned_channel ? true : undefined,
    mentioned_here: draft.mentioned_here ? true : undefined,
    mentioned_roles: draft.mentioned_roles?.length ? draft.mentioned_roles : undefined,
    mentioned_group_ids: draft.mentioned_group_ids?.length ? draft.mentioned_group_ids : undefined,
  }
}

/** The markup of a message as it is stored: only a server token may set `html`. */
export const markupOf = (
  draft: Pick<MessageDraft, 'mml' | 'html'>,
  byServer: boolean,
): Pick<MessageExtra, 'mml' | 'html'> => ({
  mml: draft.mml || undefined,
  html: byServer && draft.html ? draft.html : undefined,
})

/** Checks the rights for links, mentions and restricted visibility. */
export function checkBroadcast(
  access: Access,
  who: Identity,
  draft: BroadcastFields & Partial<Pick<MessageDraft, 'text' | 'mentioned_users' | 'restricted_visibility'>>,
): void {
  if (draft.mentioned_users?.length) need(access, who, 'create-mention', 'CreateMention')
  if (LINK.test(draft.text ?? '')) need(access, who, 'send-links', 'SendLinks')
  if (draft.mentioned_channel) need(access, who, 'notify-channel', 'NotifyChannel')
  if (draft.mentioned_here) need(access, who, 'notify-here', 'NotifyHere')
  if (draft.mentioned_roles?.length) need(access, who, 'notify-role', 'NotifyRole')
  if (draft.mentioned_group_ids?.length) need(access, who, 'notify-group', 'NotifyGroup')
  if (draft.restricted_visibility?.length) {
    need(access, who, 'send-restricted-visibility-message', 'CreateRestrictedVisibilityMessage')
  }
}

export type OpenMessage = { readonly row: MessageRow; readonly access: Access }

/**
 * A message and the user's access to its channel. Refuses with code 16 when it does not exist, is not visible to them,
 * or is in a channel they may not read: so that an id does not reveal that the message exists.
 */
export function openMessage(work: Work, id: string, who: Identity): OpenMessage {
  return findMessage(work, id, who) ?? refuse('doesNotExist', `message ${id} does not exist`)
}

/** The same, `undefined` for callers that refuse with their own text. */
export function findMessage(work: Work, id: string, who: Identity): OpenMessage | undefined {
  const row = messageById(work.db, id)
  const channel = row ? channelByCid(work.db, row.cid) : undefined
  if (!row || !channel || channel.deleted_at !== null) return undefined
  const access = accessTo(work.db, channel, who)
  if (!access.can.has('read-channel') || !isVisible(row, access, who)) return undefined
  if (!mayRead(access, who)) deny(access, who, 'ReadChannel')
  return { row, access }
}

/** Whether a message of this channel is visible to this user. */
export function isVisible(row: MessageRow, access: Access, who: Pick<Identity, 'userId' | 'server'>): boolean {
  const inAudience = audienceIds(row)?.includes(who.userId) ?? true
  return row.cid === access.channel.cid && row.created_at > access.floor && (inAudience || who.server)
}

/** Ids of existing users, each once, in the given order. */
export function knownPeople(work: Work, ids: readonly string[]): string[] {
  const known = usersByIds(work.db, ids)
  return [...new Set(ids)].filter((id) => known.has(id))
}
