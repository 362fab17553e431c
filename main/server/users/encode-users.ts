import type { WireOwnUser, WireUser } from '#shared/wire/objects.ts'
import type { UserRow } from './user-table.ts'
import { toText } from '../store/time.ts'

/** Whether a user counts as online. */
export type OnlineNow = (userId: string) => boolean

/** @param whole includes what only the user and moderators see: private keys and teams */
export function encodeUser(row: UserRow, online: OnlineNow, whole = false): WireUser {
  const custom = JSON.parse(row.custom) as Record<string, unknown>
  return {
    ...(whole ? custom : withoutPrivate(custom)),
    id: row.id,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.image === null ? {} : { image: row.image }),
    ...(row.language === null ? {} : { language: row.language }),
    role: row.role,
    online: row.invisible === 0 && online(row.id),
    banned: row.banned === 1,
    ...(row.ban_expires ? { ban_expires: toText(row.ban_expires) } : {}),
    ...(whole && row.teams && row.teams !== '[]' ? { teams: JSON.parse(row.teams) as string[] } : {}),
    ...(row.last_active === null ? {} : { last_active: toText(row.last_active) }),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
    ...(row.deactivated_at === null ? {} : { deactivated_at: toText(row.deactivated_at) }),
    ...(row.deleted_at === null ? {} : { deleted_at: toText(row.deleted_at) }),
  }
}

/** The placeholder for a user whose row was deleted. */
export function unknownUser(id: string): WireUser {
  return { id, role: 'user', online: false, banned: false }
}

/** The privacy settings, which only the user and server tokens see. */
export const privacyOf = (row: Pick<UserRow, 'privacy'>): object =>
  row.privacy === null ? {} : (JSON.parse(row.privacy) as object)

type OwnParts = Pick<WireOwnUser, 'mutes' | 'channel_mutes' | 'devices' | 'blocked_user_ids'> & {
  readonly pushPreferences?: object
  readonly total: number
  readonly channels: number
  readonly threads: number
}

/** `me` of the first health check: all lists are present, since clients read them without a check. */
export function encodeOwnUser(row: UserRow, online: OnlineNow, parts: OwnParts): WireOwnUser {
  return {
    ...encodeUser(row, online, true),
    invisible: row.invisible === 1,
    privacy_settings: privacyOf(row),
    mutes: parts.mutes,
    channel_mutes: parts.channel_mutes,
    devices: parts.devices,
    blocked_user_ids: parts.blocked_user_ids,
    ...(parts.pushPreferences ? { push_preferences: parts.pushPreferences } : {}),
    total_unread_count: parts.total,
    unread_count: parts.total,
    unread_channels: parts.channels,
    unread_threads: parts.threads,
  }
}

/**
 * Private details of users: custom keys with such names, and values that are email addresses. Visible to the user, to
 * moderators of the whole app and to server tokens.
 */
const NAMES = /^(?:_?private|e[-_]?mail|mail$|phone|mobile|tel$)|(?:e[-_]?mail|phone)(?:[-_]?(?:address|number))?$/i
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,190}\.[^\s@.]{2,60}$/

export function isPrivate(key: string, value: unknown): boolean {
  return NAMES.test(key) || holdsAddress(value)
}

function holdsAddress(value: unknown): boolean {
  if (typeof value === 'string') return ADDRESS.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsAddress)
}

/** The keys that all users may see. */
function withoutPrivate(custom: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(custom).filter(([key, value]) => !isPrivate(key, value)))
}
