/**
 * Measures what Parlor costs on this machine, and the limits of the machine in the same minute. Nothing here is
 * asserted: ratios are for people to read (docs/performance.md). Logs go to standard error.
 */
import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { scriptFlags } from '../../.ci/script.ts'
import { measureBundle } from './bundle.ts'
import { measureCache } from './cache/figures.ts'
import { measureDeep } from './deep.ts'
import { measureEngine } from './engine/figures.ts'
import { measureRates } from './engine-rate.ts'
import { measureFlood } from './flood.ts'
import { measureGestures } from './growth/figures.ts'
import { measureManage } from './manage.ts'
import { root } from './processes.ts'
import { measureSegments } from './segments.ts'
import { SEED_L, SEED_S } from './seeds.ts'
import { measurePushes } from './pushes.ts'
import { measureRanking } from './ranking.ts'
import { measureCalls } from './server/calls.ts'
import { measureFanOut, measureServer, measureSizes } from './server/figures.ts'
import { measureTeam } from './server/team.ts'
import type { Figure } from './stats.ts'
import { measureDemo, measureWindow, type WindowRuns } from './window.ts'

type Runs = WindowRuns & { readonly minutes: number }

const log = (text: string): void => console.error(text)

const groups: Readonly<Record<string, (options: Runs) => Figure[] | Promise<Figure[]> | AsyncIterable<Figure[]>>> = {
  bundle: () => measureBundle(),
  events: async ({ runs }) => [
    ...(await measureRates(SEED_S, runs * 100)),
    ...(await measureRates(SEED_L, runs * 100)),
  ],
  engine: (options) => measureEngine(options),
  cache: (options) => measureCache(options),
  pushes: async () => [...(await measurePushes(SEED_S)), ...(await measurePushes(SEED_L))],
  ranking: ({ runs }) => measureRanking(runs),
  server: (options) => measureServer(options),
  fanout: (options) => measureFanOut(options),
  sizes: (options) => measureSizes(options),
  calls: ({ runs }) => measureCalls(runs),
  window: (options) => measureWindow(SEED_S, options),
  large: (options) => measureWindow(SEED_L, options),
  deep: (options) => measureDeep(options),
  flood: (options) => measureFlood(options),
  growth: (options) => measureGestures(options),
  manage: (options) => measureManage(options),
  segments: (options) => measureSegments(options),
  demo: (options) => measureDemo(options),
  team: (options) => measureTeam(options),
}

/** Groups that are part of another one, the one that takes an hour, and the one that first writes 1,000,000 messages. */
const ON_REQUEST: ReadonlySet<string> = new Set(['fanout', 'sizes', 'calls', 'events', 'cache', 'team', 'growth'])

const HELP = `Measures Parlor on this machine; docs/performance.md explains the figures.

  npm run bench -- [GROUP...] [flags]

  GROUP        ${Object.keys(groups).join(', ')};
               by default all but ${[...ON_REQUEST].join(', ')}
  --json       print one JSON document; logs go to standard error
  --runs N     how many samples; 15 by default
  --minutes N  how long a team works (team); 60 by default
  --help       show this`

function tableOf(figures: readonly Figure[]): string {
  const lines = figures.map(({ name, unit, median, p95, limit, ratio, note, verdict }) => {
    const value = `${median}${p95 === undefined ? '' : ` (p95 ${p95})`} ${unit}`
    const against = limit === undefined ? '' : `${limit.name}: ${limit.median}; ratio ${ratio ?? ''}`
    return `${name.padEnd(78)} ${value.padEnd(32)} ${against}${note === undefined ? '' : ` [${note}]`}${verdict === undefined ? '' : ` ${verdict}`}`
  })
  return lines.join('\n')
}

async function run(): Promise<void> {
  const { values, positionals } = scriptFlags(
    HELP,
    {
      json: { type: 'boolean' },
      runs: { type: 'number', from: 1, to: 10_000 },
      minutes: { type: 'number', from: 1, to: 1_440 },
    },
    { positionals: Infinity },
  )
  const wanted = positionals.length > 0 ? positionals : Object.keys(groups).filter((name) => !ON_REQUEST.has(name))
  const unknown = wanted.filter((name) => !Object.hasOwn(groups, name))
  if (unknown.length > 0)
    throw new Error(`Unknown group "${unknown.join('", "')}". There are ${Object.keys(groups).join(', ')}.`)
  const { runs = 15, minutes = 60 } = values
  const built = spawnSync(process.execPath, [join(root, '.ci/build.ts'), '--quiet'], { stdio: ['ignore', 2, 2] })
  if (built.status !== 0) throw new Error('Parlor could not be built; the reason is above.')
  const machine = {
    cores: cpus().length,
    model: cpus()[0]?.model ?? '',
    load: loadavg()[0] ?? 0,
    node: process.version,
  }
  const figures: Figure[] = []
  const report = (complete: boolean): void => {
    const loadAfter = loadavg()[0] ?? 0
    const whole = { at: new Date().toISOString(), complete, machine: { ...machine, loadAfter }, runs, figures }
    if (values.json) console.log(JSON.stringify(whole, undefined, 2))
    else console.log(`${tableOf(figures)}\n\nload ${machine.load.toFixed(1)} to ${loadAfter.toFixed(1)}`)
  }
  // What a run has measured until it is interrupted is reported.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      report(false)
      process.exit(1)
    })
  }
  for (const name of wanted) {
    log(`${name} …`)
    for await (const found of partsOf(groups[name]?.({ runs, minutes, log }) ?? [])) {
      log(tableOf(found))
      figures.push(...found)
    }
  }
  report(true)
}

/** Figures that are reported one by one, or all at the end. */
async function* partsOf(
  found: Figure[] | Promise<Figure[]> | AsyncIterable<Figure[]>,
): AsyncGenerator<readonly Figure[]> {
  if (Symbol.asyncIterator in found) yield* found
  else yield await found
}

try {
  await run()
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
