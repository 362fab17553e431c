import { afterEach, expect, test } from 'vitest'
import { makeWorld, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

const PEOPLE = Array.from({ length: 50 }, (_, index) => `p${index}`)
const DOWN_MS = 20_000

/**
 * A restart that takes as long as a slow one takes. After a shorter one the contract's first back-off (a quarter of a
 * second to two and a half) decides, and that is all the spread there is. Source: wire contract 2.7.
 */
test(
  'R39: after a restart fifty people come back one after another, and know all within half a minute',
  { timeout: 60_000 },
  async () => {
    world = await makeWorld({ people: PEOPLE })
    const { server, clock } = world
    const connect = server.connect.bind(server)
    const connects: number[] = []
    server.connect = (url, out) => {
      connects.push(clock.monotonic())
      return connect(url, out)
    }
    server.crash()
    await world.pass(DOWN_MS)
    server.start()
    const back = clock.monotonic()
    const message = { id: 'after', text: 'I am back' }
    await world.as('p0', 'POST', '/channels/team/general/message', { message })
    const knowsAll = (): boolean =>
      world.people.every(
        (person) =>
          person.account.engine.diagnostics().connection.caughtUp &&
          person.channel(world.cid)?.unread === (person.userId === 'p0' ? 0 : 1),
      )
    while (!knowsAll() && clock.monotonic() - back <= 30_000) await world.pass(1_000)
    const inSecond = (second: number): number =>
      connects.filter((at) => Math.floor((at - back) / 1_000) === second).length
    expect(knowsAll()).toBe(true)
    expect(connects).toHaveLength(PEOPLE.length)
    expect(Math.max(...connects) - Math.min(...connects)).toBeGreaterThanOrEqual(5_000)
    expect(Math.max(...Array.from({ length: 30 }, (_, second) => inSecond(second)))).toBeLessThanOrEqual(15)
  },
)
