import { afterEach, expect, test } from 'vitest'
import { makeWorld, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

test('when a fixed token expires the app asks for a sign-in and keeps what is unsent', async () => {
  const startsAt = Date.parse('2026-03-02T09:00:00Z') / 1_000
  world = await makeWorld({ claims: { exp: startsAt + 60 } })
  const alice = world.person('alice')
  await alice.open(world.cid)
  await world.pass(90_000)
  await alice.ui.messages.send({ cid: world.cid, text: 'written after the token ended' })
  await world.rest()
  expect(alice.texts(world.cid)).toHaveLength(1)
  expect(alice.account.engine.unsentCount()).toBe(1)
  expect(alice.replica.get('connection', 'self')?.blocked).toBeDefined()
  expect(world.stored(world.cid)).toEqual([])
})
