import type { MessageType } from '#shared/domain/message.ts'
import { asCid, asMessageId, asPollId, asUserId, type MessageId } from '#shared/lib/brand.ts'
import type { MessageRow, PollRow, QuotedRow, UserRow } from '#main/cache/rows.ts'
import { decodeAttachments } from './attachment.ts'
import { decodePoll } from './poll.ts'
import { decodeLatestReactions, decodeOwnReactions, decodeReactionGroups } from './reaction.ts'
import {
  asWire,
  customOf,
  eachOf,
  flagOf,
  idOf,
  tallyOf,
  pastOf,
  textOf,
  timeOf,
  type DecodeContext,
  type Wire,
  fieldSet,
} from './read.ts'
import { decodeUser } from './user.ts'

const TYPES: ReadonlySet<string> = new Set<MessageType>(['regular', 'reply', 'system', 'ephemeral', 'error', 'deleted'])
const MENTIONS_LIMIT = 100
const PARTICIPANTS_LIMIT = 100

const KNOWN = fieldSet(
  'id cid text html type user attachments mentioned_users mentioned_channel mentioned_here parent_id show_in_channel',
  'quoted_message_id quoted_message reply_count deleted_reply_count thread_participants poll_id',
  'latest_reactions own_reactions reaction_groups reaction_counts reaction_scores poll pinned',
  'pinned_at pinned_by pin_expires silent shadowed message_text_updated_at created_at',
  'updated_at deleted_at deleted_for_me channel member',
)

/** A decoded message: its row, and the rows of objects inside it. */
export type DecodedMessage = {
  readonly row: MessageRow
  readonly users: readonly UserRow[]
  readonly poll?: PollRow
}

/**
 * See docs/wire.md 5.1. Dropped without an id or an author. Without a plausible time it is placed by its last change or
 * by the time it was received, and marked; in a page it is placed by its neighbours.
 *
 * @param cid the channel it was found in, used if the message itself does not name one
 */
export function decodeMessage(value: unknown, context: DecodeContext, cid?: string): DecodedMessage | undefined {
  const wire = asWire(value)
  const place = wire && identityOf(wire, cid, context)
  if (!wire || !place) {
    context.dropped?.('message')
    return undefined
  }
  const poll = wire['poll'] ? decodePoll(wire['poll'], context) : undefined
  const quoted = asWire(wire['quoted_message'])
  const pinnedBy = wire['pinned_by'] ? decodeUser(wire['pinned_by'], context) : undefined
  const mentioned = eachOf(wire['mentioned_users'], (item) => mentionOf(item, context), MENTIONS_LIMIT)
  const participants = eachOf(wire['thread_participants'], (item) => decodeUser(item, context), PARTICIPANTS_LIMIT)
  const reactors = eachOf(wire['latest_reactions'], (item) => decodeUser(asWire(item)?.['user'], context))
  const users = [decodeUser(wire['user'], context), pinnedBy, decodeUser(quoted?.['user'], context)]
  return {
    row: {
      ...place,
      ...contentOf(wire, place.createdAt, context),
      ...socialOf(wire, context),
      quotedId: quotedIdOf(wire),
      quoted: quoted && decodeQuoted(quoted),
      mentionedUserIds: [...new Set(mentioned.map((one) => one.id))],
      ...broadcastsOf(wire),
      threadParticipantIds: [...new Set(participants.map((user) => user.id))],
      pollId: poll?.row.id ?? mapped(idOf(wire['poll_id']), asPollId),
      pinnedBy: pinnedBy?.id,
      custom: customOf(wire, KNOWN),
      asOf: context.asOf,
    },
    users: [
      ...users.filter((user) => user !== undefined),
      ...mentioned.flatMap((one) => (one.user ? [one.user] : [])),
      ...participants,
      ...reactors,
      ...(poll?.users ?? []),
    ],
    poll: poll?.row,
  }
}

function identityOf(wire: Wire, cid: string | undefined, context: DecodeContext) {
  const id = idOf(wire['id'])
  const channel = idOf(wire['cid']) ?? idOf(cid)
  const userId = idOf(asWire(wire['user'])?.['id']) ?? idOf(wire['user_id'])
  const createdAt = pastOf(wire['created_at'], context)
  if (id === undefined || channel === undefined || userId === undefined) return undefined
  const known = { id: asMessageId(id), cid: asCid(channel), userId: asUserId(userId) }
  if (createdAt !== undefined) return { ...known, createdAt }
  return { ...known, createdAt: pastOf(wire['updated_at'], context) ?? context.asOf, timeUnsure: true }
}

function contentOf(wire: Wire, createdAt: number, context: DecodeContext) {
  const deletedAt = pastOf(wire['deleted_at'], context)
  const type = typeOf(wire, deletedAt ?? timeOf(wire['deleted_at']))
  const isDeleted = type === 'deleted'
  return {
    type,
    // Servers may still send the text of a soft-deleted message; it must not be shown.
    text: isDeleted ? '' : (textOf(wire['text']) ?? ''),
    attachments: isDeleted ? [] : decodeAttachments(wire['attachments']),
    parentId: mapped(idOf(wire['parent_id']), asMessageId),
    showInChannel: flagOf(wire['show_in_channel']) ?? false,
    pinned: flagOf(wire['pinned']) ?? false,
    pinnedAt: pastOf(wire['pinned_at'], context),
    pinExpires: timeOf(wire['pin_expires']),
    silent: flagOf(wire['silent']) ?? false,
    shadowed: flagOf(wire['shadowed']) ?? false,
    updatedAt: pastOf(wire['updated_at'], context) ?? createdAt,
    editedAt: pastOf(wire['message_text_updated_at'], context),
    deletedAt: isDeleted ? (deletedAt ?? pastOf(wire['updated_at'], context) ?? context.asOf) : undefined,
  }
}

/** See docs/wire.md 7.8, last row: deleted when `deleted_at`, type `deleted` or `deleted_for_me`. */
function typeOf(wire: Wire, deletedAt: number | undefined): MessageType {
  if (deletedAt !== undefined || wire['deleted_for_me'] === true) return 'deleted'
  const type = wire['type']
  if (typeof type === 'string' && TYPES.has(type)) return type as MessageType
  return idOf(wire['parent_id']) === undefined ? 'regular' : 'reply'
}

function socialOf(wire: Wire, context: DecodeContext) {
  return {
    reactionGroups: decodeReactionGroups(wire, context),
    latestReactions: decodeLatestReactions(wire['latest_reactions'], context),
    ownReactions: decodeOwnReactions(wire['own_reactions'], context),
    replyCount: tallyOf(wire['reply_count']) ?? 0,
  }
}

/** Some responses contain ids, others whole users: both are accepted. */
function mentionOf(value: unknown, context: DecodeContext) {
  if (typeof value === 'string') return mapped(idOf(value), (id) => ({ id: asUserId(id), user: undefined }))
  const user = decodeUser(value, context)
  return user && { id: user.id, user }
}

function broadcastsOf(wire: Wire): Pick<MessageRow, 'reach'> {
  const reach = (['channel', 'here'] as const).filter((each) => flagOf(wire[`mentioned_${each}`]) === true)
  return reach.length === 0 ? {} : { reach }
}

const quotedIdOf = (wire: Wire): MessageId | undefined =>
  mapped(idOf(wire['quoted_message_id']) ?? idOf(asWire(wire['quoted_message'])?.['id']), asMessageId)

/** The copy inside a quoting message: one level only. */
function decodeQuoted(wire: Wire): QuotedRow | undefined {
  const id = idOf(wire['id'])
  const userId = idOf(asWire(wire['user'])?.['id'])
  if (id === undefined || userId === undefined) return undefined
  const deleted = typeOf(wire, timeOf(wire['deleted_at'])) === 'deleted'
  return {
    id: asMessageId(id),
    userId: asUserId(userId),
    text: deleted ? '' : (textOf(wire['text'], 2_000) ?? ''),
    deleted,
    attachments: deleted ? [] : decodeAttachments(wire['attachments']),
  }
}

const mapped = <T>(id: string | undefined, brand: (id: string) => T): T | undefined =>
  id === undefined ? undefined : brand(id)
