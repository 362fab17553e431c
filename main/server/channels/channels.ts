import * as v from 'valibot'
import { isBlank } from '#shared/lib/clean-text.ts'
import { asUser, storedImage } from '../uploads/upload-files.ts'
import { refuse } from '../http/refusal.ts'
import { isObject, type Json } from '../http/json.ts'
import { customOf, flag, idText, list } from '../http/shapes.ts'
import type { Db } from '../store/db.ts'
import { banOf, futureBansOf, markBan, putBan } from '../moderation/restriction-tables.ts'
import { returnToThreads } from '../threads/thread-table.ts'
import { settingOf } from '../admin/settings.ts'
import type { Micros } from '../store/time.ts'
import { requireUser } from '../users/users.ts'
import { toWords } from '../messages/words.ts'
import { channelByCid, insertChannel, recountMembers, type ChannelRow } from './channel-table.ts'
import { insertMember } from './member-table.ts'
import { misfits, overrideFields, typeOf } from './channel-types.ts'

const TYPE = /^[A-Za-z0-9_-]{1,64}$/
const ID = /^[A-Za-z0-9!_-]{1,64}$/
const MAX_MEMBERS_PER_CALL = 100

/** Keys of CHANNEL INPUT that are columns, or that a client never sets. Everything else is custom. */
const KNOWN: ReadonlySet<string> = new Set([
  'config',
  'cid',
  'created_by',
  'created_by_id',
  'id',
  'member_count',
  'message_count',
  'type',
  'created_at',
  'updated_at',
  'deleted_at',
  'last_message_at',
  'own_capabilities',
  'members',
  'invites',
  'team',
  'frozen',
  'disabled',
  'blocked',
  'hidden',
  'hide_messages_before',
  'muted',
  'mute_expires_at',
  'joined',
  'cooldown',
  'filter_tags',
  'config_overrides',
  'truncated_at',
  'truncated_by',
  'truncated_by_id',
  'name',
])

export function checkChannelId(type: string, id: string): string {
  if (!TYPE.test(type)) refuse('input', `Invalid chat type ${type}, letters, numbers and "_-" are allowed`)
  if (!ID.test(id)) refuse('input', `Invalid chat id ${id}, letters, numbers and "!-_" are allowed`)
  return `${type}:${id}`
}

export function requireType(db: Db, type: string): void {
  if (!typeOf(db, type)) refuse('doesNotExist', `Channel type ${type} does not exist`)
}

export type MemberInput = { readonly userId: string; readonly role: string | undefined; readonly custom: Json }

/** Keys of a membership that the server sets, or that have a fixed meaning. Everything else is custom. */
export const MEMBER_KEYS: ReadonlySet<string> = new Set([
  'cid',
  'user_id',
  'user',
  'role',
  'channel_role',
  'is_moderator',
  'banned',
  'shadow_banned',
  'ban_expires',
  'invited',
  'status',
  'invite_accepted_at',
  'invite_rejected_at',
  'notifications_muted',
  'pinned',
  'pinned_at',
  'archived',
  'archived_at',
  'deleted_messages',
  'deleted_at',
  'created_at',
  'updated_at',
])

/** Member lists take plain ids or objects. */
export const memberList = list(
  v.union([
    v.string(),
    v.looseObject({
      user_id: idText(),
      user: v.optional(v.looseObject({ id: idText() })),
      channel_role: idText(64),
    }),
  ]),
  MAX_MEMBERS_PER_CALL,
)

/** CHANNEL INPUT: the known keys; every other key is custom. See docs/wire.md 3.2. */
export const channelInput = v.optional(
  v.looseObject({
    members: memberList,
    invites: memberList,
    created_by_id: idText(),
    created_by: v.optional(v.looseObject({ id: idText() })),
    name: v.optional(v.string()),
    image: v.optional(v.string()),
    team: idText(),
    frozen: flag,
    disabled: flag,
    private: flag,
    cooldown: v.optional(v.number()),
    filter_tags: v.optional(v.array(v.string())),
    config_overrides: v.optional(v.looseObject(overrideFields)),
  }),
)

export function readMembers(value: unknown, field: string): MemberInput[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > MAX_MEMBERS_PER_CALL) {
    return refuse('input', `${field} must be a list of at most ${MAX_MEMBERS_PER_CALL}`)
  }
  return value.map((each: unknown) => {
    if (typeof each === 'string') return { userId: each, role: undefined, custom: {} }
    const item = (typeof each === 'object' && each !== null ? each : {}) as Json
    const user = item['user'] as { id?: unknown } | undefined
    const userId = item['user_id'] ?? user?.id
    if (typeof userId !== 'string') return refuse('input', `${field}: a member has no user_id`)
    const role = typeof item['channel_role'] === 'string' ? item['channel_role'] : undefined
    return { userId, role, custom: customOf(item, MEMBER_KEYS) }
  })
}

type NewChannel = {
  readonly type: string
  readonly id: string
  readonly createdBy: string
  readonly data: Json
  readonly members: readonly MemberInput[]
  readonly invites: readonly MemberInput[]
}

/** Writes a channel and its members. The creator is a member only when listed. */
export function createChannel(db: Db, input: NewChannel, now: Micros): ChannelRow {
  const cid = checkChannelId(input.type, input.id)
  requireType(db, input.type)
  const { data } = input
  const columns = columnsOf(data)
  insertChannel(db, {
    cid,
    type: input.type,
    id: input.id,
    ...columns,
    custom: storedImage(db, asUser(input.createdBy, 'user'), columns.custom),
    created_by: input.createdBy,
    created_at: now,
    updated_at: now,
    last_message_at: null,
    last_updated: now,
    last_stamp: now,
    member_count: 0,
    message_count: 0,
    disabled: 0,
    truncated_at: null,
    truncated_by: null,
    deleted_at: null,
  })
  // a user in both lists is invited: clients list all users as members and some of them as invited
  const invited = new Map(input.invites.map((member) => [member.userId, member]))
  const members = input.members.filter(({ userId }) => !invited.has(userId))
  for (const member of members) addMember(db, cid, member, now, { creator: member.userId === input.createdBy })
  for (const member of invited.values()) addMember(db, cid, member, now, { invited: true })
  recountMembers(db, cid)
  return channelByCid(db, cid) ?? refuse('internal', 'the channel was not written')
}

export function addMember(
  db: Db,
  cid: string,
  member: MemberInput,
  now: Micros,
  options: { creator?: boolean; invited?: boolean; hideBefore?: Micros | null } = {},
): void {
  requireUser(db, member.userId)
  if (member.role !== undefined) checkChannelRole(db, member.role)
  insertMember(db, {
    cid,
    user_id: member.userId,
    channel_role: member.role ?? 'channel_member',
    role: options.creator ? 'owner' : member.role === 'channel_moderator' ? 'moderator' : 'member',
    created_at: now,
    custom: JSON.stringify(member.custom),
    invited: options.invited ?? false,
    hideBefore: options.hideBefore ?? null,
  })
  carryBans(db, cid, member.userId, now)
  returnToThreads(db, cid, member.userId)
}

const CHANNEL_ROLES: ReadonlySet<string> = new Set(['channel_member', 'channel_moderator'])

/** A role of the app is not a channel role: members must not hand out its grants. */
export function checkChannelRole(db: Db, role: string): void {
  if (CHANNEL_ROLES.has(role) || settingOf(db, 'role', role)) return
  refuse('input', `channel_role ${role.slice(0, 64)} is not a role of channels`, { channel_role: 'unknown' })
}

/**
 * Leaving and coming back does not end a ban; the channel's creator may also have banned the user from future channels.
 */
function carryBans(db: Db, cid: string, userId: string, now: Micros): void {
  const creator = channelByCid(db, cid)?.created_by ?? ''
  const ahead = futureBansOf(db, creator, now).find((ban) => ban.user_id === userId)
  if (ahead && !banOf(db, userId, cid)) putBan(db, { ...ahead, cid })
  else markBan(db, userId, cid)
}

export type ChannelColumns = Pick<
  ChannelRow,
  'name' | 'name_words' | 'frozen' | 'cooldown' | 'team' | 'config_overrides' | 'filter_tags' | 'custom'
>

/**
 * Columns a client may set, out of CHANNEL INPUT. Absent ones get their default: the data replaces the previous
 * columns.
 */
export function columnsOf(data: Json): ChannelColumns {
  const name = typeof data['name'] === 'string' && !isBlank(data['name']) ? data['name'] : null
  return {
    name,
    name_words: toWords(name ?? ''),
    frozen: data['frozen'] === true ? 1 : 0,
    cooldown: readCooldown(data['cooldown']),
    team: typeof data['team'] === 'string' && data['team'] !== '' ? data['team'] : null,
    config_overrides: JSON.stringify(readOverrides(data['config_overrides'])),
    filter_tags: JSON.stringify(readTags(data['filter_tags'], 'filter_tags')),
    custom: JSON.stringify(customOf(data, KNOWN)),
  }
}

/** Overrides that could extend rights or weaken moderation: only an administrator may set them. */
export const ADMIN_OVERRIDES = ['grants', 'blocklist', 'blocklist_behavior', 'commands'] as const

const MAX_OVERRIDES_BYTES = 5 * 1024

function readOverrides(value: unknown): Json {
  if (value === undefined || value === null) return {}
  if (!isObject(value)) return refuse('input', 'config_overrides must be an object')
  const wrong = misfits(value)
  if (wrong.length > 0) {
    return refuse('input', `config_overrides.${wrong[0]} has a wrong value`, { [wrong[0] ?? '']: 'wrong value' })
  }
  if (JSON.stringify(value).length > MAX_OVERRIDES_BYTES) refuse('payloadTooBig', 'config_overrides are too big')
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))
}

/** See docs/wire.md 3.2 "filter_tags (≤10)". */
const MAX_TAGS = 10
const MAX_TAG = 255

export function readTags(value: unknown, field: string): string[] {
  if (value === undefined || value === null) return []
  const isTag = (each: unknown): each is string => typeof each === 'string' && each !== '' && each.length <= MAX_TAG
  if (!Array.isArray(value) || value.length > MAX_TAGS || !value.every(isTag)) {
    return refuse('input', `${field} must be a list of at most ${MAX_TAGS} texts`)
  }
  return [...new Set(value)]
}

const MAX_COOLDOWN_S = 120

export function readCooldown(value: unknown): number {
  if (value === undefined || value === null) return 0
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MAX_COOLDOWN_S) {
    return refuse('input', `cooldown must be 0 to ${MAX_COOLDOWN_S} seconds`)
  }
  return value
}
