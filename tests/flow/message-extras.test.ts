import { afterEach, expect, test } from 'vitest'
import { createWorld, type World } from '#kit/world.ts'
import type { Person } from '#kit/sim/person.ts'

let world: World
afterEach(() => world.stop())

const last = (person: Person) => person.messages(world.cid).at(-1)

async function begin(): Promise<{ alice: Person; bob: Person }> {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.open(world.cid)
  await world.pass(2_000)
  return { alice, bob }
}

test('earlier versions of a message are stored where they were seen, and removed when it is deleted', async () => {
  const { alice, bob } = await begin()
  const messageId = await alice.ui.messages.send({ cid: world.cid, text: 'teh plan' })
  await world.pass(3_000)
  for (const text of ['the plan', 'the whole plan']) {
    await alice.ui.messages.edit({ messageId, text })
    await world.pass(3_000)
  }
  const revisions = await bob.ui.messages.revisions({ messageId })
  expect(revisions.map(({ text }) => text)).toEqual(['teh plan', 'the plan'])
  expect(revisions.map(({ at }) => at)).toEqual(revisions.map(({ at }) => at).toSorted((a, b) => a - b))
  await alice.ui.messages.delete({ messageId })
  await world.pass(3_000)
  expect(await bob.ui.messages.revisions({ messageId })).toEqual([])
})

test('a command responds with buttons; pressing them changes, sends or removes the response', async () => {
  const { alice, bob } = await begin()
  await alice.ui.messages.send({ cid: world.cid, text: '/giphy cats' })
  await world.pass(3_000)
  const answer = last(alice)
  expect(answer?.type).toBe('ephemeral')
  expect(answer?.buttons?.map(({ text, style }) => [text, style])).toEqual([
    ['Send', 'primary'],
    ['Shuffle', 'default'],
    ['Cancel', 'default'],
  ])
  expect(bob.messages(world.cid)).toEqual([])
  const messageId = answer?.id ?? ''
  await world.done(alice.ui.messages.press({ messageId, name: 'image_action', value: 'shuffle' }))
  await world.pass(1_000)
  expect(last(alice)?.type).toBe('ephemeral')
  await world.done(alice.ui.messages.press({ messageId, name: 'image_action', value: 'send' }))
  await world.pass(3_000)
  expect(bob.messages(world.cid).map(({ type, attachments }) => [type, attachments.length])).toEqual([['regular', 1]])
  expect(alice.messages(world.cid).map(({ type, buttons }) => [type, buttons])).toEqual([['regular', undefined]])
})

test('a response that the server no longer has reports so and is removed; any response can be dismissed', async () => {
  const { alice } = await begin()
  await alice.ui.messages.send({ cid: world.cid, text: '/giphy cats' })
  await world.pass(3_000)
  await world.done(alice.ui.messages.dismiss({ messageId: last(alice)?.id ?? '' }))
  await world.pass(100)
  expect(alice.messages(world.cid)).toEqual([])
  await alice.ui.messages.send({ cid: world.cid, text: '/giphy dogs' })
  await world.pass(3_000)
  const messageId = last(alice)?.id ?? ''
  world.server.services.ephemerals.drop(messageId)
  const pressed = world.done(alice.ui.messages.press({ messageId, name: 'image_action', value: 'send' }))
  await expect(pressed).rejects.toMatchObject({ code: 'message/answer-over' })
  await world.pass(100)
  expect(alice.messages(world.cid)).toEqual([])
})

test('a dismissal does not remove ordinary messages from the screen', async () => {
  const { alice } = await begin()
  const messageId = await alice.ui.messages.send({ cid: world.cid, text: 'stays' })
  await world.pass(3_000)
  await expect(alice.ui.messages.dismiss({ messageId })).rejects.toMatchObject({ code: 'message/gone' })
  expect(alice.texts(world.cid)).toEqual(['stays'])
})

test('a time leads to the first message at or after it, cached or not', async () => {
  const { alice, bob } = await begin()
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) {
    ids.push(await alice.ui.messages.send({ cid: world.cid, text: `n${n}` }))
    await world.pass(60_000)
  }
  const at = (n: number): number => bob.messages(world.cid)[n]?.createdAt ?? 0
  const ask = (time: number) => world.done(bob.ui.channels.open({ cid: world.cid, at: time }))
  expect(await ask(at(2))).toBe(ids[2])
  expect(await ask(at(2) - 1)).toBe(ids[2])
  expect(await ask(at(2) + 1)).toBe(ids[3])
  expect(await ask(0)).toBe(ids[0])
  expect(await ask(at(4) + 1)).toBe(ids[4])
})

test('a forwarded file is sent by its address, also when the first message is deleted before', async () => {
  const { alice, bob } = await begin()
  const file = { type: 'file', title: 'map.gpx', asset_url: 'http://127.0.0.1:1/map.gpx', file_size: 12, x: 'y' }
  const at = `/channels/${world.cid.replace(':', '/')}/message`
  await world.as('alice', 'POST', at, { message: { id: 'first', text: 'see', attachments: [file] } })
  await world.pass(2_000)
  bob.link.down()
  await world.pass(100)
  await bob.ui.messages.send({ cid: world.cid, text: 'From alice', files: [{ messageId: 'first', index: 0 }] })
  await world.pass(100)
  expect(last(bob)?.uploads.map(({ name, state }) => [name, state])).toEqual([['map.gpx', 'finished']])
  await world.as('alice', 'DELETE', '/messages/first')
  bob.link.up()
  await world.rest()
  expect(last(alice)).toMatchObject({ text: 'From alice', attachments: [{ title: 'map.gpx', sizeBytes: 12 }] })
  await expect(
    bob.ui.messages.send({ cid: world.cid, text: 'again', files: [{ messageId: 'nothing', index: 0 }] }),
  ).rejects.toMatchObject({ code: 'message/gone' })
})

test('how far messages have reached another device is known', async () => {
  const { alice } = await begin()
  await alice.ui.messages.send({ cid: world.cid, text: 'arrives' })
  await world.pass(5_000)
  const sent = last(alice)?.createdAt ?? Infinity
  const read = alice.replica.get('reads', world.cid)?.reads.find(({ userId }) => userId === 'bob')
  expect(read?.deliveredAt).toBeGreaterThanOrEqual(sent)
})

test('after the response of a command nothing is missing, whenever the channel is opened', async () => {
  const { alice, bob } = await begin()
  await alice.ui.messages.send({ cid: world.cid, text: '/giphy cats' })
  await world.pass(3_000)
  await alice.open(world.cid)
  await world.pass(3_000)
  await bob.ui.messages.send({ cid: world.cid, text: 'hello' })
  await world.pass(3_000)
  expect(alice.texts(world.cid)).toHaveLength(2)
  expect(alice.replica.window(`timeline:${world.cid}`)?.gapsBefore).toEqual([])
  expect(last(alice)?.text).toBe('hello')
})
