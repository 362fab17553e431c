/**
 * How much the seeded tests run: `PARLOR_RUNS=nightly` multiplies the ordinary counts; `PARLOR_SEED=N` replays one seed;
 * `PARLOR_FROM=N` plays the seeds after N, a whole thousand, where an ordinary run plays those after 0.
 */
const FACTOR = process.env['PARLOR_RUNS'] === 'nightly' ? 20 : 1

export const runs = (ordinary: number): number => ordinary * FACTOR

/** Where the long run has a count of its own. */
export const runsTo = (ordinary: number, nightly: number): number => (FACTOR === 1 ? ordinary : nightly)

export const replaySeed = process.env['PARLOR_SEED'] === undefined ? undefined : Number(process.env['PARLOR_SEED'])

export const seedsAfter = Math.floor(Number(process.env['PARLOR_FROM'] ?? 0) / 1_000) * 1_000

/** The line that plays a failing run again. */
export const replayLine = (file: string, seed: number): string => `PARLOR_SEED=${seed} npm test -- ${file}`
