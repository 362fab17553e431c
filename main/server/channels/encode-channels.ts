import type { WireChannel, WireChannelConfig, WireMember, WireRead, WireUser } from '#shared/wire/objects.ts'
import type { Command, TypeFlags } from './channel-types.ts'
import type { ChannelRow } from './channel-table.ts'
import type { MemberRow, ReadRow } from './member-table.ts'
import { toText } from '../store/time.ts'

type FindUser = (id: string) => WireUser

type ChannelView = {
  readonly flags: TypeFlags
  readonly user: FindUser & { readonly fresh: (text: string) => string }
  /** With the configuration and these commands: in queries and personal notifications. */
  readonly withConfig: readonly Command[] | false
  /** Of the calling user; absent in the form for many recipients. */
  readonly capabilities?: readonly string[]
  readonly member?: MemberRow
  readonly muted?: boolean
  /** When that mute ends, if it does. */
  readonly muteEnds?: number
  readonly blocked?: boolean
  /** Whether the grants in the channel's overrides are included. */
  readonly moderates?: boolean
}

const EPOCH = toText(0)

/** The configuration for clients; grants are visible to administrators only. */
function encodeConfig(type: string, flags: TypeFlags, commands: readonly Command[]): WireChannelConfig {
  const { grants: _grants, ...shown } = flags
  return { name: type, ...shown, commands, created_at: EPOCH, updated_at: EPOCH }
}

export function encodeChannel(row: ChannelRow, view: ChannelView): WireChannel {
  return {
    ...customData(row, view.user.fresh),
    id: row.id,
    type: row.type,
    cid: row.cid,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.created_by === null ? {} : { created_by_id: row.created_by, created_by: view.user(row.created_by) }),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
    ...(row.last_message_at === null ? {} : { last_message_at: toText(row.last_message_at) }),
    member_count: row.member_count,
    ...(view.flags.count_messages ? { message_count: row.message_count } : {}),
    frozen: row.frozen === 1,
    disabled: row.disabled === 1,
    ...(row.cooldown > 0 ? { cooldown: row.cooldown } : {}),
    ...(row.team === null ? {} : { team: row.team }),
    ...(row.truncated_at === null ? {} : truncation(row, view.user)),
    ...(row.deleted_at === null ? {} : { deleted_at: toText(row.deleted_at) }),
    ...(row.filter_tags === '[]' ? {} : { filter_tags: JSON.parse(row.filter_tags) as string[] }),
    ...overrides(row, view.moderates ?? false),
    ...(view.withConfig ? { config: encodeConfig(row.type, view.flags, view.withConfig) } : {}),
    ...(view.capabilities ? { own_capabilities: view.capabilities } : {}),
    ...(view.member ? ownView(view.member) : {}),
    ...(view.muted === undefined ? {} : { muted: view.muted }),
    ...(view.muteEnds === undefined ? {} : { mute_expires_at: toText(view.muteEnds) }),
    ...(view.blocked ? { blocked: true } : {}),
  }
}

/** The channel's picture may be an upload, whose address is signed again. */
function customData(row: ChannelRow, fresh: (text: string) => string): Record<string, unknown> {
  const custom = JSON.parse(row.custom) as Record<string, unknown>
  return typeof custom['image'] === 'string' ? { ...custom, image: fresh(custom['image']) } : custom
}

/** Grants are included for moderators only, as in the configuration. */
function overrides(row: ChannelRow, moderates: boolean): { config_overrides?: object } {
  const { grants, ...shown } = JSON.parse(row.config_overrides) as Record<string, unknown>
  const all = moderates && grants !== undefined ? { ...shown, grants } : shown
  return Object.keys(all).length === 0 ? {} : { config_overrides: all }
}

function truncation(row: ChannelRow, user: FindUser): Record<string, unknown> {
  return {
    truncated_at: toText(row.truncated_at ?? 0),
    ...(row.truncated_by === null ? {} : { truncated_by_id: row.truncated_by, truncated_by: user(row.truncated_by) }),
  }
}

function ownView(member: MemberRow): Record<string, unknown> {
  return {
    hidden: member.hidden === 1,
    ...(member.hide_before === null ? {} : { hide_messages_before: toText(member.hide_before) }),
    joined: member.status !== 'pending' && member.status !== 'rejected',
  }
}

/** @param moderates includes shadow bans, which neither other users nor the banned user may see */
export function encodeMember(row: MemberRow, user: FindUser, moderates = false): WireMember {
  const ends = row.shadow_banned === 1 && !moderates ? null : row.ban_expires
  return {
    ...(JSON.parse(row.custom) as Record<string, unknown>),
    user_id: row.user_id,
    user: user(row.user_id),
    role: row.role,
    channel_role: row.channel_role,
    is_moderator: row.channel_role === 'channel_moderator',
    invited: row.invited === 1,
    ...(row.status === null ? {} : { status: row.status }),
    ...(row.invite_accepted_at === null ? {} : { invite_accepted_at: toText(row.invite_accepted_at) }),
    ...(row.invite_rejected_at === null ? {} : { invite_rejected_at: toText(row.invite_rejected_at) }),
    banned: row.banned === 1,
    shadow_banned: moderates && row.shadow_banned === 1,
    ...(ends === null ? {} : { ban_expires: toText(ends) }),
    notifications_muted: row.muted === 1,
    pinned_at: row.pinned_at === null ? null : toText(row.pinned_at),
    archived_at: row.archived_at === null ? null : toText(row.archived_at),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}

export function encodeRead(row: ReadRow, user: FindUser): WireRead {
  return {
    user: user(row.user_id),
    last_read: toText(row.last_read),
    last_read_message_id: row.last_read_message_id ?? undefined,
    unread_messages: row.unread,
    last_delivered_at: row.last_delivered_at === null ? undefined : toText(row.last_delivered_at),
    last_delivered_message_id: row.last_delivered_message_id ?? undefined,
  }
}

/** The times of a mute in the form of the contract; `expires` only when it has an end. */
export function muteTimes(row: { created_at: number; updated_at: number; expires_at: number | null }): {
  created_at: string
  updated_at: string
  expires?: string
} {
  return {
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
    ...(row.expires_at === null ? {} : { expires: toText(row.expires_at) }),
  }
}
