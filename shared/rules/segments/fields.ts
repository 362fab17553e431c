import type { FilterOperator, SegmentKind } from '../../domain/manage/segments.ts'

/** What a field holds. `list`: several texts, such as teams. `custom`: whatever the workspace puts there. */
export type FieldKind = 'text' | 'number' | 'time' | 'flag' | 'list' | 'custom'

export type FilterField = {
  readonly name: string
  readonly kind: FieldKind
  readonly operators: readonly FilterOperator[]
  /** Depends on who asks, which for a segment is the server: it can be written as JSON, but is not offered. */
  readonly ofCaller?: true
}

const ORDERED: readonly FilterOperator[] = ['$eq', '$in', '$gt', '$gte', '$lt', '$lte', '$exists']
const BOUNDS: readonly FilterOperator[] = ['$gte', '$gt', '$lt', '$lte', '$eq', '$in', '$exists']

const field = (name: string, kind: FieldKind, operators: readonly FilterOperator[]): FilterField => ({
  name,
  kind,
  operators,
})
const ofCaller = (name: string): FilterField => ({ name, kind: 'flag', operators: ['$eq'], ofCaller: true })

/** See docs/wire.md 6.3 "Users". */
const OF_USERS: readonly FilterField[] = [
  field('name', 'text', ['$autocomplete', '$q', ...ORDERED]),
  field('id', 'text', ['$eq', '$ne', '$in', '$nin', '$autocomplete', '$gt', '$gte', '$lt', '$lte', '$exists']),
  field('role', 'text', ORDERED),
  field('teams', 'list', ['$contains', '$in', '$eq']),
  field('language', 'text', ['$eq', '$in']),
  field('email', 'text', ['$eq', '$in']),
  field('username', 'text', ['$eq', '$autocomplete']),
  field('last_active', 'time', BOUNDS),
  field('created_at', 'time', BOUNDS),
  field('updated_at', 'time', BOUNDS),
  field('banned', 'flag', ['$eq', '$ne']),
  field('shadow_banned', 'flag', ['$eq', '$ne']),
]

/** See docs/wire.md 6.3 "Channels". */
const OF_CHANNELS: readonly FilterField[] = [
  field('name', 'text', ['$autocomplete', '$q', ...ORDERED]),
  field('type', 'text', ORDERED),
  field('cid', 'text', ORDERED),
  field('id', 'text', ORDERED),
  field('team', 'text', ORDERED),
  field('filter_tags', 'list', ['$contains', '$in', '$eq']),
  field('members', 'list', ['$in', '$eq']),
  field('member.user.name', 'text', ['$autocomplete', '$eq']),
  field('member_count', 'number', ORDERED),
  field('message_count', 'number', ORDERED),
  field('last_message_at', 'time', BOUNDS),
  field('last_updated', 'time', BOUNDS),
  field('created_at', 'time', BOUNDS),
  field('updated_at', 'time', BOUNDS),
  field('created_by_id', 'text', ORDERED),
  field('frozen', 'flag', ['$eq']),
  field('disabled', 'flag', ['$eq']),
  field('distinct', 'flag', ['$eq']),
  { ...field('app_banned', 'text', ['$eq']), ofCaller: true },
  { ...field('invite', 'text', ['$eq']), ofCaller: true },
  { ...field('channel_role', 'text', ['$eq', '$in']), ofCaller: true },
  ...['hidden', 'blocked', 'joined', 'muted', 'pinned', 'archived', 'has_unread'].map(ofCaller),
]

const CUSTOM: Readonly<Record<SegmentKind, readonly FilterOperator[]>> = {
  user: [...ORDERED, '$contains'],
  channel: [...ORDERED, '$contains', '$autocomplete', '$q'],
}

/** Names of custom fields that a filter can ask for. */
const CUSTOM_NAME = /^[A-Za-z0-9_.-]{1,100}$/

export const fieldsOf = (kind: SegmentKind): readonly FilterField[] => (kind === 'user' ? OF_USERS : OF_CHANNELS)

/** The field of this name, a custom one if it is none of the contract's; `undefined`: no field can have this name. */
export function fieldNamed(kind: SegmentKind, name: string): FilterField | undefined {
  const known = fieldsOf(kind).find((each) => each.name === name)
  if (known !== undefined) return known
  return CUSTOM_NAME.test(name) && name !== '__proto__' ? field(name, 'custom', CUSTOM[kind]) : undefined
}
