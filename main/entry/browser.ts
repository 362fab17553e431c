/**
 * Parlor in the browser host: main in this Node process, its windows in a browser. `npm start` imports it from source;
 * `node out/main/browser.js` runs the built one.
 */
import { dirname, extname, join } from 'node:path'
import { contract } from '#shared/bridge/index.ts'
import { compose } from '#main/app/compose.ts'
import { selfTest } from '#main/app/self-test.ts'
import { createDispatch } from '#main/bridge/dispatch.ts'
import { startBrowserHost } from '#main/hosts/browser/host.ts'
import {
  HELP,
  readStartOptions,
  type StartOptions,
  inTemporaryProfile,
  printAtOnce,
  printSelfTest,
} from './start-options.ts'
import { devicePolicies } from '#main/hosts/node/policies.ts'
import {
  defaultDataFolder,
  openDataFolder,
  StartError,
  takeProfileLock,
  thisOs,
  appVersion,
  logToFolder,
  printStartError,
} from '#main/hosts/node/profile.ts'
import { systemClock } from '#main/lib/clock.ts'
import { handleUncaughtErrors } from '#main/lib/logger.ts'

const here = import.meta.dirname
const fromSource = extname(import.meta.filename) === '.ts'
const root = join(here, '..', '..')

async function openHost(options: StartOptions, onIdle: () => void) {
  const dataFolder = options.dataFolder ?? defaultDataFolder()
  openDataFolder(dataFolder)
  const unlock = takeProfileLock(dataFolder)
  const log = logToFolder(dataFolder)
  handleUncaughtErrors(process, log)
  const dispatch = createDispatch({ contract, clock: systemClock, log })
  const browser = await startBrowserHost({
    requests: dispatch,
    version: appVersion(root),
    paths: {
      data: dataFolder,
      renderer: join(fromSource ? join(root, 'out') : dirname(here), 'renderer'),
      notices: join(fromSource ? join(root, 'out') : dirname(here), 'third-party-notices.txt'),
      resources: join(root, 'resources'),
      cacheWorker: join(here, fromSource ? 'cache-worker.ts' : 'cache-worker.js'),
    },
    serverEntry: join(here, fromSource ? 'server.ts' : 'server.js'),
    log,
    managed: devicePolicies(thisOs()),
    clock: systemClock,
    show: options.open,
    stay: !options.open || options.json,
    announce: (url, asUserId) => announce(url, asUserId, options.json),
    onIdle,
  })
  return { browser, dispatch, unlock }
}

/** Runs until a signal, or until no page has been open for ten minutes; a self-test ends by itself. */
export async function runBrowserHost(options: StartOptions): Promise<void> {
  if (options.inspect !== undefined) {
    const test = (dataFolder: string): Promise<number> => runSelfTest({ ...options, dataFolder })
    process.exit(await (options.dataFolder === undefined ? inTemporaryProfile(test) : test(options.dataFolder)))
  }
  const print = options.json ? console.error : console.log
  const { browser, dispatch, unlock } = await openHost(
    options,
    () => void stop('No window is open any more; Parlor stops.'),
  )
  const composed = await compose(browser.host, dispatch, options.launch)
  let stopping = false
  async function stop(why?: string): Promise<void> {
    if (stopping) return
    stopping = true
    if (why !== undefined) print(why)
    await composed.stop()
    await browser.stop()
    unlock()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
  process.on('exit', unlock)
  await composed.ready()
  if (options.json) console.log(JSON.stringify({ event: 'ready', host: 'browser', url: browser.reusableUrl() }))
  else if (!options.open) console.log(`Open ${browser.reusableUrl()}`)
  if (options.open) await browser.host.windows.open({})
}

async function runSelfTest(options: StartOptions): Promise<number> {
  const { browser, unlock } = await openHost(options, () => undefined)
  const report = await selfTest(browser.host)
  await browser.stop()
  unlock()
  return printSelfTest(report)
}

/** A window that a person or a script has to open by hand. */
function announce(url: string, asUserId: string | undefined, json: boolean): void {
  const who = asUserId === undefined ? {} : { as: asUserId }
  if (json) console.log(JSON.stringify({ event: 'window', url, ...who }))
  else console.log(asUserId === undefined ? `Open ${url}` : `Open ${url} to be ${asUserId}.`)
}

if (import.meta.main) {
  try {
    const options = readStartOptions(process.argv.slice(2), process.env)
    if (options.help) console.log(HELP)
    else if (printAtOnce(options.inspect, appVersion(root))) process.exit()
    else if (options.host === 'electron') throw new StartError('This is the browser host; it cannot start Electron.', 2)
    else await runBrowserHost(options)
  } catch (error) {
    process.exit(printStartError(error))
  }
}
