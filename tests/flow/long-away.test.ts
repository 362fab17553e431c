import { afterEach, expect, test } from 'vitest'
import { makeWorld, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

const HOUR_MS = 3_600_000

test('R15: after eight hours without a line every count is exact, and what was queued arrives in its order', async () => {
  const channels = ['one', 'two', 'three', 'four', 'five', 'six']
  world = await makeWorld({ channels })
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  const [own, ...others] = world.cids
  if (own === undefined) throw new Error('no channel')
  await alice.open(own)
  await world.pass(2_000)
  alice.link.down()
  await world.pass(1_000)
  const queued = Array.from({ length: 20 }, (_, n) => `queued ${n}`)
  for (const text of queued) await alice.ui.messages.send({ cid: own, text })
  for (let n = 0; n < 30; n += 1) for (const cid of others) await bob.ui.messages.send({ cid, text: `missed ${n}` })
  await world.pass(60_000)
  for (let hour = 0; hour < 8; hour += 1) await world.pass(HOUR_MS)
  alice.link.up()
  await world.rest(60_000)
  expect(others.map((cid) => alice.channel(cid)?.unread)).toEqual(others.map(() => 30))
  expect(alice.texts(own)).toEqual(queued)
  expect(world.stored(own).map(({ text }) => text)).toEqual(queued)
  expect(alice.account.engine.unsentCount()).toBe(0)
})

test('R34: the end takes two seconds at most; what was on its way is done or waits for the next start', async () => {
  world = await makeWorld()
  const alice = world.person('alice')
  await alice.open(world.cid)
  await world.pass(1_000)
  const texts = Array.from({ length: 5 }, (_, n) => `last ${n}`)
  for (const text of texts) await alice.ui.messages.send({ cid: world.cid, text })
  const from = world.clock.monotonic()
  await world.done(alice.quit())
  expect(world.clock.monotonic() - from).toBeLessThanOrEqual(2_000)
  await world.pass(60_000)
  alice.start()
  await world.rest()
  expect(world.stored(world.cid).map(({ text }) => text)).toEqual(texts)
  expect(alice.texts(world.cid)).toEqual(texts)
})
