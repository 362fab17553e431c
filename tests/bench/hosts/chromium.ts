import { join } from 'node:path'
import { keepDemoStill } from '../../e2e/kit/processes.ts'
import { startChrome, timeNavigation, type Chrome } from '../page.ts'
import { pssOf, root, serverArgs, serverEnv, startProgram, tokenFor, type Running } from '../processes.ts'
import { VIEWER } from '../seeds.ts'
import { API_KEY } from '../server-seed.ts'
import type { App, Host } from './host.ts'

/** `PARLOR_BENCH_PROFILE=DIR` writes a processor profile of every local server to that folder. */
const profileFolder = process.env['PARLOR_BENCH_PROFILE']
const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]

/** Compiled code of the last start, as `npm start` has it. */
const compiled = join(root, 'node_modules/.cache/parlor-compiled')

/** Starts a program with the Node that runs the bench, and waits for its line with `url`. */
export const startNode = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Running> =>
  startProgram(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    NODE_COMPILE_CACHE: compiled,
    ...process.env,
    ...env,
  })

/** Node for the processes of Parlor, and one Chromium for all windows. */
export function chromiumHost(): Host {
  let chrome: Promise<Chrome> | undefined
  async function start(args: readonly string[]): Promise<App> {
    const { pid, context } = await (chrome ??= startChrome())
    const page = await context.newPage()
    const app = await startNode([join(root, 'out/main/browser.js'), '--no-open', '--json', ...args])
    return {
      page,
      url: app.url,
      readyMs: app.readyMs,
      show: async () => app.readyMs + (await timeNavigation(page, app.url)),
      memory() {
        const [own, windows] = [pssOf(app.pid), pssOf(pid)]
        return own === undefined || windows === undefined ? undefined : { app: own, windows }
      },
      async stop() {
        await page.close()
        await app.stop()
      },
    }
  }
  return {
    startServer: (folder, options) =>
      startNode([...profiling, join(root, 'out/main/server.js'), ...serverArgs(folder, options)], serverEnv),
    async startApp(folder, serverUrl) {
      const token = await tokenFor(VIEWER)
      return start(['--data', folder, '--connect', serverUrl, '--api-key', API_KEY, '--token', token])
    },
    startDemo(folder) {
      keepDemoStill(folder)
      return start(['--demo', '--data', folder])
    },
    stop: async () => (await chrome)?.stop(),
  }
}
