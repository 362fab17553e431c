import { afterAll, expect, test } from 'vitest'
import { routes } from '#main/server/routes/index.ts'
import type { Route } from '#main/server/http/router.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { inProcess, type Asker, type Call } from '../contract/in-process.ts'
import { replayLine, replaySeed, runs } from './counts.ts'

/** Random requests to every call of the server: it answers or refuses by the contract, and never breaks. */

const world = inProcess()
afterAll(() => world.close())

const server: Asker = { userId: '', kind: 'server' }
const find = (operation: string): Route => {
  const route = routes.find((each) => each.operation === operation)
  if (!route) throw new Error(`no route ${operation}`)
  return route
}

world.call(find('UpdateUsers'), server, { body: { users: { ann: { role: 'admin' }, bob: { name: 'Bob' } } } })
world.call(
  find('GetOrCreateChannel'),
  { userId: 'ann' },
  {
    params: { type: 'messaging', id: 'one' },
    body: { data: { members: ['ann', 'bob'] } },
  },
)
world.call(
  find('SendMessage'),
  { userId: 'ann' },
  {
    params: { type: 'messaging', id: 'one' },
    body: { message: { id: 'm1', text: 'hello' } },
  },
)

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

type Dice = { readonly random: () => number }
const pick = <T>(dice: Dice, list: readonly T[]): T => list[Math.floor(dice.random() * list.length)] as T

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

function randomCall(dice: Dice, route: Route): Call {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const params = Object.fromEntries(
    names.map((name) => [name, name === 'type' ? pick(dice, ['messaging', 'team', 'x']) : pick(dice, IDS)]),
  )
  return { params, query: dice.random() < 0.5 ? { payload: object(dice, 0) } : object(dice, 1), body: object(dice, 0) }
}

const ASKERS: readonly Asker[] = [server, { userId: 'ann' }, { userId: 'bob' }, { userId: 'nobody' }]

test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s survives whatever is sent',
  (name, route) => {
    const count = runs(50)
    for (let turn = 0; turn < count; turn += 1) {
      const seed = replaySeed ?? turn + 1
      const dice = seededIds(seed)
      const call = randomCall(dice, route)
      const who = pick(dice, ASKERS)
      const before = world.failures.length
      const { code, reply } = world.attempt(route, who, call)
      const said = `${replayLine('requests', seed)} | ${name} ${JSON.stringify({ who, call })}`.slice(0, 4_000)
      const broken = code === -1 || JSON.stringify(reply) === undefined
      expect(broken || world.failures.length > before ? [said, ...world.failures.slice(before)] : []).toEqual([])
    }
  },
)
