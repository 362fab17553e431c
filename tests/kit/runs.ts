import { appendFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import * as fc from 'fast-check'
import { isLong } from './parts.ts'

/** For counts that have no seed. */
export const runsTo = (gate: number, long: number): number => (isLong ? long : gate)

/** `PARLOR_SEED=N` runs one seed again. */
export const replaySeed = process.env['PARLOR_SEED'] === undefined ? undefined : Number(process.env['PARLOR_SEED'])

/**
 * The fresh seeds of a run come after this one, a whole thousand far above the fixed ones. The runner draws it once.
 */
export const freshFrom = Number(process.env['PARLOR_FRESH'] ?? drawFresh())

/**
 * Whether one of many cases without a seed is run: in the gate one of so many shares, another one from run to run, in the
 * long run all of them.
 */
export const isInShare = (at: number, shares: number): boolean => isLong || (at + freshFrom / 1_000) % shares === 0

export function drawFresh(): number {
  return (1_000 + Math.floor(Math.random() * 1e6)) * 1_000
}

/** A limit for hangs of a seeded test, not a measure. */
export const PATIENCE_MS = isLong ? 24 * 3_600_000 : 900_000

/** The command that runs a failing seed again. */
export const replayLine = (file: string, seed: number): string => `PARLOR_SEED=${seed} npm test -- ${file}`

/** How many seeds of a kind are run. `share` is its part of the long run's time where that was given in minutes. */
export type Amount = { readonly fixed: number; readonly fresh: number; readonly long: number; readonly share?: number }

const USUAL_SHARE = 0.02
const minutes = Number(process.env['PARLOR_MINUTES'] ?? Infinity)

/** Whether the time of a kind has run out; it starts now. Never in the gate, nor in a long run without a limit. */
export function timeFor(share = USUAL_SHARE): () => boolean {
  const until = performance.now() + minutes * 60_000 * share * availableParallelism()
  return () => isLong && performance.now() > until
}

/**
 * The seeds of a kind, one after another, until its time has run out. The seeds that were run are noted for the end of
 * the run.
 */
export function* seedsOf(kind: string, amount: Amount): Generator<number> {
  for (const block of blocksOf(kind, amount, 1)) yield block + 1
}

/** Which of several files or tests share the blocks of a kind: part 0 of 4 has the blocks 0, 4, 8 … */
export type Part = { readonly part: number; readonly of: number }
const WHOLE: Part = { part: 0, of: 1 }

/** Blocks of `size` seeds: block `n` holds the seeds from `n * size + 1` on. */
export function* blocksOf(kind: string, amount: Amount, size: number, { part, of }: Part = WHOLE): Generator<number> {
  if (replaySeed !== undefined) {
    const block = Math.floor((replaySeed - 1) / size)
    if (block % of === part) yield block
    return
  }
  const isOver = timeFor(amount.share)
  const fresh = isLong ? Math.max(0, amount.long - amount.fixed) : amount.fresh
  for (const [isFresh, first, count] of [
    [false, 0, amount.fixed],
    [true, freshFrom, fresh],
  ] as const) {
    for (let block = first / size; block < (first + count) / size && !isOver(); block += 1) {
      if (block % of !== part) continue
      yield block
      const from = block * size + 1
      noteCovered({ kind, isFresh, count: size, from, to: from + size - 1 })
    }
  }
}

/** Lets the library search for a counter-example: from the same start every time, then from a fresh one. */
export async function holds<T>(
  kind: string,
  amount: Amount,
  property: fc.IProperty<T> | fc.IAsyncProperty<T>,
): Promise<void> {
  const rounds: readonly (readonly [isFresh: boolean, seed: number, count: number])[] =
    replaySeed === undefined
      ? [
          [false, FIRST_OF_LIBRARY, amount.fixed],
          [true, freshFrom, isLong ? amount.long - amount.fixed : amount.fresh],
        ]
      : [[false, replaySeed, amount.fixed + amount.fresh]]
  for (const [isFresh, seed, numRuns] of rounds) {
    const limit = minutes * 60_000 * (amount.share ?? USUAL_SHARE) * availableParallelism()
    const found = await fc.check<T>(property as fc.IAsyncProperty<T>, {
      numRuns,
      seed,
      ...(isLong && Number.isFinite(limit)
        ? { interruptAfterTimeLimit: Math.ceil(limit), markInterruptAsFailure: false }
        : {}),
    })
    if (found.failed) throw new Error(await fc.asyncDefaultReportMessage(found))
    noteCovered({ kind, isFresh, count: found.numRuns, from: seed, to: seed })
  }
}

/** The same start of the library's search at every run. */
const FIRST_OF_LIBRARY = 20_261_121

export type Covered = {
  readonly kind: string
  readonly isFresh: boolean
  readonly count: number
  /** Its seeds; undefined for both where nothing is random. */
  readonly from?: number
  readonly to?: number
}

/** For the list at the end of a run: see `.ci/test.ts`. */
export function noteCovered(covered: Covered): void {
  const path = process.env['PARLOR_COVERED']
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(covered)}\n`)
}
