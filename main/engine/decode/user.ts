import { STATUS_LENGTH } from '#shared/constants.ts'
import { asUserId, type UserId } from '#shared/lib/brand.ts'
import type { MuteRow, UserRow } from '#main/cache/rows.ts'
import {
  asWire,
  countOf,
  customOf,
  eachOf,
  flagOf,
  idOf,
  nameOf,
  pastOf,
  timeOf,
  urlOf,
  type DecodeContext,
  fieldSet,
} from './read.ts'

const KNOWN = fieldSet(
  'id name image role online invisible last_active banned language created_at',
  'updated_at deleted_at status_text status_until away bot mutes channel_mutes devices privacy_settings',
  'total_unread_count unread_count unread_channels unread_threads blocked_user_ids',
)

/** See docs/wire.md 5.2. Dropped without an id. */
export function decodeUser(value: unknown, context: DecodeContext): UserRow | undefined {
  const wire = asWire(value)
  const id = idOf(wire?.['id'])
  if (!wire || id === undefined) {
    if (value !== undefined && value !== null) context.dropped?.('user')
    return undefined
  }
  return {
    id: asUserId(id),
    name: nameOf(wire['name']) ?? nameOf(wire['username']) ?? id,
    imageUrl: urlOf(wire['image']),
    role: nameOf(wire['role'], 64) ?? 'user',
    online: flagOf(wire['online']),
    lastActiveAt: timeOf(wire['last_active']),
    banned: flagOf(wire['banned']) ?? false,
    language: nameOf(wire['language'], 16),
    statusText: nameOf(wire['status_text'], STATUS_LENGTH),
    statusUntil: timeOf(wire['status_until']),
    away: flagOf(wire['away']),
    invisible: flagOf(wire['invisible']),
    bot: flagOf(wire['bot']) ?? false,
    createdAt: timeOf(wire['created_at']),
    // A stub has no time: any fuller copy is newer.
    updatedAt: pastOf(wire['updated_at'], context) ?? 0,
    deletedAt: timeOf(wire['deleted_at']),
    custom: customOf(wire, KNOWN),
    asOf: context.asOf,
  }
}

/** Fields of the own user that only the viewer receives. See docs/wire.md 5.3. */
type OwnUserFacts = {
  readonly user: UserRow
  /** Absent if the copy did not contain the list: then the stored one stays. */
  readonly userMutes?: readonly MuteRow[]
  readonly channelMutes?: readonly MuteRow[]
  readonly blockedUserIds?: readonly UserId[]
  readonly unreadThreads?: number
}

export function decodeOwnUser(value: unknown, context: DecodeContext): OwnUserFacts | undefined {
  const wire = asWire(value)
  const user = decodeUser(value, context)
  if (!wire || !user) return undefined
  return {
    user,
    userMutes: mutesOf(wire['mutes'], (mute) => asWire(mute['target'])?.['id']),
    channelMutes: mutesOf(wire['channel_mutes'], (mute) => asWire(mute['channel'])?.['cid'] ?? mute['channel_cid']),
    blockedUserIds: Array.isArray(wire['blocked_user_ids'])
      ? eachOf(wire['blocked_user_ids'], idOf).map(asUserId)
      : undefined,
    unreadThreads: countOf(wire['unread_threads']),
  }
}

function mutesOf(
  value: unknown,
  targetOf: (mute: Readonly<Record<string, unknown>>) => unknown,
): readonly MuteRow[] | undefined {
  if (!Array.isArray(value)) return undefined
  return eachOf(value, (item) => {
    const mute = asWire(item)
    const target = mute && idOf(targetOf(mute))
    return target === undefined ? undefined : { target, expiresAt: timeOf(mute?.['expires']) }
  })
}
