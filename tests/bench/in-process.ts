import { measureCache } from './cache/figures.ts'
import { measureEngine } from './engine/figures.ts'
import { measureRates } from './engine/rate.ts'
import type { Runs, ServerHost } from './hosts/host.ts'
import { measurePushes } from './pushes.ts'
import { measureRanking } from './ranking.ts'
import { SEED_L, SEED_S } from './seeds.ts'
import type { Figure } from './stats.ts'

export type Figures = Figure[] | Promise<Figure[]> | AsyncIterable<Figure[]>

/** Groups that measure code in the process of the benchmark itself. */
export const inProcess = {
  events: async ({ runs }) => [
    ...(await measureRates(SEED_S, runs * 100)),
    ...(await measureRates(SEED_L, runs * 100)),
  ],
  engine: (options) => measureEngine(options),
  cache: (options) => measureCache(options),
  pushes: async () => [...(await measurePushes(SEED_S)), ...(await measurePushes(SEED_L))],
  ranking: ({ runs }) => measureRanking(runs),
} as const satisfies Readonly<Record<string, (options: Runs<ServerHost>) => Figures>>

export type InProcessGroup = keyof typeof inProcess

export const isInProcess = (group: string): group is InProcessGroup => Object.hasOwn(inProcess, group)

/** Figures that are reported one by one, or all at the end. */
export async function* partsOf(found: Figures): AsyncGenerator<readonly Figure[]> {
  if (Symbol.asyncIterator in found) yield* found
  else yield await found
}
