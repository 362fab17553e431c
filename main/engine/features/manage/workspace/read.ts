import {
  CHANNEL_SWITCHES,
  LONGEST_HANDLER,
  OTHER_SWITCHES,
  type ChannelKind,
  type ListedPoll,
  type UploadLimits,
  type WorkspaceCommand,
  type WorkspaceLimits,
} from '#shared/domain/manage/workspace.ts'
import { DEFAULT_MESSAGE_LENGTH, UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import { asPollId, asUserId } from '#shared/lib/brand.ts'
import { asList, asWire, countOf, idOf, nameOf, tallyOf, textOf, timeOf, type Wire } from '../../../decode/read.ts'

/** Types that come with a server, by the contract. */
const BUILT_IN: ReadonlySet<string> = new Set(['messaging', 'team', 'commerce', 'livestream', 'gaming'])

/** @param ours a server of our own kind, which acts on fewer settings than it stores */
export function readKind(value: unknown, ours: boolean): ChannelKind | undefined {
  const wire = asWire(value)
  const name = idOf(wire?.['name'])
  if (wire === undefined || name === undefined) return undefined
  const others = ours ? [] : OTHER_SWITCHES.filter((each) => typeof wire[each] === 'boolean')
  const switches = [...CHANNEL_SWITCHES, ...others]
  const retention = idOf(wire['message_retention'])
  return {
    name,
    builtIn: BUILT_IN.has(name),
    on: switches.filter((each) => wire[each] === true),
    switches,
    maxLength: countOf(wire['max_message_length']) || DEFAULT_MESSAGE_LENGTH,
    ...(ours || retention === undefined ? {} : { retention }),
    commands: asList(wire['commands']).flatMap((each) => idOf(each) ?? idOf(asWire(each)?.['name']) ?? []),
  }
}

const COMMANDS: ReadonlySet<string> = new Set(['giphy', 'ban', 'unban', 'mute', 'unmute', 'flag'])

export function readCommand(value: unknown): WorkspaceCommand | undefined {
  const wire = asWire(value)
  const name = idOf(wire?.['name'])
  if (wire === undefined || name === undefined) return undefined
  return {
    name,
    description: textOf(wire['description'], 500) ?? '',
    args: textOf(wire['args'], 500) ?? '',
    builtIn: COMMANDS.has(name),
  }
}

export function readPoll(value: unknown): ListedPoll | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  if (wire === undefined || id === undefined) return undefined
  const byId = idOf(wire['created_by_id']) ?? idOf(asWire(wire['created_by'])?.['id'])
  return {
    id: asPollId(id),
    name: nameOf(wire['name'], 500) ?? '',
    ...(byId === undefined ? {} : { byId: asUserId(byId) }),
    createdAt: timeOf(wire['created_at']) ?? 0,
    closed: wire['is_closed'] === true,
    options: asList(wire['options']).length,
    votes: tallyOf(wire['vote_count']) ?? 0,
  }
}

const DAY_S = 86_400
const LINK_DAYS = 14

export function readLimits(wire: Wire | undefined, ours: boolean): WorkspaceLimits {
  const uploads = { image: readUploads(wire?.['image_upload_config']), file: readUploads(wire?.['file_upload_config']) }
  const interval = countOf(wire?.['reminders_interval'])
  const names = wire?.['enforce_unique_usernames']
  const uniqueNames: WorkspaceLimits['uniqueNames'] = names === 'app' || names === 'team' ? names : 'no'
  const common = {
    ...uploads,
    guests: wire?.['guest_user_creation_disabled'] !== true,
    separateTeams: wire?.['multi_tenant_enabled'] === true,
    uniqueNames,
  }
  if (!ours) {
    const handler = wire?.['custom_action_handler_url']
    return {
      ...common,
      ...(interval === undefined ? {} : { remindersInterval: interval }),
      ...(typeof handler === 'string' ? { actionHandler: handler.slice(0, LONGEST_HANDLER) } : {}),
    }
  }
  const seconds = countOf(wire?.['cdn_expiration_seconds'])
  return {
    ...common,
    anonymous: wire?.['anonymous_access_enabled'] === true,
    linkDays: seconds === undefined ? LINK_DAYS : Math.max(1, Math.round(seconds / DAY_S)),
  }
}

function readUploads(value: unknown): UploadLimits {
  const wire = asWire(value)
  const list = (field: string): readonly string[] => asList(wire?.[field]).flatMap((each) => idOf(each) ?? [])
  return {
    maxBytes: countOf(wire?.['size_limit']) || UPLOAD_LIMIT_BYTES,
    allowedExtensions: list('allowed_file_extensions'),
    blockedExtensions: list('blocked_file_extensions'),
    allowedTypes: list('allowed_mime_types'),
    blockedTypes: list('blocked_mime_types'),
  }
}

type UploadChange = { readonly [Field in keyof UploadLimits]?: UploadLimits[Field] }

/** The whole block of the wire: servers replace it. */
export function wireUploads(now: UploadLimits, change: UploadChange): Readonly<Record<string, unknown>> {
  const next = { ...now, ...change }
  return {
    size_limit: next.maxBytes,
    allowed_file_extensions: next.allowedExtensions,
    blocked_file_extensions: next.blockedExtensions,
    allowed_mime_types: next.allowedTypes,
    blocked_mime_types: next.blockedTypes,
  }
}

export const secondsOf = (days: number): number => days * DAY_S
