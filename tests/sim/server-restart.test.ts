import { afterEach, expect, test } from 'vitest'
import { createWorld, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

const PEOPLE = Array.from({ length: 50 }, (_, index) => `p${index}`)

/**
 * Ends the server, starts it again, and lets the first user send a message. Returns when each connection came, in
 * milliseconds since the start, and whether every client had everything half a minute later at most.
 */
async function restarted(
  people: readonly string[],
  end: 'crash' | 'stop',
  downMs: number,
): Promise<{ connects: readonly number[]; isKnown: boolean }> {
  world = await createWorld({ people })
  const { server, clock } = world
  const connect = server.connect.bind(server)
  const connects: number[] = []
  server[end]()
  await world.pass(downMs)
  server.start()
  const back = clock.monotonic()
  server.connect = (url, out) => {
    connects.push(clock.monotonic() - back)
    return connect(url, out)
  }
  await world.as('p0', 'POST', '/channels/team/general/message', { message: { id: 'after', text: 'I am back' } })
  const knowsAll = (): boolean =>
    world.people.every(
      (person) =>
        person.account.engine.diagnostics().connection.caughtUp &&
        person.channel(world.cid)?.unread === (person.userId === 'p0' ? 0 : 1),
    )
  while (!knowsAll() && clock.monotonic() - back <= 30_000) await world.pass(1_000)
  return { connects, isKnown: knowsAll() }
}

const spreadOf = (connects: readonly number[]): number => Math.max(...connects) - Math.min(...connects)
const secondOf = (at: number): number => Math.floor(at / 1_000)
const peakOf = (connects: readonly number[]): number =>
  Math.max(...connects.map((one) => connects.filter((at) => secondOf(at) === secondOf(one)).length))

/**
 * By the contract's back-off alone, after a restart that takes as long as a slow one does. After a shorter crash its
 * first steps (a quarter of a second to two and a half) are all the spread there is. See docs/wire.md 2.7, ADR 14.
 */
test(
  'after a crash of twenty seconds fifty clients come back one after another, and have everything within half a minute',
  { timeout: 60_000 },
  async () => {
    const { connects, isKnown } = await restarted(PEOPLE, 'crash', 20_000)
    expect(isKnown).toBe(true)
    expect(connects).toHaveLength(PEOPLE.length)
    expect(spreadOf(connects)).toBeGreaterThanOrEqual(5_000)
    expect(peakOf(connects)).toBeLessThanOrEqual(15)
  },
)

test(
  'so do they after a planned restart that takes a second, because the server gave each client a time to reconnect',
  { timeout: 60_000 },
  async () => {
    const { connects, isKnown } = await restarted(PEOPLE, 'stop', 1_000)
    expect(isKnown).toBe(true)
    expect(connects).toHaveLength(PEOPLE.length)
    expect(spreadOf(connects)).toBeGreaterThanOrEqual(5_000)
    expect(peakOf(connects)).toBeLessThanOrEqual(15)
  },
)

test('a single client waits only for the first back-off', async () => {
  const { connects, isKnown } = await restarted(['p0'], 'stop', 200)
  expect(isKnown).toBe(true)
  expect(connects).toHaveLength(1)
  expect(connects[0]).toBeLessThanOrEqual(3_000)
})
