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
  'I7 to I10: no set of messages ever hides a gap, whatever is loaded, received, missed and deleted',
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
  'I14 to I16: never two sockets, never a storm of dials, each change of health reported once',
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

test('events that are repeated, late or reordered lead to the same state', { timeout: PATIENCE_MS }, async () => {
  const lone = await reading([])
  let count = 0
  /** The messages as a user sees them, without the mark; and by how much the unread count grew. */
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
    fc.asyncProperty(stories, order, async (drawn, shuffle) => {
      const at = (count += 1) * 1_000
      const plain = await after(eventsOf(drawn, `a${count}`, at), `a${count}`)
      const events = eventsOf(drawn, `b${count}`, at)
      const mixed = [...shuffle.flatMap((n) => events.slice(n % events.length, (n % events.length) + 1)), ...events]
      const sorted = mixed.map((event, index) => ({
        event,
        key: ((shuffle[index % shuffle.length] ?? 0) * 7_919 + index * 104_729) % 997,
      }))
      // A connection preserves order, so no event about a message comes before the message itself: only repeated, and
      // reordered.
      const first = events.filter(({ type }) => type === 'message.new')
      const received = [...first, ...sorted.toSorted((a, b) => a.key - b.key).map(({ event }) => event)]
      expect(await after(received, `b${count}`)).toEqual(plain)
    }),
  )
})
