import type { Runs } from '../hosts/host.ts'
import type { Figure } from '../stats.ts'
import { fill } from './fill.ts'
import { growthFigures } from './growth.ts'
import { searchFigures, searchGrowth, searchTimes } from './search.ts'

const SMALL = 10_000
const LARGE = 1_000_000

/** Search and growth of the client's cache from 10,000 to 1,000,000 messages. */
export async function measureCache({ runs, log }: Pick<Runs, 'runs' | 'log'>, large = LARGE): Promise<Figure[]> {
  const times = runs * 10
  const small = fill(SMALL, log)
  const before = await searchTimes(small, times)
  const full = fill(large, log)
  const after = await searchTimes(full, times)
  const figures = [...searchFigures(after, large), ...searchGrowth(before, after), ...growthFigures(small, full, times)]
  small.stores.close()
  full.stores.close()
  return figures
}
