import { afterEach, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import type { Person } from '#kit/sim/person.ts'
import { createWorld, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

const MINUTE_MS = 60_000
const moves = (requests: readonly string[]): number =>
  requests.filter((each) => each === 'PUT /users/live_locations').length

test('after a restart a live location is not continued; the share is listed, and the server ends it in time', async () => {
  world = await createWorld()
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

const waiting = (person: Person) =>
  person.replica.all('outbox').map(({ state, reason, content }) => [content, state, reason?.code])

test('a live share that waited until it expired is not sent, and this is shown while still offline', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  for (const person of [alice, bob]) await person.open(world.cid)
  await alice.ui.outbox.open()
  alice.link.down()
  const share = { cid: world.cid, latitude: 1, longitude: 2, forMs: 15 * MINUTE_MS }
  const id = await alice.ui.locations.share(share)
  await world.pass(13 * MINUTE_MS)
  expect(waiting(alice)).toEqual([['place', 'ready', undefined]])
  await world.pass(2 * MINUTE_MS)
  expect(waiting(alice)).toEqual([['place', 'parked', 'location/over']])
  alice.link.up()
  await world.pass(MINUTE_MS)
  expect(world.stored(world.cid).map((message) => message.id)).not.toContain(id)
})

test('a live share that was tried before a restart, and did not arrive, does not start by itself', async () => {
  world = await createWorld()
  const alice = world.person('alice')
  await alice.open(world.cid)
  alice.link.tamper = {
    request: (request) =>
      request.method === 'POST' ? { ...request, url: new URL('/nowhere', request.url).href } : request,
    answer: (request, answer) => (request.url.endsWith('/nowhere') ? { ...answer, status: 500, text: '{}' } : answer),
  }
  const id = await alice.ui.locations.share({ cid: world.cid, latitude: 1, longitude: 2, forMs: 15 * MINUTE_MS })
  await world.pass(500)
  alice.link.tamper = {}
  alice.restart()
  await world.pass(10_000)
  await alice.ui.outbox.open()
  await world.pass(1_000)
  expect(waiting(alice)).toEqual([['place', 'parked', 'location/not-resumed']])
  expect(world.stored(world.cid).map((message) => message.id)).not.toContain(id)
})

test('a live share that waited keeps the end its sender was shown, and one with a minute left can be sent', async () => {
  world = await createWorld()
  const alice = world.person('alice')
  await alice.open(world.cid)
  alice.link.down()
  const until = world.clock.now() + 15 * MINUTE_MS
  const id = await alice.ui.locations.share({ cid: world.cid, latitude: 1, longitude: 2, forMs: 15 * MINUTE_MS })
  await world.pass(5 * MINUTE_MS)
  alice.link.up()
  await world.pass(MINUTE_MS)
  const endOf = (message: MessageId) => alice.replica.get('messages', message)?.location?.endAt ?? 0
  expect(Math.abs(endOf(id) - until)).toBeLessThan(2_000)
  const short = await alice.ui.locations.share({ cid: world.cid, latitude: 1, longitude: 2, forMs: MINUTE_MS })
  await world.pass(5_000)
  expect(alice.replica.get('messages', short)?.status).toBe('received')
})

test('each share moves with its own precision, and an unmoved one is not sent again', async () => {
  world = await createWorld()
  const alice = world.person('alice')
  await alice.open(world.cid)
  const share = { cid: world.cid, latitude: 49.2746, longitude: 19.8683, forMs: 15 * MINUTE_MS }
  const exact = await alice.ui.locations.share(share)
  const city = await alice.ui.locations.share({ ...share, precision: 'city' })
  await world.pass(5_000)
  await alice.ui.locations.move({ latitude: 49.2751, longitude: 19.8683 })
  await world.pass(5_000)
  expect(moves(alice.link.requests)).toBe(1)
  await alice.ui.locations.move({ latitude: 49.3612, longitude: 19.8683 })
  await world.pass(5_000)
  const placeOf = (id: MessageId) => alice.replica.get('messages', id)?.location?.latitude
  expect(placeOf(exact)).toBe(49.3612)
  expect(placeOf(city)).toBe(49.4)
})

test('a canceled place is changed in its form and sent once', async () => {
  world = await createWorld()
  const alice = world.person('alice')
  await alice.open(world.cid)
  await alice.ui.outbox.open()
  alice.link.down()
  const id = await alice.ui.locations.share({ cid: world.cid, latitude: 1, longitude: 2 })
  const back = await alice.ui.outbox.takeBack({ id })
  await world.pass(100)
  expect(back.place?.latitude).toBe(1)
  expect(waiting(alice)).toEqual([['place', 'parked', 'outbox/taken-back']])
  alice.link.up()
  await world.pass(10_000)
  const other = await alice.ui.locations.share({ cid: world.cid, latitude: 3, longitude: 4, replaces: id })
  await world.pass(10_000)
  expect(world.stored(world.cid).map((message) => message.id)).toEqual([other])
  expect(waiting(alice)).toEqual([])
})

/** Alice shares her location for an hour, and Bob sees it. */
async function shared(device?: string) {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  for (const person of [alice, bob]) await person.open(world.cid)
  const share = { cid: world.cid, latitude: 1, longitude: 2, forMs: 60 * MINUTE_MS }
  const id = await world.done(alice.ui.locations.share({ ...share, device }))
  const isLive = (person: Person) => (person.replica.get('messages', id)?.location?.endAt ?? 0) > world.clock.now()
  return { alice, bob, id, isLive }
}

test('a share stopped offline ends here at once, and for others as soon as the server can be reached', async () => {
  const { alice, bob, id, isLive } = await shared('Alice’s laptop')
  await world.pass(5 * MINUTE_MS)
  expect(alice.account.engine.sharesUntil()).not.toBe(undefined)
  expect(isLive(bob)).toBe(true)
  expect(bob.replica.get('messages', id)?.location?.device).toBe('Alice’s laptop')
  alice.link.down()
  await world.pass(1_000)
  await alice.ui.locations.stop({ messageId: id })
  await world.pass(100)
  expect(isLive(alice)).toBe(false)
  expect(isLive(bob)).toBe(true)
  expect(alice.account.engine.sharesUntil()).toBeUndefined()
  alice.link.up()
  await world.pass(40_000)
  expect(isLive(alice)).toBe(false)
  expect(isLive(bob)).toBe(false)
  expect(await world.done(alice.ui.locations.live())).toEqual([])
})

test('a share stopped offline stays stopped across a restart, and the server is notified then', async () => {
  const { alice, bob, id, isLive } = await shared()
  await world.pass(MINUTE_MS)
  alice.link.down()
  await world.pass(1_000)
  await alice.ui.locations.stop({ messageId: id })
  alice.restart()
  await world.pass(1_000)
  expect(isLive(alice)).toBe(false)
  expect(isLive(bob)).toBe(true)
  alice.link.up()
  await world.pass(40_000)
  expect(isLive(alice)).toBe(false)
  expect(isLive(bob)).toBe(false)
  const notified = moves(alice.link.requests)
  alice.restart()
  await world.pass(60_000)
  expect(moves(alice.link.requests)).toBe(notified)
})

test('a stop sent on a silently dead connection is stored, and sent on the next one', async () => {
  const { alice, bob, id, isLive } = await shared()
  await world.pass(MINUTE_MS)
  alice.link.down(true)
  await world.done(alice.ui.locations.stop({ messageId: id }))
  alice.link.up()
  await world.pass(2 * MINUTE_MS)
  expect(isLive(bob)).toBe(false)
})

test('a position that did not arrive is sent again, though the device does not move after it', async () => {
  const { alice, bob, id } = await shared()
  await world.pass(MINUTE_MS)
  alice.link.down()
  await world.pass(1_000)
  await alice.ui.locations.move({ latitude: 3, longitude: 4 })
  await world.pass(MINUTE_MS)
  alice.link.up()
  await world.pass(2 * MINUTE_MS)
  expect(bob.replica.get('messages', id)?.location).toMatchObject({ latitude: 3, longitude: 4 })
  const notified = moves(alice.link.requests)
  await world.pass(MINUTE_MS)
  expect(moves(alice.link.requests)).toBe(notified)
})

const keeping = (person: Person, locationTracks: boolean): void =>
  person.account.engine.publish({ settings: { ...DEFAULT_SETTINGS, locationTracks } })

test('the track of a live location is stored on this device if the user wants it, until the share ends', async () => {
  const { alice, bob, id } = await shared()
  await world.pass(1_000)
  const track = async (person: Person) =>
    (await person.ui.locations.track({ messageId: id })).map(({ latitude }) => latitude)
  const move = async (latitude: number) => {
    await alice.ui.locations.move({ latitude, longitude: 2 })
    await world.pass(5_000)
  }
  keeping(bob, true)
  expect(await track(bob)).toEqual([1])
  for (const latitude of [1.1, 1.2]) await move(latitude)
  expect(await track(bob)).toEqual([1, 1.1, 1.2])
  expect(await track(alice)).toEqual([])
  await world.done(alice.ui.locations.stop({ messageId: id }))
  await world.pass(90_000)
  const trackCount = bob.account.engine.stores.cache.reader.db.get('SELECT count(*) AS n FROM tracks')
  expect(await track(bob)).toEqual([])
  expect(trackCount).toEqual({ n: 0 })
})

test('turning tracks off removes those that are stored', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  for (const person of [alice, bob]) await person.open(world.cid)
  keeping(bob, true)
  const share = { cid: world.cid, latitude: 1, longitude: 2, forMs: 60 * MINUTE_MS }
  await world.done(alice.ui.locations.share(share))
  await world.pass(2_000)
  const trackCount = () => bob.account.engine.stores.cache.reader.db.get('SELECT count(*) AS n FROM tracks')
  expect(trackCount()).toEqual({ n: 1 })
  keeping(bob, false)
  await world.pass(100)
  expect(trackCount()).toEqual({ n: 0 })
})
