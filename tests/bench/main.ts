/**
 * Measures what Parlor costs on this machine, and the limits of the machine in the same minute. Nothing here is
 * asserted: ratios are for people to read (docs/performance.md). Logs go to standard error.
 */
import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { scriptFlags } from '../../.ci/script.ts'
import { measureBundle } from './bundle.ts'
import { measureDeep } from './deep.ts'
import { measureFlood } from './flood.ts'
import { measureGestures } from './growth/figures.ts'
import { chromiumHost } from './hosts/chromium.ts'
import type { ElectronHost } from './hosts/electron.ts'
import type { Runs } from './hosts/host.ts'
import { inProcess, isInProcess, partsOf, type Figures } from './in-process.ts'
import { measureManage } from './manage.ts'
import { root } from './processes.ts'
import { measureSegments } from './segments.ts'
import { SEED_L, SEED_S } from './seeds.ts'
import { measureCalls } from './server/calls.ts'
import { measureFanOut, measureServer, measureSizes } from './server/figures.ts'
import { measureTeam } from './server/team.ts'
import { withElectron, type Figure, type Measured } from './stats.ts'
import { measureDemo, measureWindow } from './window.ts'

const log = (text: string): void => console.error(text)

type Options = Runs & { readonly minutes: number }

const groups: Readonly<Record<string, (options: Options) => Figures>> = {
  bundle: () => measureBundle(),
  ...inProcess,
  server: (options) => measureServer(options),
  fanout: (options) => measureFanOut(options),
  sizes: (options) => measureSizes(options),
  calls: ({ runs, host }) => measureCalls(runs, host),
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

Each group runs twice: with Node and Chromium, and in the Electron that tests use.

  GROUP          ${Object.keys(groups).join(', ')};
                 by default all but ${[...ON_REQUEST].join(', ')}
  --json         print one JSON document; logs go to standard error
  --runs N       how many samples; 15 by default
  --minutes N    how long a team works (team); 60 by default
  --no-electron  only with Node and Chromium
  --help         show this`

function tableOf(figures: readonly Figure[]): string {
  const lines = figures.map((figure) => {
    const { name, unit, limit, note, electron } = figure
    const against = limit === undefined ? '' : `${limit.name}: ${limit.median}`
    const there = electron === undefined ? '' : ` | in Electron ${valueOf(electron, unit)}`
    return `${name.padEnd(78)} ${valueOf(figure, unit).padEnd(44)} ${against}${note === undefined ? '' : ` [${note}]`}${there}`
  })
  return lines.join('\n')
}

function valueOf({ median, p95, ratio, verdict }: Measured, unit: Figure['unit']): string {
  const value = `${median}${p95 === undefined ? '' : ` (p95 ${p95})`} ${unit}`
  return `${value}${ratio === undefined ? '' : `, ratio ${ratio}`}${verdict === undefined ? '' : ` ${verdict}`}`
}

async function run(): Promise<void> {
  const { values, positionals } = scriptFlags(
    HELP,
    {
      json: { type: 'boolean' },
      runs: { type: 'number', from: 1, to: 10_000 },
      minutes: { type: 'number', from: 1, to: 1_440 },
      'no-electron': { type: 'boolean' },
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
  const electron = values['no-electron'] ? undefined : await openElectron()
  for (const name of wanted) {
    const from = figures.length
    log(`${name} …`)
    // A Chromium that has shown other groups is larger.
    const host = chromiumHost()
    for await (const found of partsOf(groups[name]?.({ runs, minutes, log, host }) ?? [])) {
      log(tableOf(found))
      figures.push(...found)
    }
    await host.stop()
    if (electron === undefined) continue
    log(`${name} in Electron ${electron.version} …`)
    const here = figures.slice(from)
    const there: Figure[] = []
    try {
      for await (const found of partsInElectron(name, electron, { runs, minutes, log })) {
        there.push(...found)
        figures.splice(from, here.length, ...withElectron(here, there))
      }
    } catch (error) {
      log(`${name} in Electron: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
    log(tableOf(figures.slice(from)))
  }
  await electron?.stop()
  report(true)
}

/** Undefined, with the reason in the log, where there is none. */
async function openElectron(): Promise<ElectronHost | undefined> {
  const { electronHost } = await import('./hosts/electron.ts')
  try {
    return await electronHost()
  } catch (error) {
    log(`Nothing is measured in Electron: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

function partsInElectron(
  name: string,
  electron: ElectronHost,
  options: Omit<Options, 'host'>,
): AsyncGenerator<readonly Figure[]> {
  if (name === 'bundle') return partsOf(measureBundle(electron.startBytes()))
  if (isInProcess(name)) return electron.inProcess(name, options.runs, options.log)
  return partsOf(groups[name]?.({ ...options, host: electron }) ?? [])
}

try {
  await run()
  process.exit()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
