import { afterEach, expect, test } from 'vitest'
import { NO_FAULTS } from '#kit/sim/network.ts'
import { createWorld, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

test('a crash after the server accepted a message and before its response arrived neither loses nor duplicates it', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.open(world.cid)
  await world.pass(1_000)
  alice.link.faults = { ...NO_FAULTS, dropAnswer: 1 }
  await alice.ui.messages.send({ cid: world.cid, text: 'accepted' })
  await world.pass(500)
  expect(world.stored(world.cid)).toHaveLength(1)

  alice.crash()
  alice.link.faults = NO_FAULTS
  alice.start()
  await world.rest()
  expect(world.stored(world.cid).map(({ text }) => text)).toEqual(['accepted'])
  expect(alice.texts(world.cid)).toEqual(['accepted'])
  expect(bob.texts(world.cid)).toEqual(['accepted'])
  await alice.open(world.cid)
  expect(await alice.ui.session.unsentCount({}).catch(() => 0)).toBe(0)
  expect(alice.account.engine.unsentCount()).toBe(0)
})

test('a lost response is requested again, and the message appears once', async () => {
  world = await createWorld()
  const alice = world.person('alice')
  await alice.open(world.cid)
  await world.pass(1_000)
  alice.link.faults = { ...NO_FAULTS, dropAnswer: 1 }
  await alice.ui.messages.send({ cid: world.cid, text: 'once' })
  await world.pass(5_000)
  alice.link.faults = NO_FAULTS
  await world.rest()
  expect(world.stored(world.cid)).toHaveLength(1)
  expect(alice.texts(world.cid)).toEqual(['once'])
  expect(alice.account.engine.unsentCount()).toBe(0)
})

test('the realtime event may arrive before the response', async () => {
  world = await createWorld()
  const alice = world.person('alice')
  await alice.open(world.cid)
  await world.pass(1_000)
  const seen: string[][] = []
  alice.account.engine.onCommitted(() => seen.push(alice.texts(world.cid)))
  alice.link.faults = { ...NO_FAULTS, dropAnswer: 1 }
  await alice.ui.messages.send({ cid: world.cid, text: 'echo' })
  await world.pass(1_000)
  expect(alice.texts(world.cid)).toEqual(['echo'])
  alice.link.faults = NO_FAULTS
  await world.rest()
  expect(seen.filter((texts) => texts.length > 1)).toEqual([])
  expect(alice.texts(world.cid)).toEqual(['echo'])
})

test('a request that arrives twice makes one message and one event', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.open(world.cid)
  await world.pass(1_000)
  alice.link.faults = { ...NO_FAULTS, duplicate: 1 }
  for (const text of ['a', 'b', 'c']) await alice.ui.messages.send({ cid: world.cid, text })
  await world.rest()
  expect(world.stored(world.cid).map(({ text }) => text)).toEqual(['a', 'b', 'c'])
  expect(bob.texts(world.cid)).toEqual(['a', 'b', 'c'])
  expect(bob.channel(world.cid)?.unread).toBe(3)
})

test('the server may crash and restart: what it acknowledged is stored, and everything else is sent again', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.open(world.cid)
  for (let index = 0; index < 10; index++) {
    await alice.ui.messages.send({ cid: world.cid, text: `m${index}` })
    await world.pass(30)
  }
  world.server.crash()
  await world.pass(20_000)
  world.server.start()
  await world.rest()
  const expected = Array.from({ length: 10 }, (_, index) => `m${index}`)
  expect(alice.texts(world.cid)).toEqual(expected)
  expect(bob.texts(world.cid)).toEqual(expected)
})
