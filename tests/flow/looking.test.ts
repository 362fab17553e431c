import { afterEach, expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { createWorld, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

const held = (): string[] =>
  world.server.services.db.all<{ cid: string }>('SELECT cid FROM channels ORDER BY cid').map(({ cid }) => cid)

test('a channel that was deleted while the user was away does not come back because it is on screen', async () => {
  world = await createWorld({ channels: ['one', 'two'] })
  const bob = world.person('bob')
  await bob.open(world.cid)
  await world.pass(2_000)
  bob.link.down()
  await world.pass(1_000)
  await world.as('alice', 'POST', '/channels/delete', { cids: [world.cid], hard_delete: true })
  bob.link.up()
  await world.rest()
  expect(held()).toEqual(['team:two'])
  expect(bob.channel(world.cid)?.cid).toBeUndefined()
  expect(bob.channel(asCid('team:two'))?.cid).toBe('team:two')
})

test('a link to a channel that does not exist creates none', async () => {
  world = await createWorld()
  const alice = world.person('alice')
  await alice.open(asCid('team:nowhere'))
  await world.rest(30_000)
  expect(held()).toEqual([world.cid])
  expect(alice.channel(asCid('team:nowhere'))).toBeUndefined()
})
