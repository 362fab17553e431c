import { expect, test } from 'vitest'
import { replayLine, replaySeed, runsTo, seedsAfter } from './counts.ts'
import { REGRESSION_SEEDS } from './regression-seeds.ts'
import { BLOCK, faultOf, LONG_EVERY, runBlock, runSchedule, type Failure } from './schedule.ts'

const FILE = 'tests/fuzz/convergence'
const RUNS = runsTo(10_000, 200_000)
/** Blocks under one name in the report. */
const BATCH = 25
const PARTS = 4

/** Registers one part of the seeded runs: the parts are files of their own so that every core has work to the end. */
export function testConvergence(part: number): void {
  if (replaySeed !== undefined) return testAll(`seed ${replaySeed}`, [() => replay(replaySeed ?? 0)])
  const blocks = Array.from({ length: RUNS / BLOCK }, (_, index) => index + seedsAfter / BLOCK).filter(
    (block) => block % PARTS === part,
  )
  if (part === 0)
    testAll(
      'seeds that once failed',
      REGRESSION_SEEDS.map((seed) => () => replay(seed)),
    )
  for (let start = 0; start < blocks.length; start += BATCH) {
    const mine = blocks.slice(start, start + BATCH)
    const name = `seeds ${(mine[0] ?? 0) * BLOCK + 1} to ${((mine.at(-1) ?? 0) + 1) * BLOCK}`
    testAll(name, [...mine.map((block) => () => runBlock(block)), ...mine.flatMap(longOf)])
  }
}

/** The long runs among the seeds of a block. */
const longOf = (block: number): (() => Promise<Failure | undefined>)[] =>
  Array.from({ length: BLOCK }, (_, index) => block * BLOCK + index + 1)
    .filter((seed) => seed % LONG_EVERY === 0)
    .map((seed) => () => replay(seed))

async function replay(seed: number): Promise<Failure | undefined> {
  if (seed % LONG_EVERY !== 0) return runBlock(Math.floor((seed - 1) / BLOCK), seed)
  const verdict = await runSchedule(seed).catch(faultOf)
  return verdict.length > 0 ? { seed, verdict } : undefined
}

function testAll(name: string, runs: readonly (() => Promise<Failure | undefined>)[]): void {
  test(`nothing is lost, doubled or out of order: ${name}`, { timeout: 900_000 }, async () => {
    const failures: string[] = []
    for (const run of runs) {
      const failure = await run()
      if (failure) failures.push(`${replayLine(FILE, failure.seed)}\n${failure.verdict.slice(0, 5).join('\n')}`)
    }
    expect(failures.join('\n\n')).toBe('')
  })
}
