import { afterEach, expect, test } from 'vitest'
import { noteCovered, PATIENCE_MS, runsTo, timeFor } from '#kit/runs.ts'
import { createWorld, type World } from '#kit/world.ts'

let world: World
afterEach(() => world.stop())

/** A whole engine switches from the websocket to the long-poll and back, while people write. */
const ROUNDS = runsTo(12, 1_000)

test(
  'an engine that switches to the long-poll and back neither loses nor duplicates a message',
  { timeout: PATIENCE_MS },
  async () => {
    world = await createWorld()
    const [alice, bob] = [world.person('alice'), world.person('bob')]
    await alice.open(world.cid)
    await bob.open(world.cid)
    await world.pass(2_000)
    const line = () => alice.replica.get('connection', 'self')
    const faults: string[] = []
    let sentCount = 0
    const talk = async (): Promise<void> => {
      for (const person of [alice, bob])
        await person.ui.messages.send({ cid: world.cid, text: `word ${(sentCount += 1)}` })
      await world.pass(300)
    }
    const until = async (transport: string, ms: number): Promise<boolean> => {
      for (let left = ms; left > 0; left -= 1_000) {
        if (line()?.transport === transport && line()?.state === 'healthy') return true
        await world.pass(1_000)
        if (left % 20_000 === 0) await talk()
      }
      return false
    }
    const isOver = timeFor()
    let round = 0
    for (; round < ROUNDS && faults.length === 0 && !isOver(); round += 1) {
      alice.link.blocksSockets = true
      alice.link.cut()
      if (!(await until('longpoll', 20_000))) faults.push(`round ${round}: not served by the long-poll in time`)
      // The recovery is complete by now: these messages come by the poll, or at the latest by the one after it.
      await world.pass(5_000)
      await talk()
      await world.pass(25_000)
      if (!alice.texts(world.cid).includes(`word ${sentCount}`))
        faults.push(`round ${round}: the long-poll brings nothing`)
      alice.link.blocksSockets = false
      if (!(await until('websocket', 90_000))) faults.push(`round ${round}: not back on the websocket in time`)
      await talk()
    }
    noteCovered({ kind: 'switches to the long-poll and back', isFresh: false, count: round })
    await world.rest(30_000)
    expect(faults).toEqual([])
    const stored = world.stored(world.cid).map(({ text }) => text)
    expect(new Set(stored).size).toBe(sentCount)
    expect(stored.length).toBe(sentCount)
    const seen = alice.texts(world.cid)
    expect(seen).toEqual(stored.slice(-seen.length))
  },
)
