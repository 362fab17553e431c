/**
 * `node --import planter.ts run.ts SCENARIO FIRST LAST`: prints the first seed with a complaint, as JSON; `{}` when
 * there is none.
 */
import { scenarios } from './scenarios.ts'

const [, , name = 'schedule', first = '1', last = '1'] = process.argv

async function main(): Promise<object> {
  const run = scenarios[name as keyof typeof scenarios]
  for (let seed = Number(first); seed <= Number(last); seed++) {
    const verdict = await run(seed)
    if (verdict.length > 0) return { seed, verdict: verdict.slice(0, 20) }
  }
  return {}
}

process.stdout.write(JSON.stringify(await main()))
