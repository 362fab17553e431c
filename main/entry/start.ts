/** `npm start`: reads the flags, builds if anything has changed, picks a host and runs it. */
import { spawnSync } from 'node:child_process'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { defaultDataFolder, openDataFolder, StartError, appVersion, printStartError } from '#main/hosts/node/profile.ts'
import { runElectron, downloadElectron, installedElectron, pickHost, type HostChoice } from './launch.ts'
import { HELP, readStartOptions, type StartOptions, printAtOnce } from './start-options.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const electronPackage = join(root, 'node_modules/electron')

async function start(options: StartOptions): Promise<void> {
  const dataFolder = options.dataFolder ?? (options.inspect === undefined ? defaultDataFolder() : undefined)
  if (dataFolder !== undefined) openDataFolder(dataFolder)
  const choice = await choose(options)
  // Standard output is for the one line of JSON only.
  const print = options.json || options.inspect !== undefined ? console.error : console.log
  print(choice.why)
  buildIfNeeded()
  if (choice.host === 'browser') return runBrowser(options)
  const { code, early } = await runElectron(choice.path, root, dataFolder, options)
  if (!early || options.host === 'electron' || options.inspect !== undefined) process.exit(code)
  print(`Electron ended at once (code ${code}); see the reason above. Parlor runs in the browser host instead.`)
  return runBrowser(options)
}

async function choose(options: StartOptions): Promise<HostChoice> {
  const choice = await pickHost({
    wanted: options.host ?? (options.open ? undefined : 'browser'),
    noScreen: process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'],
    isRoot: process.platform === 'linux' && process.getuid?.() === 0,
    installed: () => installedElectron(electronPackage, process.env),
    download: () => downloadElectron(electronPackage, process.env),
  })
  if (choice.host === 'none') throw new StartError(choice.why)
  return choice
}

/** In a separate process: the bundler's memory is freed before the app starts. It reports on standard error. */
function buildIfNeeded(): void {
  const { status } = spawnSync(process.execPath, [join(root, '.ci/build.ts'), '--quiet'], { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new StartError('Parlor could not be built; see the reason above.')
}

/**
 * Imported late: the browser host opens databases, and Electron needs nothing of it. The built one is used, as in
 * Electron: it loads in a fifth of the time of the sources, and so does the server it starts. Both take their compiled
 * code from the last start; a packed app does not, because whoever can write that cache would decide what it runs.
 */
async function runBrowser(options: StartOptions): Promise<void> {
  process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/parlor-compiled')
  enableCompileCache(process.env['NODE_COMPILE_CACHE'])
  const built = pathToFileURL(join(root, 'out/main/browser.js')).href
  const { runBrowserHost } = (await import(built)) as typeof import('./browser.ts')
  await runBrowserHost(options)
}

try {
  const options = readStartOptions(process.argv.slice(2), process.env)
  if (options.help) console.log(HELP)
  else if (!printAtOnce(options.inspect, appVersion(root))) await start(options)
} catch (error) {
  process.exit(printStartError(error))
}
