import { expect, test } from 'vitest'
import { replayLine, replaySeed, runs } from './counts.ts'
import { REGRESSION_SEEDS } from './regression-seeds.ts'
import { runSchedule } from './schedule.ts'

const BATCH = 50
const PARTS = 2

/** Registers one part of the seeded runs: the parts are files of their own so that both cores have work. */
export function testConvergence(part: number): void {
  const all = [...REGRESSION_SEEDS, ...Array.from({ length: runs(1_000) }, (_, index) => index + 1)]
  const mine = replaySeed === undefined ? all.filter((_, index) => index % PARTS === part) : [replaySeed]
  for (let start = 0; start < mine.length; start += BATCH) testSeeds(mine.slice(start, start + BATCH))
}

function testSeeds(seeds: readonly number[]): void {
  test(
    `nothing is lost, doubled or out of order: seeds ${seeds[0]} to ${seeds.at(-1)}`,
    { timeout: 900_000 },
    async () => {
      const failures: string[] = []
      for (const seed of seeds) {
        const verdict = await runSchedule(seed).catch((error: unknown) => [
          error instanceof Error ? (error.stack ?? error.message) : String(error),
        ])
        if (verdict.length > 0)
          failures.push(`${replayLine('tests/fuzz/convergence', seed)}\n${verdict.slice(0, 5).join('\n')}`)
      }
      expect(failures.join('\n\n')).toBe('')
    },
  )
}
