import { afterEach, expect, test } from 'vitest'
import { noteCovered, PATIENCE_MS, runsTo } from '#kit/runs.ts'
import { createWorld, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

const HOUR_MS = 3_600_000

/** The long run uses the numbers of docs/promises.md: 10,000 messages in 200 channels, and 100 queued ones. */
const CHANNELS = runsTo(5, 200)
const IN_EACH = runsTo(30, 50)
const QUEUED = runsTo(20, 100)

test(
  'after eight hours offline every count is exact, and queued messages arrive in their order',
  async () => {
    const channels = ['own', ...Array.from({ length: CHANNELS }, (_, n) => `other-${n}`)]
    world = await createWorld({ channels })
    const [alice, bob] = [world.person('alice'), world.person('bob')]
    const [own, ...others] = world.cids
    if (own === undefined) throw new Error('no channel')
    await alice.open(own)
    await world.pass(2_000)
    alice.link.down()
    await world.pass(1_000)
    const queued = Array.from({ length: QUEUED }, (_, n) => `queued ${n}`)
    for (const text of queued) await alice.ui.messages.send({ cid: own, text })
    for (let n = 0; n < IN_EACH; n += 1) {
      for (const cid of others) await bob.ui.messages.send({ cid, text: `missed ${n}` })
      if (CHANNELS > 5) await world.pass(60_000)
    }
    await world.pass(60_000)
    for (let hour = 0; hour < 8; hour += 1) await world.pass(HOUR_MS)
    const before = process.memoryUsage().heapUsed
    alice.link.up()
    await world.rest(60_000)
    expect(others.map((cid) => alice.channel(cid)?.unread)).toEqual(others.map(() => IN_EACH))
    expect(alice.texts(own)).toEqual(queued)
    expect(world.stored(own).map(({ text }) => text)).toEqual(queued)
    expect(alice.account.engine.unsentCount()).toBe(0)
    // The new messages are on disk, and not in memory.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(150e6)
    noteCovered({ kind: 'messages missed in eight hours', isFresh: false, count: CHANNELS * IN_EACH })
  },
  PATIENCE_MS,
)

test('quitting takes two seconds at most; work in progress is completed or waits for the next start', async () => {
  world = await createWorld()
  const alice = world.person('alice')
  await alice.open(world.cid)
  await world.pass(1_000)
  const texts = Array.from({ length: 5 }, (_, n) => `last ${n}`)
  for (const text of texts) await alice.ui.messages.send({ cid: world.cid, text })
  const from = world.clock.monotonic()
  await world.done(alice.quit())
  expect(world.clock.monotonic() - from).toBeLessThanOrEqual(2_000)
  await world.pass(60_000)
  alice.start()
  await world.rest()
  expect(world.stored(world.cid).map(({ text }) => text)).toEqual(texts)
  expect(alice.texts(world.cid)).toEqual(texts)
})
