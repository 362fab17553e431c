import { expect, test } from 'vitest'
import { blocksOf, noteCovered, PATIENCE_MS, replayLine, replaySeed, type Amount } from '#kit/runs.ts'
import { REGRESSION_SEEDS } from './regression-seeds.ts'
import { BLOCK, faultOf, LONG_EVERY, runBlock, runSchedule, type Failure } from './schedule.ts'

const FILE = 'tests/fuzz/convergence'
const PARTS = 4
const KIND = 'schedules of whole engines and the server'
const AMOUNT: Amount = { fixed: 200, fresh: 100, long: 200_000, share: 0.4 / PARTS }
/** More complaints would add nothing. */
const MOST_FAILURES = 10

const TITLE = 'nothing is lost, doubled or out of order'

/** Registers one part of the seeded runs: the parts are separate files so that every core has work to the end. */
export function testConvergence(part: number): void {
  test(`${TITLE}: part ${part + 1} of ${PARTS}`, { timeout: PATIENCE_MS }, async () => {
    expect(await failuresOf(replaySeed === undefined ? runsOf(part) : [() => replay(replaySeed ?? 0)])).toBe('')
  })
}

export function testRegressions(): void {
  test(`${TITLE}: seeds that once failed`, { timeout: PATIENCE_MS }, async () => {
    expect(await failuresOf(REGRESSION_SEEDS.map((seed) => () => replay(seed)))).toBe('')
    noteCovered({ kind: 'schedules that once failed', isFresh: false, count: REGRESSION_SEEDS.length })
  })
}

function* runsOf(part: number): Generator<() => Promise<Failure | undefined>> {
  for (const block of blocksOf(KIND, AMOUNT, BLOCK, { part, of: PARTS })) {
    yield () => runBlock(block)
    yield* longOf(block)
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

async function failuresOf(runs: Iterable<() => Promise<Failure | undefined>>): Promise<string> {
  const failures: string[] = []
  for (const run of runs) {
    const failure = await run()
    if (failure) failures.push(`${replayLine(FILE, failure.seed)}\n${failure.verdict.slice(0, 5).join('\n')}`)
    if (failures.length >= MOST_FAILURES) break
  }
  return failures.join('\n\n')
}
