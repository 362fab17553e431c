import { afterEach, expect, test } from 'vitest'
import { createWorld, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

test('a cold start shows the last channel from the cache before any request', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  for (const text of ['one', 'two', 'three']) await bob.ui.messages.send({ cid: world.cid, text })
  await world.rest()
  alice.crash()
  world.server.crash()
  const requestsBefore = alice.link.requests.length
  alice.start()
  expect(alice.link.requests).toHaveLength(requestsBefore)
  expect(alice.texts(world.cid)).toEqual(['one', 'two', 'three'])
  expect(alice.channel(world.cid)?.name).toBe('general')
})

test('what happened while the app was closed arrives after the start, in order and counted', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.ui.messages.send({ cid: world.cid, text: 'before' })
  await world.rest()
  await alice.ui.channels.markRead({ cid: world.cid })
  await world.rest()
  expect(alice.channel(world.cid)?.unread).toBe(0)
  await world.done(alice.quit())
  for (const text of ['missed 1', 'missed 2']) await bob.ui.messages.send({ cid: world.cid, text })
  await world.rest()
  alice.start()
  await world.rest()
  expect(alice.texts(world.cid)).toEqual(['before', 'missed 1', 'missed 2'])
  expect(alice.channel(world.cid)?.unread).toBe(2)
})

test('without a server the app shows until when its data is complete, also after quiet minutes, a normal exit and a crash', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  const known = () => alice.replica.get('connection', 'self')?.knownUntil ?? 0
  await alice.open(world.cid)
  await bob.ui.messages.send({ cid: world.cid, text: 'one' })
  await world.rest()
  expect(known()).toBe(0)
  const sentAt = world.clock.now()
  await world.pass(10 * 60_000)
  const before = world.clock.now()
  world.server.crash()
  await world.pass(60_000)
  // No messages were sent in those ten minutes, and none was missed.
  expect(known()).toBeGreaterThan(before - 1_000)
  expect(known()).toBeLessThanOrEqual(before + 60_000)
  const lost = known()
  await world.done(alice.quit())
  alice.start()
  await world.pass(1_000)
  expect(known()).toBe(lost)
  expect(lost).toBeGreaterThan(sentAt)
})

test('messages sent while a connection was silently dead are not in the data, and the app reports that', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await world.pass(60_000)
  alice.link.down(true)
  await world.pass(2_000)
  await bob.ui.messages.send({ cid: world.cid, text: 'missed' })
  const missedAt = world.clock.now()
  await world.pass(60_000)
  expect(alice.texts(world.cid)).toEqual([])
  const known = alice.replica.get('connection', 'self')?.knownUntil ?? 0
  expect(known).toBeGreaterThan(missedAt - 60_000)
  expect(known).toBeLessThan(missedAt)
})

test('three hundred missed messages leave no gap: the newest are loaded, older ones load on demand', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.ui.messages.send({ cid: world.cid, text: 'm0' })
  await world.rest()
  await world.done(alice.quit())
  for (let index = 1; index <= 300; index++) {
    await bob.ui.messages.send({ cid: world.cid, text: `m${index}` })
    await world.pass(200)
  }
  await world.rest()
  alice.start()
  await world.rest()
  for (let page = 0; page < 15 && alice.replica.window(`timeline:${world.cid}`)?.hasPrev === true; page++) {
    await world.done(alice.ui.channels.page({ cid: world.cid, direction: 'older' }))
    await world.pass(2_000)
  }
  const numbers = alice.texts(world.cid).map((text) => Number(text.slice(1)))
  const first = numbers[0] ?? -1
  expect(numbers).toEqual(numbers.map((_, index) => first + index))
})
