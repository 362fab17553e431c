import { afterEach, expect, test } from 'vitest'
import { makeWorld, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

const MINUTE_MS = 60_000
const moves = (requests: readonly string[]): number =>
  requests.filter((each) => each === 'PUT /users/live_locations').length

test('R38: who starts again does not go on sharing where they are; the share is listed, and the server ends it in time', async () => {
  world = await makeWorld()
  const alice = world.person('alice')
  await alice.open(world.cid)
  const share = { cid: world.cid, latitude: 1, longitude: 2, forMs: 15 * MINUTE_MS }
  const id = await world.done(alice.ui.locations.share(share))
  await world.pass(5_000)
  await alice.ui.locations.move({ latitude: 3, longitude: 4 })
  await world.pass(5_000)
  expect(moves(alice.link.requests)).toBe(1)
  alice.restart()
  await world.pass(10_000)
  await alice.ui.locations.move({ latitude: 5, longitude: 6 })
  await world.pass(MINUTE_MS)
  const shared = await world.done(alice.ui.locations.live())
  expect(shared.map(({ messageId }) => messageId)).toEqual([id])
  expect(moves(alice.link.requests)).toBe(1)
  await world.rest(15 * MINUTE_MS)
  expect(await world.done(alice.ui.locations.live())).toEqual([])
})
