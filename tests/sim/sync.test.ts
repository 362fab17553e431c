import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MessageId } from '#shared/lib/brand.ts'
import { holds, PATIENCE_MS } from '#kit/runs.ts'
import { NO_FAULTS } from '#kit/sim/network.ts'
import { createWorld } from '#kit/world.ts'

/** The model of catching up: a server's log and a client that connects and disconnects. */
const STEPS = ['say', 'hear', 'read', 'down', 'up', 'cut', 'lossy', 'crash', 'pass'] as const
const story = fc.array(fc.constantFrom(...STEPS), { minLength: 3, maxLength: 14 })

async function play(steps: readonly (typeof STEPS)[number][]): Promise<string[]> {
  const world = await createWorld({ people: ['ann', 'ben'], channels: ['one'] })
  const [ann, ben] = [world.person('ann'), world.person('ben')]
  const { cid } = world
  await ann.open(cid)
  await world.pass(1_000)
  const faults: string[] = []
  const mine = new Set<MessageId>()
  let readUntil = 0
  const acts: Record<(typeof STEPS)[number], () => Promise<unknown> | void> = {
    say: async () => mine.add(await ann.ui.messages.send({ cid, text: `own ${mine.size}` })),
    hear: () => ben.ui.messages.send({ cid, text: 'heard' }),
    read: () => ann.ui.channels.markRead({ cid }),
    down: () => ann.link.down(),
    up: () => ann.link.up(),
    cut: () => ann.link.cut(),
    lossy: () => void (ann.link.faults = { ...NO_FAULTS, dropAnswer: 0.5, duplicate: 0.3 }),
    crash: () => ann.restart(),
    pass: () => world.pass(7_000),
  }
  const look = (after: string): void => {
    const shown = new Set(ann.messages(cid).map(({ id }) => id))
    for (const id of mine) if (!shown.has(id)) faults.push(`I13: an own message is not shown after ${after}`)
    const until = ann.channel(cid)?.lastReadAt ?? 0
    if (until < readUntil) faults.push(`I12: what was read went back by ${readUntil - until} ms after ${after}`)
    readUntil = until
  }
  for (const step of steps) {
    await acts[step]()
    for (let part = 0; part < 3; part += 1) {
      await world.pass(60)
      look(step)
    }
  }
  ann.link.faults = NO_FAULTS
  ann.link.up()
  await world.rest(90_000)
  look('everything healed')
  const held = ann.messages(cid).map(({ id, text, status }) => `${id} ${text} ${status}`)
  const stored = world.stored(cid).map(({ id, text }) => `${id} ${text} received`)
  if (held.join() !== stored.join()) faults.push('I11: the view is not what the server has')
  await world.stop()
  return faults
}

test(
  'I11 to I13: the view becomes the server’s, reads never go back, the user’s own messages are always there',
  { timeout: PATIENCE_MS },
  async () => {
    await holds(
      'catching up (I11 to I13)',
      { fixed: 8, fresh: 6, long: 2_000 },
      fc.asyncProperty(story, async (steps) => {
        expect(await play(steps)).toEqual([])
      }),
    )
  },
)
