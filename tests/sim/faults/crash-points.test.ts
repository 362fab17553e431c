import { expect, test } from 'vitest'
import { createWorld, type World } from '#kit/world.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { noteCovered, PATIENCE_MS, runsTo } from '#kit/runs.ts'
import { History } from '../../fuzz/history.ts'
import { CRASH_POINTS, Killer } from './crash-points.ts'

/** The process is killed at each named point when it reaches it first; in the long run also at later times. */
const TIMES = runsTo(1, 5)
/** Rounds of writing and reading before the end is judged: a point is reached once in each, that of a deletion from the second on. */
const ROUNDS = runsTo(2, 6)

test.each(CRASH_POINTS)(
  'killed at "%s", nothing accepted is lost, doubled or misplaced',
  { timeout: PATIENCE_MS },
  async (point) => {
    for (let nth = 1; nth <= TIMES; nth++) {
      const world = await createWorld({ people: ['ann', 'ben'], seed: nth })
      const ann = world.person('ann')
      const killer = new Killer(point, nth, () => ann.crash())
      ann.watch = killer
      ann.restart()
      await ann.open(world.cid)
      await world.pass(5_000)
      const history = new History(world)
      killer.isArmed = true
      const verdict = await play(world, history)
      expect(verdict, `${point} ${nth}`).toEqual([])
      expect(killer.reached, `${point} ${nth}`).toBeGreaterThanOrEqual(nth)
      await world.stop()
    }
    noteCovered({ kind: 'crash points in the simulation', isFresh: false, count: TIMES })
  },
)

async function play(world: World, history: History): Promise<readonly string[]> {
  const { cid } = world
  const [ann, ben] = [world.person('ann'), world.person('ben')]
  const back = (): void => void (ann.isRunning || ann.start())
  for (let n = 0; n < ROUNDS; n++) {
    const text = `ann ${n}`
    const id = await attempt<MessageId>(() => ann.ui.messages.send({ cid, text }))
    if (id === undefined) history.unsure(text)
    else history.accepted({ id, cid, userId: 'ann', text })
    await world.pass(400)
    back()
    if (id !== undefined) await change(world, history, { id, text, n })
    back()
    const word = `ben ${n}`
    history.accepted({ id: await ben.ui.messages.send({ cid, text: word }), cid, userId: 'ben', text: word })
    await world.pass(1_500)
    back()
    await attempt(() => ann.ui.channels.markRead({ cid }))
    await world.pass(1_500)
    back()
    // The connection is lost and comes back, so that lists and the log of events are loaded again.
    ann.link.cut()
    await world.pass(5_000)
    back()
    await ann.open(cid)
    await world.pass(1_000)
    back()
  }
  await world.rest()
  back()
  await world.rest()
  return history.judge()
}

type Mine = { readonly id: MessageId; readonly text: string; readonly n: number }

async function change(world: World, history: History, { id, text, n }: Mine): Promise<void> {
  const ann = world.person('ann')
  const edited = `${text}!`
  if (await attempt(() => ann.ui.messages.edit({ messageId: id, text: edited }).then(() => true)))
    history.edited(id, edited)
  else history.unsure(edited, id)
  await world.pass(400)
  if (!ann.isRunning) return
  for (let twice = 0; twice < 2; twice++) {
    await attempt(() => ann.ui.messages.toggleReaction({ messageId: id, type: '🎉' }))
    await world.pass(400)
    if (!ann.isRunning) return
  }
  if (n === 0) return
  if (await attempt(() => ann.ui.messages.delete({ messageId: id }).then(() => true))) history.deleted(id)
  else history.unsure(edited, id)
  await world.pass(400)
}

/** A killed process returns nothing: what it was called for may have been written or not. */
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch {
    return undefined
  }
}
