import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { MEMORY_DISK } from '#kit/memory-disk.ts'
import { replaySeed, runsTo } from '../../fuzz/counts.ts'
import { OutboxModel } from './outbox-model.ts'
import { anOutcome, ops } from './outbox-ops.ts'

/** I1 to I6 over random orders of accepting, editing, deleting, crashing and failing. Shrinks to the shortest one. */
test(
  'whatever happens, what was accepted is sent once and in order, or shown as refused',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(ops, fc.array(anOutcome, { maxLength: 30 }), async (steps, script) => {
        expect(await new OutboxModel(script, MEMORY_DISK).run(steps)).toEqual([])
      }),
      { numRuns: runsTo(500, 20_000), seed: replaySeed ?? 20_261_121 },
    )
  },
)
