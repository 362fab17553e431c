import { app, dialog, session, shell, safeStorage, utilityProcess, ipcMain, protocol, type Session } from 'electron'
import type { HostInfo } from '#shared/bridge/transport.ts'
import type { Managed } from '#shared/domain/desktop/policies.ts'
import type { Clock } from '#main/lib/clock.ts'
import { type Logger, logger, type LogSink } from '#main/lib/logger.ts'
import type {
  Host,
  HostTranslate,
  SystemMenuItem,
  WindowRequests,
  WindowCapability,
  FolderCapability,
  SecretStore,
  MediaFile,
} from '../host.ts'
import { nodeCommands, systemName } from '../node/commands.ts'
import { localServers, HEAP_FLAG, type StartServerProcess } from '../node/local-server.ts'
import { nodePorts } from '../node/ports.ts'
import { createProxies, nodeNetwork } from '../node/network.ts'
import { thisOs } from '../node/profile.ts'
import { readManifest } from '../node/renderer-files.ts'
import { firstOfResolved } from '../rules/network/proxy.ts'
import { titleBarOf, type MenuAction } from '../rules/windows/window-options.ts'
import { electronDesktop, electronNotifier } from './desktop/desktop.ts'
import { electronEnding, endWithSystem, watchClosing } from './desktop/ending.ts'
import { keepOnScreen, readStoredGraphics, electronTheme } from './windows/window-state.ts'
import { electronDownloads } from './downloads.ts'
import { setMenu, watchTextMenu } from './desktop/menu.ts'
import { guardEverything, guardSession, type SecurityOptions } from './security.ts'
import { electronUpdates } from './updates/updates.ts'
import { Windows, recover, electronZoom, electronSpelling, answerCalls } from './windows/windows.ts'
import { statSync, createReadStream } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '#shared/lib/app-error.ts'
import { resolveMediaUrl } from '#shared/bridge/media-url.ts'
import { markForeign, createNewFile } from '../node/folders.ts'
import { jsonSecrets, memorySecrets } from '../node/secrets-file.ts'
import {
  mimeTypeOf,
  resolveAppUrl,
  type Manifest,
  commonHeaders,
  pageHeaders,
  mediaAnswer,
} from '../rules/pages/serving.ts'
import ElectronStore from 'electron-store'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { OpenSettingsFile } from '#main/settings/store.ts'

type ElectronHostOptions = {
  readonly paths: Host['paths']
  readonly preload: string
  readonly serverEntry: string
  readonly log: LogSink
  readonly clock: Clock
  /** Policies of this device. */
  readonly managed?: Managed
  readonly requests: WindowRequests
}

/**
 * Call before `ready`: the sandbox and the schemes must be set up by then. Resolves once Electron is ready and every
 * guard is in place; no window exists yet.
 */
export async function startElectronHost(options: ElectronHostOptions): Promise<Host> {
  const log = logger('electron-host', options.log)
  const { requests, clock } = options
  const policies = options.managed?.values ?? {}
  const speech: Speech = { translate: (_area, key) => key }
  const security: SecurityOptions = {
    clock,
    log,
    isOurWindow: (contents) => contents !== null && windows.byContents(contents.id) !== undefined,
    confirm: (question) =>
      confirmExternal(question, (key, params) => speech.translate('desktop', `external.${key}`, params)),
    policies,
  }
  const external = guardEverything(security)
  const graphics = { inUse: readStoredGraphics(options.paths.data) }
  if (!graphics.inUse) app.disableHardwareAcceleration()
  registerSchemes()
  const info = hostInfo(options.managed)
  const devTools = !app.isPackaged && options.managed?.values.DisableDevTools !== true
  const ending = electronEnding(clock, (error) => log.error('end-failed', { error: String(error) }))
  const closing = watchClosing({
    ending,
    isLast: (window) => windows.isLast(window),
    translate: (key) => speech.translate('desktop', key),
  })
  const downloads = electronDownloads(log, options.clock)
  const spelling = electronSpelling(info.os)
  const zoom = electronZoom(options.paths.data)
  const windows = createWindows(options, { log, info, devTools, speech, security, closing, downloads, spelling, zoom })
  await app.whenReady()
  endWithSystem(ending)
  const proxies = createProxies(async (url) => firstOfResolved(await session.defaultSession.resolveProxy(url)))
  const menu = new SystemMenu((texts) =>
    setMenu({
      os: info.os,
      devTools,
      run: (action: MenuAction) => windows.command(action),
      zoom: (by) => zoom.step(by),
      ...texts,
    }),
  )
  answerCalls(
    (id) => windows.byContents(id),
    (client, name, input) => requests.call(client, name, input),
    log,
  )
  return {
    info,
    paths: options.paths,
    log: options.log,
    ports: nodePorts(options.log, proxies),
    openSettingsFile: electronStoreFile,
    commands: nodeCommands,
    systemName: () => systemName(thisOs(), nodeCommands),
    network: nodeNetwork(proxies),
    secrets: await keychainSecrets(options.paths.data),
    windows: windowCapability(windows),
    server: localServers(utilityServer(options.serverEntry)),
    external,
    folders: electronFolders,
    notifier: electronNotifier(info.os),
    spelling,
    theme: electronTheme,
    graphics,
    ending,
    updates: electronUpdates({ os: info.os, policies, proxies, clock, log: logger('updater', options.log) }),
    localize(translate) {
      speech.translate = translate
      menu.localize(translate)
    },
    menuBar: { set: (accounts) => menu.setAccounts(accounts) },
    ...electronDesktop({ os: info.os, clock, resources: options.paths.resources, windows, closing, downloads }),
  }
}

/** Texts of the system's dialogs and menus; their keys until the user's language is known. */
type Speech = { translate: HostTranslate }

type WindowParts = {
  readonly log: Logger
  readonly info: HostInfo
  readonly devTools: boolean
  readonly speech: Speech
  readonly security: SecurityOptions
  readonly closing: ReturnType<typeof watchClosing>
  readonly downloads: ReturnType<typeof electronDownloads>
  readonly spelling: ReturnType<typeof electronSpelling>
  readonly zoom: ReturnType<typeof electronZoom>
}

function createWindows({ clock, paths, preload, requests }: ElectronHostOptions, parts: WindowParts): Windows {
  const { log, info, devTools, speech, security, closing, downloads, spelling, zoom } = parts
  const manifest = readManifest(paths.renderer)
  return new Windows({
    watchers: [
      (window) => recover(window, { clock, log, translate: (key) => speech.translate('common', `system.${key}`) }),
      (window) => closing.watch(window),
      (window) => zoom.watch(window),
      keepOnScreen,
      (window) => watchTextMenu(window, (key) => speech.translate('desktop', key)),
    ],
    info,
    clock,
    dataFolder: paths.data,
    preload,
    resources: paths.resources,
    devTools,
    prepareSession(session, anyWindow) {
      guardSession(session, security)
      downloads.watch(session)
      spelling.watch(session)
      serveSchemes(session, {
        rendererFolder: paths.renderer,
        manifest,
        findMedia: (ref, variant) => {
          const window = anyWindow()
          return window ? requests.media(window, ref, variant) : Promise.resolve(undefined)
        },
      })
    },
    onClosed: (client) => requests.closed(client),
    onUnsaved: (error) => log.warn('bounds-unsaved', { error: String(error) }),
  })
}

const windowCapability = (windows: Windows): WindowCapability => ({
  async open(what) {
    await windows.open(what)
    return undefined
  },
  focus: (id) => windows.focus(id),
  toggle: (awayIs) => windows.toggle(awayIs),
  tryOne: () => windows.tryOne(),
})

type MenuTexts = { readonly accounts: readonly SystemMenuItem[]; readonly translate?: HostTranslate }

/** The menu bar: drawn again when its accounts or its language change. */
class SystemMenu {
  readonly #draw: (texts: MenuTexts) => void
  #texts: MenuTexts = { accounts: [] }

  constructor(draw: (texts: MenuTexts) => void) {
    this.#draw = draw
    this.#change({})
  }

  setAccounts(accounts: readonly SystemMenuItem[]): void {
    this.#change({ accounts })
  }

  localize(translate: HostTranslate): void {
    this.#change({ translate })
    // The language may have been changed since.
    app.on('browser-window-focus', () => this.#change({}))
  }

  #change(texts: Partial<MenuTexts>): void {
    this.#texts = { ...this.#texts, ...texts }
    this.#draw(this.#texts)
  }
}

function hostInfo(managed: Managed | undefined): HostInfo {
  const os = thisOs()
  return {
    kind: 'electron',
    os,
    version: app.getVersion(),
    titleBar: titleBarOf(os),
    managed,
    capabilities: {
      nativeNotifications: true,
      badge: true,
      tray: true,
      severalWindows: true,
      files: true,
    },
  }
}

/** The system's own dialog; the address is shown as it will be opened. */
async function confirmExternal(
  { url, host, reason }: { url: string; host: string; reason: 'not-encrypted' | 'look-alike' | 'many' },
  translate: (key: string, params?: Readonly<Record<string, string>>) => string,
): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: translate('title', { host }),
    detail: `${translate(`reasons.${reason}`)}\n${url}`,
    buttons: [translate('cancel'), translate('open')],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  return response === 1
}

/** The system's own dialogs and file manager. */
const electronFolders: FolderCapability = {
  async chooseFolder() {
    const { canceled, filePaths } = await dialog.showOpenDialog({ properties: ['openDirectory', 'createDirectory'] })
    return canceled ? undefined : filePaths[0]
  },
  async placeFor(name) {
    const { canceled, filePath } = await dialog.showSaveDialog({ defaultPath: join(app.getPath('downloads'), name) })
    return canceled || filePath === '' ? undefined : filePath
  },
  newFile: createNewFile,
  async show(path) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return shell.showItemInFolder(path)
    const problem = await shell.openPath(path)
    if (problem !== '') throw new AppError('data/not-shown')
  },
  async open(path) {
    await markForeign(path)
    const problem = await shell.openPath(path)
    if (problem !== '') throw new AppError('data/not-opened')
  },
}

/**
 * Secrets encrypted by the system's key store. Where Linux has none, Electron would use a key that everyone knows
 * (`basic_text`): then secrets stay in memory only, and the settings screen shows it. A secret that cannot be decrypted
 * anymore (another key store, another user) counts as absent.
 */
async function keychainSecrets(dataFolder: string): Promise<SecretStore> {
  if (!(await isTrustworthy())) return memorySecrets()
  return jsonSecrets(join(dataFolder, 'secrets.json'), 'keychain', {
    seal: async (value) => (await safeStorage.encryptStringAsync(value)).toString('base64'),
    async unseal(sealed) {
      try {
        return (await safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64'))).result
      } catch {
        // Encrypted by another key store: the user signs in again.
        return undefined
      }
    },
  })
}

async function isTrustworthy(): Promise<boolean> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return false
  return process.platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text'
}

/** Runs the local server in a utility process: forking Node is disabled by a fuse. */
function utilityServer(serverEntry: string): StartServerProcess {
  return (args, environment) => {
    const child = utilityProcess.fork(serverEntry, [...args], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
      execArgv: [HEAP_FLAG],
      serviceName: 'Parlor local server',
    })
    return {
      onOutput: (fn) => void child.stdout?.on('data', (chunk: Buffer) => fn(chunk.toString('utf8'))),
      onExit: (fn) => void child.once('exit', (code) => fn(String(code))),
      // SIGTERM where there are signals: the server closes its database first. Elsewhere it ends after its last commit.
      stop: () => void child.kill(),
      kill: () => void (child.pid !== undefined && process.kill(child.pid, 'SIGKILL')),
    }
  }
}

/** `settings.json` in Electron. */
const electronStoreFile: OpenSettingsFile = (options) => {
  const file = new ElectronStore(options)
  // The package tells every window the path of the settings; Parlor's windows have the bridge for that.
  ipcMain.removeAllListeners('electron-store-get-data')
  return file
}

/** Before `ready`: our two schemes. `media:` bytes are for elements only, never for `fetch`. */
function registerSchemes(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: 'app',
      privileges: {
        standard: true,
        secure: true,
        supportFetchAPI: true,
        corsEnabled: true,
        codeCache: true,
        stream: true,
      },
    },
    { scheme: 'media', privileges: { standard: true, secure: true, stream: true } },
  ])
}

type ProtocolOptions = {
  readonly rendererFolder: string
  readonly manifest: Manifest
  readonly findMedia: (ref: string, variant: 'full' | 'thumb') => Promise<MediaFile | undefined>
}

/** Built files under `app://main/`, media by entity id under `media:`; everything else is 404. */
function serveSchemes(session: Session, options: ProtocolOptions): void {
  session.protocol.handle('app', (request) => answerApp(request, options))
  session.protocol.handle('media', (request) => answerMedia(request, options))
}

async function answerApp(request: Request, options: ProtocolOptions): Promise<Response> {
  const found = resolveAppUrl(request.method, request.url, options.manifest)
  if ('status' in found) return empty(found.status)
  const bytes = await readFile(join(options.rendererFolder, found.file))
  return new Response(request.method === 'HEAD' ? null : bytes, {
    headers: {
      ...pageHeaders({ host: 'electron' }, found.file.endsWith('.html')),
      'Content-Type': mimeTypeOf(found.file),
    },
  })
}

async function answerMedia(request: Request, options: ProtocolOptions): Promise<Response> {
  const wanted = resolveMediaUrl(request.method, request.url)
  if (!wanted) return empty(404)
  const file = await options.findMedia(wanted.ref, wanted.variant)
  const { status, headers, range } = mediaAnswer(file, request.headers.get('range'))
  const body =
    file && range && request.method === 'GET'
      ? (Readable.toWeb(createReadStream(file.path, range)) as ReadableStream)
      : null
  return new Response(body, { status, headers })
}

const empty = (status: number): Response => new Response(null, { status, headers: commonHeaders() })
