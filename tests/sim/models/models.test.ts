import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { reading } from '#kit/lone-talk.ts'
import { CID } from '#kit/lone-engine.ts'
import { holds, PATIENCE_MS } from '#kit/runs.ts'
import { playConnection } from './connection-model.ts'
import { eventsOf, stories } from './events-model.ts'
import { playSets } from './sets-model.ts'

const steps = fc.array(fc.nat({ max: 100_000 }), { minLength: 1, maxLength: 16 })

test(
  'I7 to I10: no set of messages ever hides a hole, whatever is asked, heard, missed and deleted',
  { timeout: PATIENCE_MS },
  async () => {
    await holds(
      'sets of messages (I7 to I10)',
      { fixed: 20_000, fresh: 10_000, long: 5_000_000, share: 0.05 },
      fc.property(steps, (list) => {
        expect(playSets(list)).toEqual([])
      }),
    )
  },
)

test(
  'I14 to I16: never two sockets, never a storm of dials, each change of health told once',
  { timeout: PATIENCE_MS },
  async () => {
    await holds(
      'connections (I14 to I16)',
      { fixed: 1_000, fresh: 500, long: 200_000, share: 0.05 },
      fc.asyncProperty(steps, async (list) => {
        expect(await playConnection(list)).toEqual([])
      }),
    )
  },
)

test(
  'events that come twice, too late or in another order end in the same state',
  { timeout: PATIENCE_MS },
  async () => {
    const lone = await reading([])
    let count = 0
    /** The messages as a person sees them, without the mark; and by how much the unread count grew. */
    const after = async (events: readonly Record<string, unknown>[], mark: string) => {
      const before = lone.replica.tables.channels?.[CID]?.unread ?? 0
      for (const event of events) await lone.hear(event)
      const shown = lone.replica.messages(`timeline:${CID}`).filter(({ id }) => id.startsWith(`${mark}-`))
      return {
        shown: shown.map(({ id, text, deletedAt, reactions }) => [
          id.replace(mark, ''),
          deletedAt === undefined ? text.replace(mark, '') : 'deleted',
          deletedAt === undefined ? reactions.map((group) => `${group.type} ${group.count}`).join() : '',
        ]),
        unread: (lone.replica.tables.channels?.[CID]?.unread ?? 0) - before,
      }
    }
    const order = fc.array(fc.nat({ max: 1_000 }), { minLength: 8, maxLength: 24 })
    await holds(
      'events repeated, late and reordered',
      { fixed: 60, fresh: 30, long: 5_000 },
      fc.asyncProperty(stories, order, async (notified, shuffle) => {
        const at = (count += 1) * 1_000
        const plain = await after(eventsOf(notified, `a${count}`, at), `a${count}`)
        const events = eventsOf(notified, `b${count}`, at)
        const mixed = [...shuffle.flatMap((n) => events.slice(n % events.length, (n % events.length) + 1)), ...events]
        const sorted = mixed.map((event, index) => ({
          event,
          key: ((shuffle[index % shuffle.length] ?? 0) * 7_919 + index * 104_729) % 997,
        }))
        // A line keeps its order, so nothing about a message is heard before the message itself: only again, and mixed.
        const first = events.filter(({ type }) => type === 'message.new')
        const heard = [...first, ...sorted.toSorted((a, b) => a.key - b.key).map(({ event }) => event)]
        expect(await after(heard, `b${count}`)).toEqual(plain)
      }),
    )
  },
)
