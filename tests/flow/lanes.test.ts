import { afterEach, expect, test } from 'vitest'
import type { Cid } from '#shared/lib/brand.ts'
import type { HttpRequest } from '#main/engine/ports.ts'
import type { Person } from '#kit/sim/person.ts'
import { createWorld, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

const ROOMS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const SLOW_MS = 8_000

/**
 * Alice with nine channels, in eight of which Bob has written. Requests that `isSlow` matches take eight seconds to
 * reach the server.
 */
async function slowed(isSlow: (request: HttpRequest) => boolean): Promise<Person> {
  world = await createWorld({ channels: ROOMS })
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  for (const cid of world.cids.slice(0, 8)) await world.done(bob.ui.messages.send({ cid, text: 'news' }))
  alice.watch = {
    stores: (stores) => stores,
    request: async (request, go) => {
      if (isSlow(request)) await new Promise<void>((resolve) => world.clock.after(SLOW_MS, resolve))
      return go()
    },
  }
  alice.restart()
  await world.pass(3_000)
  return alice
}

const path = ({ url }: HttpRequest): string => new URL(url).pathname
const isMark = (request: HttpRequest): boolean => path(request).endsWith('/read')
const texts = (cid: Cid | undefined): string[] => (cid ? world.stored(cid).map(({ text }) => text) : [])

test('eight slow read marks are one request, and no message waits for it, in any channel', async () => {
  const alice = await slowed(isMark)
  const requested = alice.link.requests
  await alice.ui.channels.markManyRead({ cids: world.cids.slice(0, 8) })
  await world.pass(10)
  const from = world.clock.monotonic()
  for (const cid of world.cids) await alice.ui.messages.send({ cid, text: 'typed' })
  let took = 0
  for (; world.cids.some((cid) => !texts(cid).includes('typed')) && took < SLOW_MS; took += 10) await world.pass(10)
  // A request reaches the server in 60 ms at most; the ninth channel waits for one of the eight slots.
  expect(world.clock.monotonic() - from).toBeLessThan(250)
  expect(requested.filter((line) => line.endsWith('/read'))).toEqual([])
  await world.pass(SLOW_MS + 1_000)
  expect(requested.filter((line) => line.endsWith('/read'))).toEqual(['POST /channels/read'])
  expect(world.cids.map((cid) => alice.channel(cid)?.unread)).toEqual(Array(9).fill(0))
  expect(alice.account.engine.unsentCount()).toBe(0)
})

test('read marks that follow each other while one is in flight are merged into one more request', async () => {
  const alice = await slowed(isMark)
  const [first] = world.cids
  if (!first) throw new Error('no channel')
  const bob = world.person('bob')
  await alice.open(first)
  await alice.ui.channels.markRead({ cid: first })
  for (let n = 0; n < 5; n += 1) {
    await world.done(bob.ui.messages.send({ cid: first, text: `more ${n}` }))
    // Until Alice has it: what she has not seen is not marked.
    await world.pass(200)
    await alice.ui.channels.markRead({ cid: first })
    await world.pass(1_000)
  }
  await world.pass(30_000)
  expect(alice.link.requests.filter((line) => line.endsWith('/read')).length).toBeLessThanOrEqual(3)
  expect(alice.channel(first)?.unread).toBe(0)
  expect(alice.account.engine.unsentCount()).toBe(0)
})

test('where one of several channels may not be marked, the others are, and only that one is refused', async () => {
  const alice = await slowed(() => false)
  alice.link.tamper = {
    answer(requested, given) {
      const isMany = path(requested) === '/channels/read'
      const isTwo = path(requested) === '/channels/team/two/read'
      const refused = { status: 403, headers: {}, text: JSON.stringify({ code: 17, message: 'no', StatusCode: 403 }) }
      return isMany || isTwo ? refused : given
    },
    request: (requested) => (path(requested) === '/channels/read' ? { ...requested, method: 'GET' } : requested),
  }
  await alice.ui.channels.markManyRead({ cids: world.cids.slice(0, 8) })
  await world.pass(5_000)
  const left = alice.replica.all('outbox').map(({ kind, cid, state }) => [kind, cid, state])
  expect(left).toEqual([['mark-read', 'team:two', 'parked']])
})

test('a slow reply in a thread and a message in the channel do not wait for each other, and the order within each is preserved', async () => {
  const alice = await slowed(
    ({ url, body }) => url.includes('/message') && typeof body === 'string' && body.includes('"parent_id"'),
  )
  const [cid] = world.cids
  if (!cid) throw new Error('no channel')
  await alice.open(cid)
  await world.pass(1_000)
  const [parent] = alice.messages(cid)
  if (!parent) throw new Error('no message')
  for (const n of [1, 2]) await alice.ui.messages.send({ cid, text: `reply ${n}`, parentId: parent.id })
  for (const n of [1, 2, 3]) await alice.ui.messages.send({ cid, text: `line ${n}` })
  await world.pass(600)
  expect(texts(cid)).toEqual(['news', 'line 1', 'line 2', 'line 3'])
  await world.pass(3 * SLOW_MS)
  expect(texts(cid)).toEqual(['news', 'line 1', 'line 2', 'line 3', 'reply 1', 'reply 2'])
})
