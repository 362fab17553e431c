import type { MessageType, MessageButton, MessageLocation } from '#shared/domain/message.ts'
import { asCid, asMessageId, asPollId, asUserId, type MessageId, type UserId } from '#shared/lib/brand.ts'
import type { AttachmentKind } from '#shared/domain/attachment.ts'
import type {
  MessageRow,
  PollRow,
  QuotedRow,
  UserRow,
  AttachmentRow,
  ReactionGroupRow,
  ReactionRow,
} from '#main/cache/rows.ts'
import { decodePoll } from './poll.ts'
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
  asList,
  nameOf,
  numberOf,
  countOf,
  urlOf,
} from './read.ts'
import { decodeUser } from './user.ts'

/** The sender's name of the device that shares a location: a field of the message, beside the location. */
export const DEVICE_FIELD = 'location_device'
const DEVICE_LENGTH = 60

/**
 * See docs/wire.md 5.14. Dropped if the coordinates are invalid.
 *
 * @param device name of the device, if the sender gave one
 */
export function decodeLocation(value: unknown, device?: unknown): MessageLocation | undefined {
  const wire = asWire(value)
  const latitude = numberOf(wire?.['latitude'])
  const longitude = numberOf(wire?.['longitude'])
  if (!wire || latitude === undefined || longitude === undefined) return undefined
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined
  const endAt = timeOf(wire['end_at'])
  const name = nameOf(device, DEVICE_LENGTH)
  return {
    latitude,
    longitude,
    endAt,
    device: name === undefined || name === '' ? undefined : name,
    updatedAt: timeOf(wire['updated_at']) ?? 0,
  }
}

const BUTTONS_LIMIT = 12
const STYLES: ReadonlySet<string> = new Set<MessageButton['style']>(['primary', 'default', 'danger'])

/** Buttons of a command's response. One without a name or text is skipped. See docs/wire.md 5.9 "actions". */
export const decodeButtons = (value: unknown): readonly MessageButton[] => eachOf(value, buttonOf, BUTTONS_LIMIT)

function buttonOf(value: unknown): MessageButton | undefined {
  const wire = asWire(value)
  const name = nameOf(wire?.['name'], 100)
  const text = nameOf(wire?.['text'], 60)
  const style = wire?.['style']
  if (wire === undefined || name === undefined || text === undefined) return undefined
  return {
    name,
    text,
    value: nameOf(wire['value'], 500) ?? '',
    style: typeof style === 'string' && STYLES.has(style) ? (style as MessageButton['style']) : 'default',
  }
}

const KINDS: ReadonlySet<string> = new Set<AttachmentKind>([
  'image',
  'video',
  'audio',
  'file',
  'voiceRecording',
  'giphy',
])
/** See docs/wire.md 6.5 and 5.1. */
const ATTACHMENTS_LIMIT = 30
const WAVEFORM_LIMIT = 1_000

/** See docs/wire.md 5.9. The addresses stay in main; `raw` is sent back unchanged by an edit. */
function decodeAttachments(value: unknown): readonly AttachmentRow[] {
  // Positions matter (they name the bytes), so an unusable item stays as `other`.
  return asList(value)
    .slice(0, ATTACHMENTS_LIMIT)
    .map((item) => decodeAttachment(asWire(item) ?? {}))
}

function decodeAttachment(wire: Wire): AttachmentRow {
  const linkUrl = urlOf(wire['og_scrape_url'])
  const kind = kindOf(wire, linkUrl)
  const image = urlOf(wire['image_url'])
  const asset = urlOf(wire['asset_url'])
  const thumb = urlOf(wire['thumb_url'])
  return {
    kind,
    url: kind === 'image' || kind === 'link' ? (image ?? asset ?? thumb) : (asset ?? image ?? thumb),
    thumbUrl: thumb ?? (kind === 'video' ? image : undefined),
    title: nameOf(wire['title']) ?? nameOf(wire['fallback']),
    mimeType: nameOf(wire['mime_type'], 100),
    sizeBytes: countOf(wire['file_size']),
    width: sideOf(wire['original_width']),
    height: sideOf(wire['original_height']),
    duration: positive(numberOf(wire['duration'])),
    waveform: waveformOf(wire['waveform_data']),
    linkUrl,
    text: textOf(wire['text'], 2_000),
    authorName: nameOf(wire['author_name']),
    alt: kind === 'image' ? altOf(wire) : undefined,
    raw: customOf(wire),
  }
}

function kindOf(wire: Wire, linkUrl: string | undefined): AttachmentKind {
  if (linkUrl !== undefined) return 'link'
  const type = wire['type']
  return typeof type === 'string' && KINDS.has(type) ? (type as AttachmentKind) : 'other'
}

/** A picture's `fallback` is its description; some programs repeat the name there. */
function altOf(wire: Wire): string | undefined {
  const alt = nameOf(wire['fallback'], 500)
  return alt === undefined || alt === wire['title'] ? undefined : alt
}

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && value >= 0 ? value : undefined

/** Larger pictures are not decoded at all. */
const SIDE_LIMIT = 16_384

function sideOf(value: unknown): number | undefined {
  const side = countOf(value)
  return side !== undefined && side > 0 && side <= SIDE_LIMIT ? side : undefined
}

function waveformOf(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.slice(0, WAVEFORM_LIMIT).map((level) => Math.min(1, Math.max(0, numberOf(level) ?? 0)))
}

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
 * by the time it was received, and marked; in a page it is placed by its neighbors.
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
  const users = [
    decodeUser(wire['user'], context),
    pinnedBy,
    decodeUser(quoted?.['user'], context),
    ...mentioned.map((one) => one.user),
    ...participants,
    ...reactors,
    ...(poll?.users ?? []),
  ]
  const content = contentOf(wire, context)
  // Each field by name: an object that is composed of others takes three times as long, and thousands are made at once.
  const row: Complete<MessageRow> = {
    id: place.id,
    cid: place.cid,
    userId: place.userId,
    type: content.type,
    text: content.text,
    parentId: mapped(idOf(wire['parent_id']), asMessageId),
    showInChannel: flagOf(wire['show_in_channel']) ?? false,
    quotedId: quotedIdOf(wire),
    quoted: quoted && decodeQuoted(quoted),
    attachments: content.attachments,
    mentionedUserIds: unique(mentioned),
    reach: broadcastsOf(wire),
    pollId: poll?.row.id ?? mapped(idOf(wire['poll_id']), asPollId),
    pinned: flagOf(wire['pinned']) ?? false,
    pinnedAt: pastOf(wire['pinned_at'], context),
    pinnedBy: pinnedBy?.id,
    pinExpires: timeOf(wire['pin_expires']),
    silent: flagOf(wire['silent']) ?? false,
    shadowed: flagOf(wire['shadowed']) ?? false,
    createdAt: place.createdAt,
    timeUnsure: place.timeUnsure,
    updatedAt: pastOf(wire['updated_at'], context) ?? place.createdAt,
    editedAt: pastOf(wire['message_text_updated_at'], context),
    deletedAt: content.deletedAt,
    reactionGroups: decodeReactionGroups(wire, context),
    latestReactions: decodeLatestReactions(wire['latest_reactions'], context),
    ownReactions: decodeOwnReactions(wire['own_reactions'], context),
    replyCount: tallyOf(wire['reply_count']) ?? 0,
    threadParticipantIds: unique(participants),
    custom: customOf(wire, KNOWN),
    asOf: context.asOf,
  }
  return { row, users: users.filter((user) => user !== undefined), poll: poll?.row }
}

/** Every field is named, those that may be absent too. */
type Complete<Row> = { [Field in keyof Required<Row>]: Row[Field & keyof Row] }

const unique = (people: readonly { readonly id: UserId }[]): readonly UserId[] =>
  people.length === 0 ? [] : [...new Set(people.map(({ id }) => id))]

function identityOf(wire: Wire, cid: string | undefined, context: DecodeContext) {
  const id = idOf(wire['id'])
  const channel = idOf(wire['cid']) ?? idOf(cid)
  const userId = idOf(asWire(wire['user'])?.['id']) ?? idOf(wire['user_id'])
  const createdAt = pastOf(wire['created_at'], context)
  if (id === undefined || channel === undefined || userId === undefined) return undefined
  return {
    id: asMessageId(id),
    cid: asCid(channel),
    userId: asUserId(userId),
    createdAt: createdAt ?? pastOf(wire['updated_at'], context) ?? context.asOf,
    timeUnsure: createdAt === undefined ? true : undefined,
  }
}

/** What a deleted message is without. */
function contentOf(wire: Wire, context: DecodeContext) {
  const deletedAt = pastOf(wire['deleted_at'], context)
  const type = typeOf(wire, deletedAt ?? timeOf(wire['deleted_at']))
  const isDeleted = type === 'deleted'
  return {
    type,
    // Servers may still send the text of a soft-deleted message; it must not be shown.
    text: isDeleted ? '' : (textOf(wire['text']) ?? ''),
    attachments: isDeleted ? [] : decodeAttachments(wire['attachments']),
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

/** Some responses contain ids, others whole users: both are accepted. */
function mentionOf(value: unknown, context: DecodeContext) {
  if (typeof value === 'string') return mapped(idOf(value), (id) => ({ id: asUserId(id), user: undefined }))
  const user = decodeUser(value, context)
  return user && { id: user.id, user }
}

function broadcastsOf(wire: Wire): MessageRow['reach'] {
  const channel = flagOf(wire['mentioned_channel']) === true
  const here = flagOf(wire['mentioned_here']) === true
  return channel || here ? [...(channel ? ['channel' as const] : []), ...(here ? ['here' as const] : [])] : undefined
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

/** See docs/wire.md 6.5. Longer types are dropped. */
const TYPE_LIMIT = 30
const LATEST_LIMIT = 10
/** More kinds on one message are not plausible and could exhaust memory. */
const GROUPS_LIMIT = 1_000

function reactionTypeOf(value: unknown): string | undefined {
  const type = nameOf(value, TYPE_LIMIT + 1)
  return type === undefined || type.length > TYPE_LIMIT ? undefined : type
}

export function decodeReaction(value: unknown, context: DecodeContext): ReactionRow | undefined {
  const wire = asWire(value)
  const type = reactionTypeOf(wire?.['type'])
  const userId = idOf(wire?.['user_id']) ?? idOf(asWire(wire?.['user'])?.['id'])
  if (!wire || type === undefined || userId === undefined) {
    context.dropped?.('reaction')
    return undefined
  }
  const createdAt = pastOf(wire['created_at'], context) ?? context.asOf
  return { type, userId: asUserId(userId), score: tallyOf(wire['score']) ?? 1, createdAt }
}

function decodeLatestReactions(value: unknown, context: DecodeContext): readonly ReactionRow[] {
  return eachOf(value, (item) => decodeReaction(item, context), LATEST_LIMIT)
}

/** Types that the viewer gave. `undefined` if the copy does not say: a broadcast, or the list is missing. */
function decodeOwnReactions(value: unknown, context: DecodeContext): readonly string[] | undefined {
  if (!context.isAnswer || value === undefined) return undefined
  const own = eachOf(value, (item) => decodeReaction(item, context)).filter((one) => one.userId === context.viewerId)
  return [...new Set(own.map((one) => one.type))].toSorted()
}

/** Groups in the order of their first reaction; from the older count maps if a server sends no groups. */
function decodeReactionGroups(message: Wire, context: DecodeContext): readonly ReactionGroupRow[] {
  const groups = asWire(message['reaction_groups'])
  const entries = groups ? groupsOf(groups, context) : legacyGroups(message, context)
  return entries
    .filter((group) => group.count > 0)
    .toSorted((a, b) => a.firstAt - b.firstAt || (a.type < b.type ? -1 : 1))
    .slice(0, GROUPS_LIMIT)
}

function groupsOf(groups: Wire, context: DecodeContext): readonly ReactionGroupRow[] {
  return Object.entries(groups).flatMap(([key, value]) => {
    const type = reactionTypeOf(key)
    const wire = asWire(value)
    if (type === undefined || !wire) {
      context.dropped?.('reaction-group')
      return []
    }
    const count = tallyOf(wire['count']) ?? 0
    const firstAt = pastOf(wire['first_reaction_at'], context) ?? context.asOf
    const lastAt = pastOf(wire['last_reaction_at'], context) ?? firstAt
    return [{ type, count, sumScores: tallyOf(wire['sum_scores']) ?? count, firstAt, lastAt }]
  })
}

/** See docs/wire.md 5.1, row `reaction_counts`. Times are only known from the latest reactions. */
function legacyGroups(message: Wire, context: DecodeContext): readonly ReactionGroupRow[] {
  const counts = asWire(message['reaction_counts']) ?? {}
  const scores = asWire(message['reaction_scores']) ?? {}
  const latest = decodeLatestReactions(message['latest_reactions'], context)
  const fallbackAt = pastOf(message['created_at'], context) ?? context.asOf
  return Object.entries(counts).flatMap(([key, value]) => {
    const type = reactionTypeOf(key)
    const count = tallyOf(value)
    if (type === undefined || count === undefined) return []
    const times = latest.filter((one) => one.type === type).map((one) => one.createdAt)
    const [firstAt, lastAt] = times.length > 0 ? [Math.min(...times), Math.max(...times)] : [fallbackAt, fallbackAt]
    return [{ type, count, sumScores: tallyOf(scores[key]) ?? count, firstAt, lastAt }]
  })
}
