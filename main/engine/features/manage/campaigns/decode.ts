import {
  CAMPAIGN_ATTACHMENTS,
  CAMPAIGN_DESCRIPTION_LENGTH,
  CAMPAIGN_MEMBERS,
  CAMPAIGN_PEOPLE,
  CAMPAIGN_SEGMENTS,
  CAMPAIGN_STATES,
  NOT_SENT,
  SENDER_MODES,
  SENDER_VISIBILITIES,
  type CampaignAttachment,
  type CampaignChannel,
  type CampaignContent,
  type CampaignPoll,
  type CampaignSegment,
  type CampaignStats,
  type ListedCampaign,
  type NotSent,
} from '#shared/domain/manage/campaigns.ts'
import type { FieldValue } from '#shared/domain/manage/directory.ts'
import { isFieldName } from '#shared/lib/field-names.ts'
import { fieldOf } from '#shared/rules/people/people.ts'
import type { CampaignInput } from '#shared/wire/campaigns.ts'
import {
  asList,
  asWire,
  countOf,
  customOf,
  eachOf,
  flagOf,
  idOf,
  nameOf,
  numberOf,
  textOf,
  timeOf,
  versionOf,
  type Wire,
} from '../../../decode/read.ts'
import { wireField } from '../directory/people.ts'

const MAX_FIELDS = 50

/** See docs/wire.md 5.17. `undefined`: not a campaign. */
export function readCampaign(value: unknown): ListedCampaign | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  const state = oneOf(CAMPAIGN_STATES, wire?.['status'])
  if (!wire || id === undefined || state === undefined) return undefined
  return {
    id,
    state,
    content: readContent(wire),
    segments: eachOf(wire['segments'], readSegment, CAMPAIGN_SEGMENTS),
    stats: readStats(asWire(wire['stats']) ?? {}),
    scheduledFor: timeOf(wire['scheduled_for']),
    stopAt: timeOf(wire['stop_at']),
    createdAt: timeOf(wire['created_at']),
    updatedAt: timeOf(wire['updated_at']),
    version: versionOf(wire),
  }
}

const oneOf = <T extends string>(choices: readonly T[], value: unknown): T | undefined =>
  choices.find((each) => each === value)

const idsOf = (value: unknown, most: number): readonly string[] => eachOf(value, idOf, most)

function readContent(wire: Wire): CampaignContent {
  const template = asWire(wire['message_template']) ?? {}
  return {
    name: nameOf(wire['name']) ?? '',
    description: textOf(wire['description'], CAMPAIGN_DESCRIPTION_LENGTH) ?? '',
    senderId: idOf(wire['sender_id']) ?? '',
    senderMode: oneOf(SENDER_MODES, wire['sender_mode']),
    senderVisibility: oneOf(SENDER_VISIBILITIES, wire['sender_visibility']),
    text: textOf(template['text']) ?? '',
    attachments: eachOf(template['attachments'], readAttachment, CAMPAIGN_ATTACHMENTS),
    pollId: idOf(template['poll_id']),
    fields: readFields(template['custom']),
    segmentIds: idsOf(wire['segment_ids'], CAMPAIGN_SEGMENTS),
    userIds: idsOf(wire['user_ids'], CAMPAIGN_PEOPLE),
    channel: readChannel(asWire(wire['channel_template'])),
    createChannels: flagOf(wire['create_channels']) ?? false,
    showChannels: flagOf(wire['show_channels']) ?? false,
    skipPush: flagOf(wire['skip_push']) ?? false,
    skipWebhook: flagOf(wire['skip_webhook']) ?? false,
  }
}

export function readAttachment(value: unknown): CampaignAttachment | undefined {
  const wire = asWire(value)
  if (!wire) return undefined
  const url = textOf(wire['image_url'], 2_000) ?? textOf(wire['asset_url'], 2_000) ?? ''
  return {
    title: nameOf(wire['title']) ?? nameOf(wire['fallback']) ?? url,
    image: wire['type'] === 'image',
    json: JSON.stringify(wire),
  }
}

function readFields(value: unknown): Readonly<Record<string, FieldValue>> {
  const wire = asWire(value)
  if (!wire) return {}
  const fields = Object.entries(customOf(wire)).filter(([name]) => isFieldName(name))
  return Object.fromEntries(fields.slice(0, MAX_FIELDS).map(([name, field]) => [name, fieldOf(field)]))
}

function readChannel(wire: Wire | undefined): CampaignChannel | undefined {
  const type = nameOf(wire?.['type'], 64)
  if (!wire || type === undefined) return undefined
  const templates = asList(wire['members_template'])
  const moderators = templates.flatMap((each) => moderatorOf(each) ?? [])
  const members = templates.filter((each) => moderatorOf(each) === undefined)
  return {
    type,
    id: idOf(wire['id']),
    members: [...new Set([...idsOf(wire['members'], CAMPAIGN_MEMBERS), ...moderators])].slice(0, CAMPAIGN_MEMBERS),
    ...(moderators.length === 0 ? {} : { moderators: moderators.slice(0, CAMPAIGN_MEMBERS) }),
    team: nameOf(wire['team'], 64),
    name: nameOf(asWire(wire['custom'])?.['name'], 255),
    fields: readFields(wire['custom']),
    membersJson: members.length === 0 ? undefined : JSON.stringify(members),
  }
}

const MODERATOR = 'channel_moderator'

/** Who it is, if the entry says nothing but that they are a moderator. */
function moderatorOf(value: unknown): string | undefined {
  const wire = asWire(value)
  return wire?.['channel_role'] === MODERATOR && wire['custom'] === undefined ? idOf(wire['user_id']) : undefined
}

function readSegment(value: unknown): CampaignSegment | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  if (!wire || id === undefined) return undefined
  const type = wire['type'] === 'channel' ? 'channel' : 'user'
  return { id, type, name: nameOf(wire['name']) ?? id, size: countOf(wire['size']) ?? 0 }
}

function readStats(wire: Wire): CampaignStats {
  return {
    progress: Math.min(1, Math.max(0, numberOf(wire['progress']) ?? 0)),
    startedAt: timeOf(wire['stats_started_at']),
    completedAt: timeOf(wire['stats_completed_at']),
    usersSent: countOf(wire['stats_users_sent']) ?? 0,
    usersDelivered: countOf(wire['stats_users_delivered']),
    usersRead: countOf(wire['stats_users_read']) ?? 0,
    messagesSent: countOf(wire['stats_messages_sent']) ?? 0,
    channelsCreated: countOf(wire['stats_channels_created']) ?? 0,
  }
}

/** Our server's own: see docs/wire.md 3.15. */
export function readNotSent(value: unknown): { rows: readonly NotSent[]; count: number } | undefined {
  const wire = asWire(value)
  const count = countOf(wire?.['count'])
  if (!wire || count === undefined) return undefined
  const rows = eachOf(wire['targets'], (each): NotSent | undefined => {
    const target = asWire(each)
    const id = idOf(target?.['target_id'])
    const state = oneOf(NOT_SENT, target?.['state'])
    if (!target || id === undefined || state === undefined) return undefined
    const kind = target['kind'] === 'channel' ? 'channel' : 'user'
    return { id, kind, state, reason: textOf(target['reason'], 500) ?? '', at: timeOf(target['updated_at']) }
  })
  return { rows, count }
}

/** What the server is sent. Rejects with `people/not-json` for a field that is no JSON. */
export function writeContent(content: CampaignContent): CampaignInput {
  const { channel } = content
  return {
    name: content.name,
    description: content.description,
    sender_id: content.senderId,
    sender_mode: content.senderMode ?? null,
    sender_visibility: content.senderVisibility ?? null,
    message_template: {
      text: content.text,
      attachments: content.attachments.flatMap(({ json }) => asWire(parsed(json)) ?? []),
      custom: writeFields(content.fields),
      ...(content.pollId === undefined ? {} : { poll_id: content.pollId }),
    },
    segment_ids: content.segmentIds,
    user_ids: content.userIds,
    ...(channel === undefined ? {} : { channel_template: writeChannel(channel) }),
    create_channels: content.createChannels,
    show_channels: content.showChannels,
    skip_push: content.skipPush,
    skip_webhook: content.skipWebhook,
  }
}

/** What of a poll is the same in every copy of it. See docs/wire.md 5.12. */
export function readPoll(value: unknown): CampaignPoll | undefined {
  const wire = asWire(value)
  if (idOf(wire?.['id']) === undefined) return undefined
  const options = eachOf(wire?.['options'], (option) => nameOf(asWire(option)?.['text'], 500))
  return { question: nameOf(wire?.['name'], 500) ?? '', options }
}

function writeChannel({ type, id, members, moderators = [], team, name, fields, membersJson }: CampaignChannel) {
  const custom = { ...writeFields(fields), ...(name === undefined ? {} : { name }) }
  const plain = members.filter((each) => !moderators.includes(each))
  const templates = [
    ...moderators.map((userId) => ({ user_id: userId, channel_role: MODERATOR })),
    ...(membersJson === undefined ? [] : (asList(parsed(membersJson)) as never[])),
  ]
  return {
    type,
    ...(id === undefined ? {} : { id }),
    ...(plain.length === 0 ? {} : { members: plain }),
    ...(templates.length === 0 ? {} : { members_template: templates }),
    ...(team === undefined ? {} : { team }),
    ...(Object.keys(custom).length === 0 ? {} : { custom }),
  }
}

const writeFields = (fields: Readonly<Record<string, FieldValue>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, wireField(name, value)]))

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    // A window sends back what it got; anything else is left out.
    return undefined
  }
}
