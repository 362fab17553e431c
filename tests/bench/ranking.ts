import { ranked } from '../../renderer/features/switcher/rank.ts'
import { figure, type Figure } from './stats.ts'

const NAMES = ['release', 'maps and data', 'Ola Wiśniewska', 'Надежда Соколова', 'support-triage', 'biuro-kraków']
const MANY = Array.from({ length: 3_000 }, (_, at) => `${NAMES[at % NAMES.length] ?? ''} ${at}`)
const TYPED = ['r', 're', 'rel', 'mar', 'sok']

/**
 * The cost of a keystroke in the quick switcher of an account with 3,000 names, compared with a bare search of the same
 * names.
 */
export function measureRanking(runs: number): Figure[] {
  const rank = (typed: string): unknown => ranked(MANY, typed, (name) => name, 12)
  const bare = (typed: string): unknown => MANY.filter((name) => name.toLowerCase().includes(typed)).slice(0, 12)
  for (const typed of TYPED) rank(typed)
  return [
    figure('a letter typed into the quick switcher, 3000 names', 'ms', timesOf(rank, runs), {
      limit: { name: 'the names that contain it', values: timesOf(bare, runs) },
    }),
  ]
}

const timesOf = (search: (typed: string) => unknown, runs: number): number[] =>
  Array.from({ length: runs }).flatMap(() =>
    TYPED.map((typed) => {
      const startedAt = performance.now()
      search(typed)
      return performance.now() - startedAt
    }),
  )
