import { afterAll, expect, test } from 'vitest'
import { routes } from '#main/server/routes.ts'
import type { Route } from '#main/server/http/router.ts'
import { PATIENCE_MS, replayLine, seedsOf, type Amount } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { inProcess, type Caller } from '../contract/in-process.ts'
import { leaksIn, wrongKinds } from './judge.ts'
import { pick, randomCall } from './random-call.ts'
import { faultsOf } from '../contract/conformance/faults.ts'
import { refusal } from '../contract/conformance/shapes-running.ts'

/** Random requests to every call of the server: it responds or refuses by the contract, and never breaks. */

const world = inProcess()
afterAll(() => world.close())

const server: Caller = { userId: '', kind: 'server' }
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

/** For each call. */
const AMOUNT: Amount = { fixed: 20, fresh: 10, long: 5_000, share: 0.05 / routes.length }
const CALLERS: readonly Caller[] = [server, { userId: 'ann' }, { userId: 'bob' }, { userId: 'nobody' }]

test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  'SRV-61 %s survives whatever is sent',
  { timeout: PATIENCE_MS },
  (name, route) => {
    for (const seed of seedsOf('random requests', AMOUNT)) {
      const dice = seededIds(seed)
      const call = randomCall(dice, route)
      const who = pick(dice, CALLERS)
      const before = world.failures.length
      const { code, reply } = world.attempt(route, who, call)
      const replayText = `${replayLine('tests/fuzz/requests', seed)} | ${name} ${JSON.stringify({ who, call })}`.slice(
        0,
        4_000,
      )
      const faults = [
        ...(code === -1 ? ['an error of the server'] : []),
        ...world.failures.slice(before),
        ...leaksIn(JSON.stringify(reply)),
        ...(code === undefined ? wrongKinds(name, reply) : faultsOf(refusal, reply)),
      ]
      expect(faults.length > 0 ? [replayText, ...faults, reply] : []).toEqual([])
    }
  },
)
