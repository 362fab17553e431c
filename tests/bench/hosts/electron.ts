import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'vite'
import { keepDemoStill } from '../../e2e/kit/processes.ts'
import { Desktop } from '../../electron/kit/desktop.ts'
import { electronDistribution, VERSION } from '../../electron/kit/distribution.ts'
import { ElectronProcess } from '../../electron/kit/electron-process.ts'
import { install, isRoot, ORDINARY_USER, uninstall, type Installation } from '../../electron/kit/installation.ts'
import { startBytes, type StartBytes } from '../bundle.ts'
import type { InProcessGroup } from '../in-process.ts'
import { installProbe, timeNavigation } from '../page.ts'
import { electronServerArgs, ownPssOf, pssOfChildren, root, serverEnv, startProgram, tokenFor } from '../processes.ts'
import { VIEWER } from '../seeds.ts'
import { API_KEY } from '../server-seed.ts'
import type { Figure } from '../stats.ts'
import type { App, Host } from './host.ts'

/** The size of a window's content, as of the page in Chromium. */
const CONTENT = { width: 1_280, height: 800 }
/** Left by the probe in a page of the app when its newest rows are painted. */
const PAINTED = 'parlor painted'
/** Of Chromium's own log: there is no graphics card, and a service of the desktop is missing. */
const CHROMIUM_LINE = /^\[\d+:\d+\//
/** The wallet of the desktop that {@link Desktop} is. */
const SWITCHES = ['--password-store=kwallet5']

export type ElectronHost = Host & {
  readonly version: string
  /** The files that a window loads. */
  startBytes(): StartBytes
  /** Runs a group in Electron's main process. */
  inProcess(group: InProcessGroup, runs: number, log: (text: string) => void): AsyncGenerator<readonly Figure[]>
}

/**
 * A real Electron, the one that tests use, with the built app in it and a desktop around it, as an ordinary user. Throws
 * when it cannot be had on this machine.
 */
export async function electronHost(): Promise<ElectronHost> {
  const distribution = await electronDistribution()
  if ('reason' in distribution) throw new Error(distribution.reason)
  const installation = install(distribution.folder, 'tests/bench/electron-main.mjs')
  process.on('exit', () => uninstall(installation))
  await addBench(installation)
  const desktop = await Desktop.start()
  process.on('exit', () => desktop.stop())
  const { program } = installation
  return {
    version: VERSION,
    startServer(folder, options) {
      giveToUser(folder)
      return startProgram(program, electronServerArgs(folder, options), { ...desktop.env, ...serverEnv })
    },
    async startApp(folder, serverUrl) {
      const args = ['--data', folder, '--connect', serverUrl, '--api-key', API_KEY]
      return start(program, folder, args, { ...desktop.env, PARLOR_TOKEN: await tokenFor(VIEWER) })
    },
    startDemo(folder) {
      keepDemoStill(folder)
      return start(program, folder, ['--demo', '--data', folder], desktop.env)
    },
    startBytes: () => startBytes(join(installation.app, 'out/renderer')),
    inProcess: (group, runs, log) =>
      figuresOf(program, { ...desktop.env, PARLOR_BENCH_GROUP: `${group} ${runs}` }, log),
    async stop() {
      desktop.stop()
      uninstall(installation)
    },
  }
}

/** The parts of the benchmark that run in Electron: they need its SQLite, so they are beside the app's packages. */
async function addBench({ app }: Installation): Promise<void> {
  const outDir = join(app, 'tests/bench')
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: join(import.meta.dirname, 'electron-main.ts'),
      outDir,
      target: 'node20',
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' } },
    },
    ssr: { noExternal: true, external: ['electron', 'better-sqlite3'] },
  })
  const probe = `(${installProbe.toString()})()
window.parlorProbe.firstPaint.then(() => performance.mark('${PAINTED}'))`
  writeFileSync(join(outDir, 'probe.cjs'), probe)
  if (isRoot) execFileSync('chmod', ['-R', 'a+rX', join(app, 'tests')])
}

/** What the driver wrote there. */
function giveToUser(folder: string): void {
  if (isRoot) execFileSync('chown', ['-R', `${ORDINARY_USER}:${ORDINARY_USER}`, folder])
}

const epoch = (): number => performance.timeOrigin + performance.now()

async function start(
  program: string,
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<App> {
  giveToUser(folder)
  const startedAt = epoch()
  const electron = await ElectronProcess.launch(program, [...SWITCHES, ...args], env)
  const kill = (): void => void electron.child.kill('SIGKILL')
  process.on('exit', kill)
  const page = await electron.firstWindow()
  const loadedAt = await page.evaluate(() => performance.timeOrigin)
  return {
    page,
    url: page.url(),
    readyMs: loadedAt - startedAt,
    async show() {
      const painted = await page.waitForFunction((name) => performance.getEntriesByName(name)[0]?.startTime, PAINTED)
      const wholeMs = loadedAt + Number(await painted.jsonValue()) - startedAt
      await electron.evaluate(
        ({ BrowserWindow }, { width, height }) => BrowserWindow.getAllWindows()[0]?.setContentSize(width, height),
        CONTENT,
      )
      // With two windows on one screen only one has the focus.
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setFocusEmulationEnabled', { enabled: true })
      await page.addInitScript({ content: `(${installProbe.toString()})()` })
      await timeNavigation(page, page.url())
      return wholeMs
    },
    memory() {
      const own = ownPssOf(electron.child.pid ?? 0)
      return own === undefined ? undefined : { app: own, windows: pssOfChildren(electron.child.pid ?? 0) }
    },
    async stop() {
      await electron.quit()
      process.off('exit', kill)
    },
  }
}

async function* figuresOf(
  program: string,
  env: Readonly<Record<string, string>>,
  log: (text: string) => void,
): AsyncGenerator<readonly Figure[]> {
  const child = spawn(program, SWITCHES, { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = (): void => void child.kill('SIGKILL')
  process.on('exit', kill)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  let last = ''
  createInterface({ input: child.stderr }).on('line', (line) => {
    last = line
    if (!CHROMIUM_LINE.test(line)) log(line)
  })
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('[{')) yield JSON.parse(line) as readonly Figure[]
  }
  const code = await ended
  process.off('exit', kill)
  if (code !== 0) throw new Error(`Electron ended with ${code}: ${last}`)
}
