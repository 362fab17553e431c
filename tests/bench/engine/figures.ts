import { SEED_L, SEED_S } from '../seeds.ts'
import type { Runs, ServerHost } from '../hosts/host.ts'
import type { Figure } from '../stats.ts'
import { measureCache } from '../cache/figures.ts'
import { measureRates } from './rate.ts'
import { catchUpFigures } from './catch-up.ts'
import { drainFigures } from './drain.ts'
import { largeAccountFigures } from './large-account.ts'

/** Complete runs of what takes seconds each: their median is reported. */
const REPEATS = 5

/**
 * The engine without a window: events, catching up, the queue, search, growth and a large account. Figures are reported
 * as they are measured, so that an interrupted run has those.
 */
export async function* measureEngine(options: Runs<ServerHost>): AsyncGenerator<Figure[]> {
  const { runs, log, host } = options
  const repeats = Math.min(runs, REPEATS)
  yield await measureRates(SEED_S, runs * 100)
  yield await measureRates(SEED_L, runs * 100)
  log('catching up …')
  yield await catchUpFigures(repeats)
  log('draining …')
  yield await drainFigures(repeats, host)
  log('10,000 channels …')
  yield largeAccountFigures(repeats)
  yield await measureCache(options)
}
