/** Seeds that once failed, with what they found. Replayed in every run. */
export const REGRESSION_SEEDS: readonly number[] = [1866, 2929, 6500]
