import { afterEach, expect, test } from 'vitest'
import { createWorld, type World } from '#kit/world.ts'

const DAY = 24 * 3_600_000

let world: World
afterEach(() => world.stop())

test('an event without a time moves no cursor: what was missed is requested by the server’s time', async () => {
  world = await createWorld()
  const [alice, bob] = [world.person('alice'), world.person('bob')]
  await alice.open(world.cid)
  await bob.open(world.cid)
  const id = await bob.ui.messages.send({ cid: world.cid, text: 'hello' })
  await world.pass(3_000)
  alice.skewMs = DAY
  alice.link.inject('{"type":"message.new","message":{"id":[]}}')
  await world.pass(1_000)
  alice.link.down()
  await world.pass(10_000)
  await bob.ui.messages.toggleReaction({ messageId: id, type: 'like' })
  await bob.ui.messages.delete({ messageId: id })
  await world.pass(3_000)
  const bodies: string[] = []
  alice.link.tamper = {
    request: (request) => {
      if (request.url.includes('/sync')) bodies.push(typeof request.body === 'string' ? request.body : '')
      return request
    },
  }
  alice.link.up()
  await world.rest()
  const times = bodies.map((body) => Date.parse((JSON.parse(body) as { last_sync_at: string }).last_sync_at))
  expect(times.length).toBeGreaterThan(0)
  expect(times.filter((time) => time > world.clock.now())).toEqual([])
  expect(alice.texts(world.cid)).toEqual(['deleted'])
})
