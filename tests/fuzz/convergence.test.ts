import { expect, test } from 'vitest'
import { replayLine, replaySeed, runs } from './counts.ts'
import { REGRESSION_SEEDS } from './regression-seeds.ts'
import { runSchedule } from './schedule.ts'

const BATCH = 50
const seeds =
  replaySeed === undefined
    ? [...REGRESSION_SEEDS, ...Array.from({ length: runs(1_000) }, (_, index) => index + 1)]
    : [replaySeed]
const batches = Array.from({ length: Math.ceil(seeds.length / BATCH) }, (_, index) =>
  seeds.slice(index * BATCH, (index + 1) * BATCH),
)

test.each(batches.map((batch) => [`${batch[0]} to ${batch.at(-1)}`, batch] as const))(
  'nothing is lost, doubled or out of order, and everybody sees the same: seeds %s',
  async (_name, batch) => {
    const failures: string[] = []
    for (const seed of batch) {
      const verdict = await runSchedule(seed).catch((error: unknown) => [
        String(error instanceof Error ? error.stack : error),
      ])
      if (verdict.length > 0)
        failures.push(`${replayLine('tests/fuzz/convergence.test.ts', seed)}\n${verdict.slice(0, 5).join('\n')}`)
    }
    expect(failures.join('\n\n')).toBe('')
  },
  600_000,
)
