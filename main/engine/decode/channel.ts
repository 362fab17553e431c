import type { ChannelConfig } from '#shared/domain/channel.ts'
import { DEFAULT_MESSAGE_LENGTH, MAX_MESSAGE_LENGTH } from '#shared/constants.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import type { ChannelRow, UserRow, MemberRow } from '#main/cache/rows.ts'
import {
  asWire,
  countOf,
  customOf,
  eachOf,
  flagOf,
  idOf,
  nameOf,
  tallyOf,
  pastOf,
  timeOf,
  urlOf,
  type DecodeContext,
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
