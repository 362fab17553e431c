import { afterEach, expect, test } from 'vitest'
import { createWorld, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

test('a reply is shown in the thread, counts on the parent, and is shown in the channel only if chosen', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.open(world.cid)
  const parent = await alice.ui.messages.send({ cid: world.cid, text: 'parent' })
  await world.pass(3_000)
  await bob.ui.threads.open({ cid: world.cid, parentId: parent })
  await alice.ui.threads.open({ cid: world.cid, parentId: parent })
  await bob.ui.messages.send({ cid: world.cid, parentId: parent, text: 'quiet reply' })
  await bob.ui.messages.send({ cid: world.cid, parentId: parent, text: 'loud reply', showInChannel: true })
  await world.rest()
  expect(alice.replies(parent).map(({ text }) => text)).toEqual(['quiet reply', 'loud reply'])
  expect(alice.texts(world.cid)).toEqual(['parent', 'loud reply'])
  expect(alice.messages(world.cid)[0]?.thread?.replyCount).toBe(2)
})

test('a reply can be shown in the channel later: to everyone, once, and counted as unread once', async () => {
  world = await createWorld({ people: ['alice', 'bob', 'carol'] })
  const [alice, bob, carol] = [world.person('alice'), world.person('bob'), world.person('carol')]
  for (const person of [alice, bob]) await person.open(world.cid)
  const parent = await alice.ui.messages.send({ cid: world.cid, text: 'parent' })
  await world.pass(3_000)
  await alice.ui.threads.open({ cid: world.cid, parentId: parent })
  const reply = await bob.ui.messages.send({ cid: world.cid, parentId: parent, text: 'worth it' })
  await bob.ui.messages.send({ cid: world.cid, text: 'after' })
  await world.rest()
  const unread = carol.channel(world.cid)?.unread ?? 0
  await world.done(bob.ui.messages.alsoInChannel({ messageId: reply }))
  await world.rest()
  for (const person of [alice, bob]) expect(person.texts(world.cid)).toEqual(['parent', 'worth it', 'after'])
  expect(alice.replies(parent).map(({ text, editedAt }) => [text, editedAt])).toEqual([['worth it', undefined]])
  expect(carol.channel(world.cid)?.unread).toBe(unread + 1)
  await world.done(bob.ui.messages.alsoInChannel({ messageId: reply }))
  await carol.open(world.cid)
  await world.rest()
  expect(carol.texts(world.cid)).toEqual(['parent', 'worth it', 'after'])
  expect(carol.channel(world.cid)?.unread).toBe(unread + 1)
})

test('a reply written offline waits in its thread', async () => {
  world = await createWorld()
  const alice = world.person('alice')
  await alice.open(world.cid)
  const parent = await alice.ui.messages.send({ cid: world.cid, text: 'parent' })
  await world.pass(3_000)
  await alice.ui.threads.open({ cid: world.cid, parentId: parent })
  alice.link.down()
  await world.pass(100)
  await alice.ui.messages.send({ cid: world.cid, parentId: parent, text: 'later' })
  await world.pass(100)
  expect(alice.replies(parent).map(({ text, status }) => [text, status])).toEqual([['later', 'queued']])
  alice.link.up()
  await world.rest()
  expect(alice.replies(parent).map(({ text, status }) => [text, status])).toEqual([['later', 'received']])
})

test('a message deleted by its author shows as deleted to everyone, and an edit as edited', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.open(world.cid)
  const [first, second] = [
    await alice.ui.messages.send({ cid: world.cid, text: 'gone soon' }),
    await alice.ui.messages.send({ cid: world.cid, text: 'teh' }),
  ]
  await world.pass(3_000)
  await alice.ui.messages.delete({ messageId: first })
  await alice.ui.messages.edit({ messageId: second, text: 'the' })
  await world.rest()
  expect(bob.texts(world.cid)).toEqual(['deleted', 'the'])
  expect(bob.messages(world.cid)[1]?.editedAt).toBeGreaterThan(0)
})
