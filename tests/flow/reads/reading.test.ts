import { afterEach, expect, test } from 'vitest'
import { createWorld, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

test('unread counts others’ messages, falls to zero when read, and comes back when marked unread', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  const ids = []
  for (const text of ['one', 'two', 'three']) ids.push(await bob.ui.messages.send({ cid: world.cid, text }))
  await alice.ui.messages.send({ cid: world.cid, text: 'my own does not count' })
  await world.pass(5_000)
  await bob.ui.messages.send({ cid: world.cid, text: 'four' })
  await world.pass(5_000)
  expect(alice.channel(world.cid)?.unread).toBeGreaterThan(0)
  expect(bob.channel(world.cid)?.unread).toBeLessThanOrEqual(1)

  await alice.ui.channels.markRead({ cid: world.cid })
  await world.rest()
  expect(alice.channel(world.cid)?.unread).toBe(0)
  expect(bob.replica.get('reads', world.cid)).toBeUndefined()

  const second = ids[1]
  if (!second) throw new Error('no message')
  await world.done(alice.ui.channels.markUnread({ cid: world.cid, messageId: second }))
  await world.rest()
  expect(alice.channel(world.cid)?.firstUnreadId).toBe(second)
  expect(alice.channel(world.cid)?.unread).toBe(3)
})

test('a mark-read made offline reaches the server later', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.ui.messages.send({ cid: world.cid, text: 'read me' })
  await world.rest()
  alice.link.down()
  await world.pass(100)
  await alice.ui.channels.markRead({ cid: world.cid })
  await world.pass(2_000)
  expect(alice.channel(world.cid)?.unread).toBe(0)
  alice.link.up()
  await world.rest()
  expect(alice.channel(world.cid)?.unread).toBe(0)
  alice.restart()
  await world.rest()
  expect(alice.channel(world.cid)?.unread).toBe(0)
})

test('a message sent from elsewhere, as a forwarded one is, leaves what is unread unread', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await bob.ui.messages.send({ cid: world.cid, text: 'have you seen it' })
  await bob.ui.messages.send({ cid: world.cid, text: 'the new map' })
  await world.rest()
  expect(alice.channel(world.cid)?.unread).toBe(2)
  await alice.ui.messages.send({ cid: world.cid, text: 'From Ewa: look', keepsDraft: true, keepsUnread: true })
  await world.rest()
  expect(alice.channel(world.cid)?.unread).toBe(2)
  alice.restart()
  await world.rest()
  expect(alice.channel(world.cid)?.unread).toBe(2)
  await alice.ui.messages.send({ cid: world.cid, text: 'I have', keepsDraft: true })
  await world.rest()
  expect(alice.channel(world.cid)?.unread).toBe(0)
})

test('a mention counts as one', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await bob.ui.messages.send({ cid: world.cid, text: 'hi @alice', mentionedUserIds: ['alice'] })
  await bob.ui.messages.send({ cid: world.cid, text: 'hi all' })
  await world.rest()
  expect(alice.channel(world.cid)?.unread).toBe(2)
  expect(alice.channel(world.cid)?.unreadMentions).toBe(1)
})

test('a typing user is shown for seven seconds at most', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.open(world.cid)
  await world.pass(1_000)
  await bob.ui.channels.typing({ cid: world.cid, typing: true })
  await world.pass(500)
  expect(alice.replica.get('typing', world.cid)?.people).toMatchObject([{ id: 'bob' }])
  bob.crash()
  await world.pass(8_000)
  expect(alice.replica.get('typing', world.cid)?.people ?? []).toEqual([])
})

test('a mark that waited for a connection reads only what was seen: later messages are unread, for their author’s devices too', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  for (const person of [alice, bob]) await person.open(world.cid)
  await alice.ui.messages.send({ cid: world.cid, text: 'seen' })
  await world.pass(2_000)
  bob.link.down()
  await bob.ui.channels.markRead({ cid: world.cid })
  await alice.ui.messages.send({ cid: world.cid, text: 'missed' })
  await world.pass(5_000)
  bob.link.up()
  await world.rest(60_000)
  const missed = alice.messages(world.cid).at(-1)
  const [mark] = alice.replica.get('reads', world.cid)?.reads ?? []
  expect(bob.channel(world.cid)?.unread).toBe(1)
  expect(missed?.text).toBe('missed')
  expect(mark?.lastReadAt ?? 0).toBeLessThan(missed?.createdAt ?? 0)
})
