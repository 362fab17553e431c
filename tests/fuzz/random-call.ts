import type { Route } from '#main/server/http/router.ts'
import type { Call } from '../contract/in-process.ts'

const IDS = [
  'ann',
  'bob',
  'one',
  'm1',
  'messaging',
  'messaging:one',
  'ghost',
  '',
  'team',
  'x'.repeat(300),
  '../..',
  '%00',
  '\u0000',
]
const KEYS = [
  'message',
  'data',
  'set',
  'unset',
  'users',
  'user',
  'user_id',
  'id',
  'text',
  'filter_conditions',
  'filter',
  'sort',
  'limit',
  'offset',
  'next',
  'prev',
  'target_id',
  'target_ids',
  'target_user_id',
  'channel_cid',
  'cids',
  'members',
  'add_members',
  'remove_members',
  'assign_roles',
  'invites',
  'payload',
  'event',
  'type',
  'reaction',
  'name',
  'words',
  'options',
  'vote',
  'timeout',
  'message_template',
  'sender_id',
  'segment_ids',
  'user_ids',
  'target_message_id',
  'entity_type',
  'entity_id',
  'action_type',
  'item_id',
  'member_ids',
  'preferences',
  'attachments',
  'mentioned_users',
  'parent_id',
  'remind_at',
  'config_overrides',
  'filter_tags',
  'cooldown',
  'frozen',
  'query',
  'message_id',
  'ids',
  'channel_cids',
  'last_sync_at',
  'created_at',
  '$and',
  '$or',
  '$in',
  '$gt',
  '__proto__',
  'constructor',
  'custom',
]

export type Dice = { readonly random: () => number }
export const pick = <T>(dice: Dice, list: readonly T[]): T => list[Math.floor(dice.random() * list.length)] as T

function value(dice: Dice, depth: number): unknown {
  const kind = Math.floor(dice.random() * (depth > 3 ? 8 : 11))
  if (kind === 0) return null
  if (kind === 1) return dice.random() < 0.5
  if (kind === 2) return pick(dice, [0, 1, -1, 1.5, 1e308, 2 ** 53, 100, 101])
  if (kind === 3)
    return pick(dice, ['2026-01-01T00:00:00Z', '0001-01-01T00:00:00Z', 'soon', '9999-12-31T23:59:59.999999999Z'])
  if (kind < 8) return pick(dice, IDS)
  if (kind === 8) return Array.from({ length: Math.floor(dice.random() * 4) }, () => value(dice, depth + 1))
  return object(dice, depth + 1)
}

function object(dice: Dice, depth: number): Record<string, unknown> {
  const size = Math.floor(dice.random() * 6)
  return Object.fromEntries(Array.from({ length: size }, () => [pick(dice, KEYS), value(dice, depth)]))
}

/** A call with nothing valid in it except, sometimes, its names and ids. */
export function randomCall(dice: Dice, route: Route): Call {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const params = Object.fromEntries(
    names.map((name) => [name, name === 'type' ? pick(dice, ['messaging', 'team', 'x']) : pick(dice, IDS)]),
  )
  return { params, query: dice.random() < 0.5 ? { payload: object(dice, 0) } : object(dice, 1), body: object(dice, 0) }
}
