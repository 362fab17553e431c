import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { MEMORY_DISK } from '#kit/sim/memory-disk.ts'
import { holds, PATIENCE_MS } from '#kit/runs.ts'
import { OutboxModel } from './outbox-model.ts'
import { anOutcome, ops } from './outbox-ops.ts'

/** I1 to I6 over random orders of accepting, editing, deleting, crashing and failing. Shrinks to the shortest one. */
test(
  'whatever happens, what was accepted is sent once and in order, or shown as refused',
  { timeout: PATIENCE_MS },
  async () => {
    await holds(
      'outboxes on files (I1 to I6)',
      { fixed: 60, fresh: 40, long: 20_000, share: 0.05 },
      fc.asyncProperty(ops, fc.array(anOutcome, { maxLength: 30 }), async (steps, script) => {
        expect(await new OutboxModel(script, MEMORY_DISK).run(steps)).toEqual([])
      }),
    )
  },
)
