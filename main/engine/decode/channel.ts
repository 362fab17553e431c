import { asUserId, type UserId, asCid, asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { composerKey } from '#shared/domain/draft.ts'
import type { ChannelConfig } from '#shared/domain/channel.ts'
import { DEFAULT_MESSAGE_LENGTH, MAX_MESSAGE_LENGTH } from '#shared/constants.ts'
import type { ChannelRow, MemberRow, MessageRow, PollRow, ReadRow, UserRow } from '#main/cache/rows.ts'
import { decodeMessage, type DecodedMessage } from './message.ts'
import {
  asList,
  asWire,
  countOf,
  eachOf,
  flagOf,
  timeOf,
  type DecodeContext,
  idOf,
  textOf,
  customOf,
  nameOf,
  tallyOf,
  pastOf,
  urlOf,
  type Wire,
  fieldSet,
} from './read.ts'
import { decodeUser } from './user.ts'

const KNOWN = fieldSet(
  'id type cid name image topic description private config created_by created_by_id',
  'created_at updated_at last_message_at member_count message_count own_capabilities frozen',
  'disabled hidden hide_messages_before blocked muted cooldown truncated_at truncated_by',
  'truncated_by_id deleted_at members joined',
)
const COMMANDS_LIMIT = 100
/** See docs/wire.md 6.5. */
const COOLDOWN_LIMIT = 120

type DecodedChannel = { readonly row: ChannelRow; readonly users: readonly UserRow[] }

/** See docs/wire.md 5.4. Dropped if type, id and cid do not agree. */
export function decodeChannel(value: unknown, context: DecodeContext): DecodedChannel | undefined {
  const wire = asWire(value)
  const name = wire && namesOf(wire)
  if (!wire || !name) {
    context.dropped?.('channel')
    return undefined
  }
  const creator = wire['created_by'] ? decodeUser(wire['created_by'], context) : undefined
  const creatorId = creator?.id ?? idOf(wire['created_by_id'])
  // Only responses of a query contain the viewer's capabilities; other fields of the viewer that they omit are false.
  const whenAbsent = context.isAnswer && Array.isArray(wire['own_capabilities']) ? false : undefined
  const capabilities = capabilitiesOf(wire['own_capabilities'])
  const clearedBy = idOf(wire['truncated_by_id']) ?? idOf(asWire(wire['truncated_by'])?.['id'])
  const row: ChannelRow = {
    ...name,
    name: nameOf(wire['name']) ?? '',
    topic: nameOf(wire['topic'], 500) ?? nameOf(wire['description'], 500),
    imageUrl: urlOf(wire['image']),
    isPrivate: wire['private'] === true,
    createdById: creatorId === undefined ? undefined : asUserId(creatorId),
    createdAt: timeOf(wire['created_at']),
    updatedAt: pastOf(wire['updated_at'], context) ?? 0,
    lastMessageAt: pastOf(wire['last_message_at'], context),
    memberCount: tallyOf(wire['member_count']),
    frozen: flagOf(wire['frozen']) ?? false,
    disabled: flagOf(wire['disabled']) ?? false,
    cooldown: Math.min(COOLDOWN_LIMIT, countOf(wire['cooldown']) ?? 0),
    truncatedAt: timeOf(wire['truncated_at']),
    truncatedById: clearedBy === undefined ? undefined : asUserId(clearedBy),
    capabilities,
    capabilitiesAsOf: capabilities === undefined ? undefined : context.asOf,
    config: decodeConfig(wire['config']),
    hidden: flagOf(wire['hidden']) ?? whenAbsent,
    hideBefore: timeOf(wire['hide_messages_before']),
    blocked: flagOf(wire['blocked']) ?? whenAbsent,
    custom: customOf(wire, KNOWN),
    asOf: context.asOf,
  }
  return { row, users: creator ? [creator] : [] }
}

/** Missing flags are off, as the server means them; the length is limited by the contract. */
export function decodeConfig(value: unknown): ChannelConfig | undefined {
  const wire = asWire(value)
  if (!wire) return undefined
  const on = (key: string) => wire[key] === true
  const length = countOf(wire['max_message_length']) || DEFAULT_MESSAGE_LENGTH
  return {
    typingEvents: on('typing_events'),
    readEvents: on('read_events'),
    reactions: on('reactions'),
    replies: on('replies'),
    quotes: on('quotes'),
    uploads: on('uploads'),
    polls: on('polls'),
    sharedLocations: on('shared_locations'),
    deliveryEvents: on('delivery_events') ? true : undefined,
    urlEnrichment: on('url_enrichment') ? true : undefined,
    systemKeepsPlace: on('skip_last_msg_update_for_system_msgs') ? true : undefined,
    maxMessageLength: Math.min(MAX_MESSAGE_LENGTH, length),
    commands: eachOf(wire['commands'], commandOf, COMMANDS_LIMIT),
  }
}

function namesOf(wire: Wire) {
  const [type, id, cid] = [idOf(wire['type']), idOf(wire['id']), idOf(wire['cid'])]
  if (cid === undefined)
    return type === undefined || id === undefined ? undefined : { type, id, cid: asCid(`${type}:${id}`) }
  const at = cid.indexOf(':')
  if (at <= 0 || at === cid.length - 1) return undefined
  const parts = { type: cid.slice(0, at), id: cid.slice(at + 1) }
  const agrees = (type ?? parts.type) === parts.type && (id ?? parts.id) === parts.id
  return agrees ? { ...parts, cid: asCid(cid) } : undefined
}

function capabilitiesOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? eachOf(value, (item) => nameOf(item, 100)).toSorted() : undefined
}

function commandOf(value: unknown): ChannelConfig['commands'][number] | undefined {
  const wire = asWire(value)
  const name = nameOf(wire?.['name'], 100)
  if (!wire || name === undefined) return undefined
  const program = nameOf(wire['program'], 100)
  const texts = { args: nameOf(wire['args']) ?? '', description: nameOf(wire['description']) ?? '' }
  return { name, ...texts, ...(program === undefined ? {} : { program }) }
}

type DecodedMember = { readonly row: MemberRow; readonly user?: UserRow }

/** See docs/wire.md 5.7. */
export function decodeMember(value: unknown, context: DecodeContext, cid: string): DecodedMember | undefined {
  const wire = asWire(value)
  const user = wire?.['user'] ? decodeUser(wire['user'], context) : undefined
  const userId = user?.id ?? idOf(wire?.['user_id'])
  if (!wire || userId === undefined) {
    context.dropped?.('member')
    return undefined
  }
  const createdAt = timeOf(wire['created_at']) ?? 0
  const row: MemberRow = {
    cid: asCid(cid),
    userId: asUserId(userId),
    channelRole: nameOf(wire['channel_role'], 64) ?? 'channel_member',
    banned: flagOf(wire['banned']) ?? false,
    shadowBanned: flagOf(wire['shadow_banned']) ?? false,
    notificationsMuted: flagOf(wire['notifications_muted']) ?? false,
    invited: wire['status'] === 'pending' ? true : undefined,
    pinnedAt: timeOf(wire['pinned_at']),
    archivedAt: timeOf(wire['archived_at']),
    createdAt,
    updatedAt: timeOf(wire['updated_at']) ?? createdAt,
    asOf: context.asOf,
  }
  return { row, user }
}

/** Response of a channel query, split into rows. */
export type ChannelFacts = {
  readonly channel: ChannelRow
  readonly users: readonly UserRow[]
  readonly members: readonly MemberRow[]
  /** The viewer is a member. */
  readonly isMember: boolean
  /** In the order received; shadowed ones included, because they count for the page. */
  readonly messages: readonly MessageRow[]
  /** How many the server sent, unusable ones included. */
  readonly returned: number
  readonly pinned: readonly MessageRow[]
  readonly polls: readonly PollRow[]
  /** Read marks of all members; the viewer's is always included for a member. */
  readonly reads: readonly ReadRow[]
  readonly watcherIds: readonly UserId[]
  readonly watcherCount?: number
  readonly draft?: DraftFacts
}

/** Bound for members and messages; more than any request returns. The rest is ignored. */
const LISTED_LIMIT = 1_000

/**
 * See docs/wire.md 5.6. `undefined` only if the channel itself is unusable; other invalid items are dropped one by
 * one.
 */
export function decodeChannelState(value: unknown, context: DecodeContext): ChannelFacts | undefined {
  const wire = asWire(value)
  const channel = decodeChannel(wire?.['channel'], context)
  if (!wire || !channel) return undefined
  const { cid } = channel.row
  const membership = wire['membership'] ? decodeMember(wire['membership'], context, cid) : undefined
  const listed = eachOf(wire['members'], (item) => decodeMember(item, context, cid), LISTED_LIMIT)
  const members = [...listed, ...(membership ? [membership] : [])]
  const decoded = (key: string) => eachOf(wire[key], (item) => decodeMessage(item, context, cid), LISTED_LIMIT)
  const [messages, pinned] = [decoded('messages'), decoded('pinned_messages')]
  const watchers = eachOf(wire['watchers'], (item) => decodeUser(item, context), LISTED_LIMIT)
  const newestAt = Math.max(
    channel.row.lastMessageAt ?? 0,
    ...messages.flatMap(({ row }) => (row.timeUnsure ? [] : [row.createdAt])),
  )
  const reads = eachOf(wire['read'], (item) => decodeRead(item, context, { cid, newestAt }), LISTED_LIMIT)
  const isMember = members.some(({ row }) => row.userId === context.viewerId)
  const hasOwnRead = reads.some(({ row }) => row.userId === context.viewerId)
  return {
    channel: {
      ...channel.row,
      hidden: flagOf(wire['hidden']) ?? channel.row.hidden,
      hideBefore: timeOf(wire['hide_messages_before']) ?? channel.row.hideBefore,
    },
    users: [
      ...channel.users,
      ...watchers,
      ...members.flatMap(({ user }) => (user ? [user] : [])),
      ...reads.flatMap(({ user }) => (user ? [user] : [])),
      ...[...messages, ...pinned].flatMap(({ users }) => users),
    ],
    members: members.map(({ row }) => row),
    isMember,
    messages: rowsOf(messages),
    returned: asList(wire['messages']).length,
    pinned: rowsOf(pinned),
    polls: [...messages, ...pinned].flatMap(({ poll }) => (poll ? [poll] : [])),
    reads: [
      ...reads.map(({ row }) => row),
      ...(isMember && !hasOwnRead ? [initialRead(context, cid, channel.row.lastMessageAt)] : []),
    ],
    watcherIds: watchers.map((user) => asUserId(user.id)),
    watcherCount: countOf(wire['watcher_count']),
    draft: wire['draft'] ? decodeDraft(wire['draft'], context) : undefined,
  }
}

const rowsOf = (messages: readonly DecodedMessage[]): readonly MessageRow[] => messages.map(({ row }) => row)

type DecodedRead = { readonly row: ReadRow; readonly user?: UserRow }

type ReadPlace = {
  readonly cid: string
  /** Parent id, for a thread's read list. */
  readonly threadId?: string
  /** Newest message time in the same response: the server's count includes everything up to it. */
  readonly newestAt?: number
}

/** See docs/wire.md 5.8. */
export function decodeRead(value: unknown, context: DecodeContext, place: ReadPlace): DecodedRead | undefined {
  const wire = asWire(value)
  const user = wire?.['user'] ? decodeUser(wire['user'], context) : undefined
  const userId = user?.id ?? idOf(wire?.['user_id'])
  if (!wire || userId === undefined) {
    context.dropped?.('read')
    return undefined
  }
  const lastReadAt = timeOf(wire['last_read']) ?? 0
  const messageId = idOf(wire['last_read_message_id'])
  const firstUnreadId = idOf(wire['first_unread_message_id'])
  const row: ReadRow = {
    cid: asCid(place.cid),
    userId: asUserId(userId),
    threadId: place.threadId === undefined ? undefined : asMessageId(place.threadId),
    lastReadAt,
    lastReadMessageId: messageId === undefined ? undefined : asMessageId(messageId),
    unread: countOf(wire['unread_messages']) ?? 0,
    countedAt: Math.max(context.asOf, place.newestAt ?? 0, lastReadAt),
    firstUnreadId: firstUnreadId === undefined ? undefined : asMessageId(firstUnreadId),
    asOf: context.asOf,
    deliveredAt: timeOf(wire['last_delivered_at']),
  }
  return { row, user }
}

/**
 * The viewer's entry if the server sends none. Its `asOf` is 0, so that it never replaces a stored one.
 * See docs/wire.md 7.5.
 */
function initialRead(context: DecodeContext, cid: string, lastMessageAt: number | undefined): ReadRow {
  const at = lastMessageAt ?? context.asOf
  return {
    cid: asCid(cid),
    userId: context.viewerId,
    lastReadAt: at,
    unread: 0,
    countedAt: at,
    asOf: 0,
  }
}

/** A draft that the server stores for the viewer. Local drafts win unless they are older. */
type DraftFacts = {
  readonly cid: Cid
  readonly parentId?: MessageId
  readonly text: string
  readonly quotedId?: MessageId
  readonly showInChannel: boolean
  readonly createdAt: number
}

/** See docs/wire.md 5.11. */
export function decodeDraft(value: unknown, context: DecodeContext): DraftFacts | undefined {
  const wire = asWire(value)
  const message = asWire(wire?.['message'])
  const cid = idOf(wire?.['channel_cid'])
  if (!wire || !message || cid === undefined) {
    context.dropped?.('draft')
    return undefined
  }
  const parentId = idOf(wire['parent_id']) ?? idOf(message['parent_id'])
  const quotedId = idOf(message['quoted_message_id']) ?? idOf(asWire(wire['quoted_message'])?.['id'])
  return {
    cid: asCid(cid),
    parentId: parentId === undefined ? undefined : asMessageId(parentId),
    text: textOf(message['text'], 100_000) ?? '',
    quotedId: quotedId === undefined ? undefined : asMessageId(quotedId),
    showInChannel: flagOf(message['show_in_channel']) ?? false,
    createdAt: timeOf(wire['created_at']) ?? context.asOf,
  }
}

/** A draft as the server sends it, with the key of its composer. */
export type ServerDraft = Omit<DraftFacts, 'createdAt'> & {
  readonly key: string
  /** Chosen by the client that wrote it; empty if the server sends none. */
  readonly id: string
  /** When it was written, epoch milliseconds of the server. */
  readonly at: number
}

export function decodeServerDraft(value: unknown, context: DecodeContext): ServerDraft | undefined {
  const facts = decodeDraft(value, context)
  if (!facts) return undefined
  const { createdAt, ...rest } = facts
  const id = idOf(asWire(asWire(value)?.['message'])?.['id']) ?? ''
  return { ...rest, key: composerKey(facts.cid, facts.parentId), id, at: createdAt }
}
