import { afterEach, expect, test } from 'vitest'
import { createWorld, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

test('a message written offline is sent once after reconnecting', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.open(world.cid)
  await world.pass(1_000)

  alice.link.down()
  await world.pass(100)
  await alice.ui.messages.send({ cid: world.cid, text: 'hello' })
  await world.pass(100)
  expect(alice.texts(world.cid)).toEqual(['hello (queued)'])
  expect(bob.texts(world.cid)).toEqual([])

  alice.link.up()
  await world.rest()
  expect(alice.texts(world.cid)).toEqual(['hello'])
  expect(bob.texts(world.cid)).toEqual(['hello'])
  expect(world.stored(world.cid).map(({ text }) => text)).toEqual(['hello'])
})

test('many messages written offline arrive in the order they were written', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.open(world.cid)
  alice.link.down()
  await world.pass(100)
  const texts = Array.from({ length: 20 }, (_, index) => `line ${index}`)
  for (const text of texts) await alice.ui.messages.send({ cid: world.cid, text })
  alice.link.up()
  await world.rest()
  expect(bob.texts(world.cid)).toEqual(texts)
  expect(alice.texts(world.cid)).toEqual(texts)
})

test('messages written offline survive a crash and a restart without a network', async () => {
  world = await createWorld()
  const alice = world.person('alice')
  await alice.open(world.cid)
  alice.link.down()
  await world.pass(100)
  await alice.ui.messages.send({ cid: world.cid, text: 'kept' })
  alice.crash()
  alice.start()
  await world.pass(1_000)
  expect(alice.texts(world.cid)).toEqual(['kept (queued)'])
  alice.link.up()
  await world.rest()
  expect(alice.texts(world.cid)).toEqual(['kept'])
})

test('an edit of an unsent message is merged into it, and deleting cancels it', async () => {
  world = await createWorld()
  const alice = world.person('alice')
  await alice.open(world.cid)
  alice.link.down()
  await world.pass(100)
  const first = await alice.ui.messages.send({ cid: world.cid, text: 'frist' })
  const second = await alice.ui.messages.send({ cid: world.cid, text: 'never mind' })
  await alice.ui.messages.edit({ messageId: first, text: 'first' })
  await alice.ui.messages.delete({ messageId: second })
  await world.pass(100)
  expect(alice.texts(world.cid)).toEqual(['first (queued)'])
  alice.link.up()
  await world.rest()
  expect(world.stored(world.cid).map(({ text }) => text)).toEqual(['first'])
  expect(alice.link.requests.filter((request) => request.endsWith('/message'))).toHaveLength(1)
})

test('a reaction given offline is shown at once and reaches the server later', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.open(world.cid)
  const id = await bob.ui.messages.send({ cid: world.cid, text: 'react to me' })
  await world.pass(5_000)
  alice.link.down()
  await world.pass(100)
  await alice.ui.messages.toggleReaction({ messageId: id, type: '👍' })
  await world.pass(100)
  expect(alice.messages(world.cid)[0]?.reactions.map(({ type, count, own }) => [type, count, own])).toEqual([
    ['👍', 1, true],
  ])
  alice.link.up()
  await world.rest()
  expect(bob.messages(world.cid)[0]?.reactions.map(({ type, count, own }) => [type, count, own])).toEqual([
    ['👍', 1, false],
  ])

  // Raised offline, step by step: one request, and both see the same sum.
  const scores = (person: typeof bob) =>
    person.messages(world.cid)[0]?.reactions.map(({ count, sumScores, ownScore }) => [count, sumScores, ownScore])
  expect(scores(alice)).toEqual([[1, 1, 1]])
  expect(scores(bob)).toEqual([[1, 1, undefined]])
  alice.link.down()
  await world.pass(100)
  const requestCount = alice.link.requests.length
  for (const score of [2, 5, 4]) await alice.ui.messages.scoreReaction({ messageId: id, type: '👍', score })
  await world.pass(100)
  expect(scores(alice)).toEqual([[1, 5, 5]])
  alice.link.up()
  await world.rest()
  expect(scores(alice)).toEqual([[1, 5, 5]])
  expect(scores(bob)).toEqual([[1, 5, undefined]])
  const sent = alice.link.requests.slice(requestCount).filter((request) => request.endsWith('/reaction'))
  expect(sent).toHaveLength(1)
  await alice.ui.messages.toggleReaction({ messageId: id, type: '👍' })
  await world.rest()
  expect(scores(alice)).toEqual([])
  expect(scores(bob)).toEqual([])
})
