import type { Identity } from '../http/auth/identify.ts'
import { isObject, type Json } from '../http/json.ts'
import { refuse } from '../http/refusal.ts'
import type { Db } from '../store/db.ts'
import { openTo } from './access.ts'
import { allTypes } from '../admin/channel-types-of-app.ts'

/** Fields that only a membership of the calling user can satisfy, and the values for which that holds. */
const OF_MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  joined: (value) => value === true,
  hidden: (value) => value === true,
  muted: (value) => value === true,
  blocked: (value) => value === true,
  pinned: (value) => value === true,
  archived: (value) => value === true,
  has_unread: (value) => value === true,
  invite: (value) => typeof value === 'string',
  channel_role: () => true,
}

/**
 * Refuses with code 70 a channel query that could match channels the user may not read. A query must be limited to
 * channels they are in, to types they may read without being a member, or to channels it names: those are checked one
 * by one, and unreadable ones are left out. The decision depends on the filter alone, so that the response reveals
 * nothing about existing channels. See docs/wire.md 1.7, code 70.
 */
export function mayQueryChannels(db: Db, who: Identity, filter: Json): void {
  const open = openTo(db, who).types
  if (allTypes(db).every((type) => open.includes(type)) || isLimited(filter, who.userId, new Set(open))) return
  refuse(
    'queryChannelPermissions',
    'the filter can match channels you may not read: ask for your own with {"members": {"$in": ["YOUR ID"]}}',
  )
}

function isLimited(filter: unknown, userId: string, open: ReadonlySet<string>): boolean {
  if (!isObject(filter)) return false
  return Object.entries(filter).some(([name, value]) => {
    if (name === '$and') return Array.isArray(value) && value.some((each) => isLimited(each, userId, open))
    if (name === '$or')
      return Array.isArray(value) && value.length > 0 && value.every((each) => isLimited(each, userId, open))
    const wanted = valuesOf(value)
    if (name === 'cid' || name === 'id') return wanted !== undefined
    if (name === 'type') return wanted?.every((type) => typeof type === 'string' && open.has(type)) ?? false
    if (name === 'members') return asksForMember(value, userId)
    return Object.hasOwn(OF_MEMBERS, name) && (wanted?.every((each) => OF_MEMBERS[name]?.(each)) ?? false)
  })
}

/** The values that satisfy a condition, if it lists them. */
function valuesOf(value: unknown): readonly unknown[] | undefined {
  if (!isObject(value)) return [value]
  if ('$eq' in value) return [value['$eq']]
  return Array.isArray(value['$in']) ? (value['$in'] as unknown[]) : undefined
}

/** `$in` with the user alone, or an exact member list that includes the user. */
function asksForMember(value: unknown, userId: string): boolean {
  if (userId === '') return false
  const listed = isObject(value) ? (value['$eq'] ?? value['$in']) : value
  const ids: readonly unknown[] = Array.isArray(listed) ? listed : [listed]
  const any = isObject(value) && !('$eq' in value)
  return any ? ids.length > 0 && ids.every((id) => id === userId) : ids.includes(userId)
}
