/** Parlor in Electron. Everything that must happen before `ready` happens synchronously here. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { app, BrowserWindow, dialog } from 'electron'
import type { DeepLink } from '#shared/domain/desktop/desktop.ts'
import { LINK_SCHEME } from '#shared/rules/desktop/deep-link.ts'
import { contract } from '#shared/bridge/index.ts'
import { compose } from '#main/app/compose.ts'
import { selfTest } from '#main/app/self-test.ts'
import { startFailureTexts, languageOf } from '#main/app/texts.ts'
import { createDispatch } from '#main/bridge/dispatch.ts'
import { readCredential } from '#main/app/accounts/credential.ts'
import type { Composed, LaunchOptions } from '#main/app/launch-options.ts'
import type { Host } from '#main/hosts/host.ts'
import { startElectronHost } from '#main/hosts/electron/host.ts'
import { devicePolicies } from '#main/hosts/node/policies.ts'
import {
  defaultDataFolder,
  openDataFolder,
  StartError,
  takeProfileLock,
  thisOs,
  logToFolder,
  printStartError,
} from '#main/hosts/node/profile.ts'
import { APP_ID } from '#main/hosts/rules/pages/serving.ts'
import { argvDecision, NO_SCREEN_SWITCH, serverWords, type Arguments } from '#main/hosts/rules/windows/argv.ts'
import { systemClock } from '#main/lib/clock.ts'
import { handleUncaughtErrors } from '#main/lib/logger.ts'
import { inTemporaryProfile, printAtOnce, printSelfTest } from './start-options.ts'

const here = import.meta.dirname
const out = dirname(here)
const resources = join(dirname(out), 'resources')

// Windows shows notifications only of a program whose id is that of its entry in the start menu.
if (process.platform === 'win32') app.setAppUserModelId(app.isPackaged ? APP_ID : process.execPath)

let linkAtStart: DeepLink | undefined
let followFrom = (link: DeepLink): void => void (linkAtStart = link)
// On macOS a link comes as an event, also the one that started the app.
app.on('open-url', (event, url) => {
  event.preventDefault()
  const { link } = argvDecision([url], 'second')
  if (link) followFrom(link)
})
async function run(args: Arguments): Promise<void> {
  if (printAtOnce(args.inspect, app.getVersion())) return app.exit(Number(process.exitCode ?? 0))
  // With --no-sandbox Electron starts for root, but its pages need the sandbox and their processes end at once.
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    throw new StartError('Parlor does not run as root: its windows need a sandbox. Start it as an ordinary user.')
  }
  if (!hasScreen()) throw new StartError('Parlor needs a screen: neither DISPLAY nor WAYLAND_DISPLAY is set.')
  if (args.inspect !== undefined && args.dataFolder === undefined) {
    return app.exit(await inTemporaryProfile(selfTestIn))
  }
  const dataFolder = args.dataFolder ?? defaultDataFolder()
  openDataFolder(dataFolder)
  // Chromium's own files are in a separate folder; the single-instance lock is per this folder.
  app.setPath('userData', join(dataFolder, 'electron'))
  if (!app.requestSingleInstanceLock()) {
    // The other one shows its window, for users who see no terminal.
    const line = `This profile is already open in another Parlor: ${dataFolder}`
    return app.exit(printStartError(new StartError(line)))
  }
  const unlock = takeProfileLock(dataFolder)
  app.on('will-quit', unlock)
  const log = logToFolder(dataFolder)
  handleUncaughtErrors(process, log)
  const managed = devicePolicies(thisOs())
  const dispatch = createDispatch({ contract, clock: systemClock, log })
  const host = await startElectronHost({
    requests: dispatch,
    paths: {
      data: dataFolder,
      renderer: join(out, 'renderer'),
      notices: join(out, 'third-party-notices.txt'),
      resources,
      cacheWorker: join(here, 'cache-worker.js'),
    },
    preload: join(out, 'preload', 'index.cjs'),
    serverEntry: join(here, 'server.js'),
    log,
    clock: systemClock,
    managed,
  })
  if (args.inspect !== undefined) return app.exit(printSelfTest(await selfTest(host)))
  // macOS reads the scheme from the bundle; a development build must not take it from an installed one.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME)
  const composed = await compose(host, dispatch, launchOptions(args))
  app.on('second-instance', (_event, argv) => {
    const { link } = argvDecision(argv.slice(1), 'second')
    if (link) composed.follow(link)
    else host.windows.focus()
  })
  followFrom = (link) => composed.follow(link)
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) void host.windows.open({})
    else host.windows.focus()
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  await composed.ready()
  // The window that opens now follows the link.
  const link = args.link ?? linkAtStart
  if (link) composed.follow(link)
  else if (bySystem(args, host)) await startHidden(host, composed)
  else await host.windows.open({})
  if (args.json) console.log(JSON.stringify({ event: 'ready', host: 'electron', url: 'app://main/' }))
}

/** In a separate process: Chromium writes to the profile until its process has ended. */
async function selfTestIn(folder: string): Promise<number> {
  const child = spawn(process.execPath, [...process.argv.slice(1), '--data', folder], { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

/** Whether a login item started Parlor: it passes a flag where the system allows one. */
const bySystem = (args: Arguments, host: Host): boolean => args.hidden ?? host.startup?.startedBySystem() ?? false

/** No window where Parlor has an icon in the tray or the dock; elsewhere a minimized one. */
async function startHidden(host: Host, composed: Composed): Promise<void> {
  if (composed.startsHidden()) return
  await host.windows.open({ minimized: true })
}

function launchOptions(args: Arguments): LaunchOptions {
  const token = process.env['PARLOR_TOKEN']
  const { connectUrl: url, apiKey, asUserId, demo } = args
  // Children inherit the environment; the token is for this process alone.
  delete process.env['PARLOR_TOKEN']
  return {
    asUserId,
    demo,
    connect:
      url !== undefined && apiKey !== undefined && token !== undefined
        ? { url, apiKey, credential: readCredential(token) }
        : undefined,
  }
}

/**
 * The server program in this process, without a window, a screen or the profile of the app: it reads the rest of the command
 * line itself. Chromium starts all the same, as far as it must, in a folder that is removed at the end.
 */
function runServerAlone({ words, before }: NonNullable<ReturnType<typeof serverWords>>): void {
  if (!hasScreen() && !before.includes(NO_SCREEN_SWITCH)) {
    const line = `There is no screen. Chromium starts without one with a further word: parlor --server ${NO_SCREEN_SWITCH} …`
    return app.exit(printStartError(new StartError(line)))
  }
  const folder = mkdtempSync(join(tmpdir(), 'parlor-server-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  app.setPath('userData', folder)
  app.disableHardwareAcceleration()
  app.dock?.hide()
  // The server program reads its own words, and starts others of its kind with those before them.
  const program = [...process.argv.slice(1, process.argv.length - given.length), ...before]
  process.argv = [process.execPath, join(here, 'server.js'), ...words]
  process.env['PARLOR_SERVER_PROGRAM'] = JSON.stringify(program)
  const started = app.whenReady().then(() => {
    // Those of the library that writes settings end the program at once, before the database is closed. Without any,
    // those of the server replace Chromium's.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal)
    return import('./server.ts')
  })
  started.catch((error: unknown) => app.exit(printStartError(error)))
}

/** Chromium itself would end with a crash. */
const hasScreen = (): boolean =>
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'])

/**
 * A user who starts an installed Parlor from a menu sees no terminal: a system dialog says the same, until it is closed.
 * Others read the line where they started it.
 */
async function fail(error: unknown, { inspect, json }: Arguments): Promise<void> {
  const code = printStartError(error)
  const isForRoot = process.getuid?.() === 0
  if (app.isPackaged && inspect === undefined && !json && hasScreen() && !isForRoot) {
    // A profile that cannot be opened fails before Chromium is ready, which then needs another place for its files.
    const folder = app.isReady() ? undefined : mkdtempSync(join(tmpdir(), 'parlor-start-'))
    if (folder !== undefined) {
      app.setPath('userData', folder)
      // Chromium writes there until its end.
      process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
    }
    await app.whenReady()
    const language = languageOf({ language: 'system' }, app.getLocale())
    const { title, detail, quit } = startFailureTexts(error, resources, language)
    await dialog.showMessageBox({ type: 'error', title, message: title, detail, buttons: [quit], noLink: true })
  }
  app.exit(code)
}

/** What follows the program, and the folder of the app where one was given. */
const given = process.argv.slice(process.defaultApp ? 2 : 1)
const args = argvDecision(process.argv.slice(1), 'first')
const server = serverWords(given)
if (server) runServerAlone(server)
else run(args).catch((error: unknown) => fail(error, args))
