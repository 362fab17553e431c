import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from '#main/cache/files/open.ts'
import { createWorld, type World } from '#kit/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ people: ['alice', 'bob'], channels: ['general', 'random'] })
})
afterAll(() => world.stop())

const alice = () => world.person('alice')
const sendToAll = async (text: string) => {
  for (const cid of world.cids) await world.done(world.person('bob').ui.messages.send({ cid, text }))
  await world.pass(2_000)
}
const readStates = () => world.cids.map((cid) => [alice().channel(cid)?.unread, alice().channel(cid)?.firstUnreadId])

test('marking everything read is undone to the exact message', async () => {
  await sendToAll('one')
  await sendToAll('two')
  const before = readStates()
  expect(before.map(([unread]) => unread)).toEqual([2, 2])
  expect(await world.done(alice().ui.channels.markAllRead())).toBe(2)
  await world.pass(1_500)
  expect(readStates().map(([unread]) => unread)).toEqual([0, 0])
  expect(await world.done(alice().ui.channels.undoRead({}))).toBe(2)
  await world.pass(1_500)
  expect(readStates()).toEqual(before)
})

test('one of several is undone, and nothing is undone twice', async () => {
  const [first] = world.cids
  const before = readStates()
  await world.done(alice().ui.channels.markManyRead({ cids: world.cids }))
  await world.pass(1_500)
  expect(await world.done(alice().ui.channels.undoRead({ cids: first === undefined ? [] : [first] }))).toBe(1)
  await world.pass(1_500)
  expect(readStates()[0]).toEqual(before[0])
  expect(readStates()[1]?.[0]).toBe(0)
  expect(await world.done(alice().ui.channels.undoRead({ cids: first === undefined ? [] : [first] }))).toBe(0)
})

test('offline, a mark that was not sent yet is undone, and an earlier one stays', async () => {
  await world.done(alice().ui.channels.markAllRead())
  await sendToAll('three')
  const before = readStates()
  expect(before.map(([unread]) => unread)).toEqual([1, 1])
  alice().link.cut()
  await world.pass(200)
  await alice().ui.channels.markAllRead()
  await world.pass(100)
  expect(readStates().map(([unread]) => unread)).toEqual([0, 0])
  expect(await alice().ui.channels.undoRead({})).toBe(2)
  await world.pass(100)
  expect(readStates()).toEqual(before)
  await world.rest()
  expect(readStates()).toEqual(before)
})

test('the catch-up list names each place with its first unread message, and a recount changes nothing that is right', async () => {
  const places = await alice().ui.channels.unreadPlaces()
  expect(new Set(places.map(({ cid }) => cid))).toEqual(new Set(world.cids))
  expect(places.map(({ unread, preview }) => [unread, preview.map(({ text }) => text)])).toEqual([
    [1, ['three']],
    [1, ['three']],
  ])
  const [first] = places
  if (first === undefined) throw new Error('nothing is unread')
  await world.done(alice().ui.channels.recount({ cid: first.cid }))
  expect(alice().channel(first.cid)?.unread).toBe(1)
})

test('offline, many channels are marked with one write to disk, sent later, and undone before that', async () => {
  await sendToAll('three')
  const person = alice()
  let writes = 0
  person.watch = {
    request: (_request, go) => go(),
    stores: (stores) => {
      const transaction: Store['transaction'] = (work) => {
        writes += 1
        return stores.outbox.transaction(work)
      }
      return { ...stores, outbox: { ...stores.outbox, transaction } }
    },
  }
  person.restart()
  await world.pass(5_000)
  person.link.down()
  await world.pass(1_000)
  const before = readStates()
  writes = 0
  expect(await person.ui.channels.markAllRead()).toBe(2)
  await world.pass(100)
  expect(readStates().map(([unread]) => unread)).toEqual([0, 0])
  expect(writes).toBe(1)
  expect(await person.ui.channels.undoRead({})).toBe(2)
  await world.pass(2_000)
  expect(readStates()).toEqual(before)
  await person.ui.channels.markAllRead()
  person.link.up()
  await world.rest()
  expect(readStates().map(([unread]) => unread)).toEqual([0, 0])
})
