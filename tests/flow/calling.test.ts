import { afterEach, expect, test } from 'vitest'
import { createWorld, type World } from '#kit/world.ts'
import type { Person } from '#kit/sim/person.ts'

let world: World
afterEach(() => world.stop())

const counts = (person: Person) => {
  const channel = person.channel(world.cid)
  return [channel?.unread, channel?.unreadMentions]
}

test('a message to the whole channel mentions everyone but its author, until an edit removes the mention', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await world.pass(2_000)
  expect(alice.channel(world.cid)?.capabilities).toContain('notify-channel')
  const messageId = await alice.ui.messages.send({ cid: world.cid, text: '@channel lunch!', reach: ['channel'] })
  await world.rest()
  expect(alice.messages(world.cid).at(-1)?.reach).toEqual(['channel'])
  expect(counts(alice)).toEqual([0, 0])
  expect(counts(bob)).toEqual([1, 1])
  await bob.open(world.cid)
  await world.pass(2_000)
  expect(bob.messages(world.cid).at(-1)?.reach).toEqual(['channel'])
  await alice.ui.messages.edit({ messageId, text: '@channel lunch, and cake!', reach: ['channel'] })
  await world.rest()
  expect(bob.messages(world.cid).at(-1)).toMatchObject({ text: '@channel lunch, and cake!', reach: ['channel'] })
  await alice.ui.messages.edit({ messageId, text: 'lunch' })
  await world.rest()
  expect(bob.messages(world.cid).at(-1)?.reach).toBeUndefined()
  bob.restart()
  await world.rest()
  expect(counts(bob)).toEqual([1, 0])
})

test('a broadcast mention that is not in the text mentions no one; one written offline mentions after it is sent', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.ui.messages.send({ cid: world.cid, text: 'quietly', reach: ['channel'] })
  await world.rest()
  expect(counts(bob)).toEqual([1, 0])
  alice.link.down()
  const messageId = await alice.ui.messages.send({ cid: world.cid, text: 'soon' })
  await alice.ui.messages.edit({ messageId, text: 'soon, @here', reach: ['here'] })
  alice.link.up()
  await world.rest()
  expect(counts(bob)).toEqual([2, 1])
})
