import { afterEach, expect, test } from 'vitest'
import { createWorld, type World } from '#kit/world.ts'
import { STRICT_LIMITS } from '#main/server/http/limits.ts'

let world: World
afterEach(() => world.stop())

test('SRV-05 a rate-limited client waits as long as the server says, and everything arrives once and in order', async () => {
  world = await createWorld({ limits: { ...STRICT_LIMITS, send: 4 } })
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.open(world.cid)
  await world.pass(1_000)
  const texts = Array.from({ length: 12 }, (_each, at) => `line ${at}`)
  for (const text of texts) await alice.ui.messages.send({ cid: world.cid, text })
  await world.pass(5_000)
  const early = world.stored(world.cid).length
  expect(early).toBeGreaterThanOrEqual(4)
  expect(early).toBeLessThanOrEqual(5)
  await world.pass(60_000)
  const later = world.stored(world.cid).length
  expect(later).toBeGreaterThan(early)
  expect(later).toBeLessThan(12)
  await world.rest(240_000)
  expect(bob.texts(world.cid)).toEqual(texts)
  expect(alice.texts(world.cid)).toEqual(texts)
  expect(world.stored(world.cid).map(({ text }) => text)).toEqual(texts)
})

test('SRV-05 everyday use stays below the strict limits', async () => {
  world = await createWorld({ limits: STRICT_LIMITS })
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.open(world.cid)
  for (let minute = 0; minute < 3; minute += 1) {
    for (let at = 0; at < 10; at += 1) {
      await alice.ui.messages.send({ cid: world.cid, text: `${minute} ${at}` })
      await world.pass(6_000)
    }
    bob.link.down()
    await world.pass(1_000)
    bob.link.up()
  }
  await world.rest()
  expect(bob.texts(world.cid)).toHaveLength(30)
  expect(alice.texts(world.cid)).toEqual(bob.texts(world.cid))
})
