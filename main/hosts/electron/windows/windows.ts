import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import {
  BrowserWindow,
  nativeTheme,
  screen,
  session as sessions,
  type Session,
  app,
  dialog,
  ipcMain,
  type IpcMainInvokeEvent,
} from 'electron'
import {
  HOST_ARGUMENT,
  type HostInfo,
  CALL_CHANNEL,
  PUSH_CHANNEL,
  WINDOW_CONTROLS,
  type WindowControl,
} from '#shared/bridge/transport.ts'
import { placeQuery, type WindowPlace } from '#shared/bridge/window-place.ts'
import type { Push } from '#shared/domain/changes.ts'
import type { Reply } from '#shared/lib/contract.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import type { Logger } from '#main/lib/logger.ts'
import type { ClientWindow, SpellingCapability } from '../../host.ts'
import { APP_PAGE, SAFE_PAGE, APP_ORIGIN } from '../../rules/pages/serving.ts'
import {
  restoreBounds,
  type WindowState,
  surfaceColors,
  TITLE_STRIP_HEIGHT,
  windowOptions,
  type WindowKind,
  afterCrash,
  type Crashes,
  readZooms,
  withZoom,
  zoomAt,
  type Zooms,
  type Os,
} from '../../rules/windows/window-options.ts'
import { readStoredTheme, WindowStates } from './window-state.ts'

const SAVE_AFTER_MS = 400

type WindowsOptions = {
  readonly info: HostInfo
  readonly clock: Clock
  readonly dataFolder: string
  readonly preload: string
  readonly resources: string
  readonly devTools: boolean
  /** Runs once for every new session, before anything is loaded in it. */
  readonly prepareSession: (session: Session, anyWindow: () => ClientWindow | undefined) => void
  readonly onClosed: (client: ClientWindow) => void
  /** The bounds of a window could not be stored. */
  readonly onUnsaved: (error: unknown) => void
  /** Called with each window before its page is loaded: for crashes, closing and zoom. */
  readonly watchers: readonly ((window: BrowserWindow) => void)[]
}

const kindOf = (place: WindowPlace | undefined): WindowKind =>
  place === undefined ? 'main' : place.parentId === undefined ? 'channel' : 'thread'

type WindowOptions = { readonly asUserId?: string; readonly place?: WindowPlace; readonly minimized?: boolean }

/**
 * On disk, because the page remembers small things (recent emoji, the theme of the first paint, which reminders were
 * handled), and words that the user added to the dictionary belong to a session. For other users that a window was
 * opened as, nothing is stored on disk.
 */
const partitionOf = (asUserId: string): string => (asUserId === '' ? 'persist:ui' : `ui-${asUserId}`)

/** Opens and registers windows. One session per user, so that users share no data. */
export class Windows {
  readonly #options: WindowsOptions
  readonly #byContents = new Map<number, RegisteredWindow & { readonly kind: WindowKind }>()
  readonly #sessions = new Map<string, Session>()
  readonly #states: WindowStates
  #lastId = 0
  #protected = false

  constructor(options: WindowsOptions) {
    this.#options = options
    this.#states = new WindowStates(options.dataFolder)
  }

  byContents(id: number): RegisteredWindow | undefined {
    return this.#byContents.get(id)
  }

  async open(what: WindowOptions = {}): Promise<void> {
    const { window, query } = this.#create(what)
    window.once('ready-to-show', () => (what.minimized === true ? window.minimize() : window.show()))
    const { webContents } = window
    await window.loadURL(`${APP_PAGE}${query}`).catch((error: unknown) => {
      // The window was closed while it loaded, by the user or because the program ends.
      if (!webContents.isDestroyed()) throw error
    })
  }

  /** A hidden window paints once before it is ready to be shown. */
  async tryOne(): Promise<void> {
    const { window } = this.#create({})
    try {
      await new Promise<void>((painted, failed) => {
        window.once('ready-to-show', painted)
        window.webContents.once('render-process-gone', (_event, { reason }) =>
          failed(new Error(`The process of the window ended: ${reason}.`)),
        )
        window.loadURL(APP_PAGE).catch(failed)
      })
    } finally {
      window.destroy()
    }
  }

  #create({ asUserId, place }: WindowOptions): { readonly window: BrowserWindow; readonly query: string } {
    const { info, dataFolder, preload, resources, devTools } = this.#options
    const query = place === undefined ? '' : placeQuery(place)
    const saved = this.#savedFor(place, query)
    const bounds = restoreBounds(
      saved?.bounds,
      screen.getAllDisplays().map((display) => display.workArea),
    )
    const systemDark = nativeTheme.shouldUseDarkColors
    const options = windowOptions(info.os, {
      kind: kindOf(place),
      theme: readStoredTheme(dataFolder),
      systemDark,
      devTools,
      bounds,
    })
    const window = new BrowserWindow({
      ...options,
      // Elsewhere the program has the icon; Linux desktops may use that of the window.
      icon: info.os === 'linux' ? join(resources, 'icons', '256x256.png') : undefined,
      webPreferences: {
        ...options.webPreferences,
        preload,
        session: this.#sessionOf(asUserId),
        additionalArguments: [`${HOST_ARGUMENT}${JSON.stringify(info)}`],
      },
    })
    this.#register(window, asUserId, kindOf(place))
    for (const watch of this.#options.watchers) watch(window)
    window.setContentProtection(this.#protected)
    if (saved?.maximized) window.maximize()
    if (saved?.fullscreen) window.setFullScreen(true)
    this.#rememberBounds(window, query)
    this.#followTheme(window)
    return { window, query }
  }

  focus(id?: string): void {
    const all = [...this.#byContents.values()]
    const found = all.find(({ client }) => client.id === id) ?? all.find(({ kind }) => kind === 'main')
    // All were closed while Parlor stayed in the tray or the dock; or only windows of one place are open.
    if (!found) return void this.open()
    const window = found.browserWindow
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }

  /** Hides the windows when one of them is focused, otherwise focuses them. */
  toggle(awayIs: 'hide' | 'minimize'): void {
    const windows = [...this.#byContents.values()].map(({ browserWindow }) => browserWindow)
    if (!windows.some((window) => window.isFocused())) return this.focus()
    for (const window of windows) {
      if (awayIs === 'hide') window.hide()
      else window.minimize()
    }
  }

  /**
   * Whether no other window is visible. A window of one place is not the last while a main window exists, even a hidden
   * one.
   */
  isLast(window: BrowserWindow): boolean {
    const isOwn = this.#byContents.get(window.webContents.id)?.kind !== 'main'
    return [...this.#byContents.values()].every(
      ({ browserWindow }) => browserWindow === window || (!isOwn && !browserWindow.isVisible()),
    )
  }

  /** Excludes the windows from screenshots and screen recordings. */
  protect(on: boolean): void {
    this.#protected = on
    for (const { browserWindow } of this.#byContents.values()) browserWindow.setContentProtection(on)
  }

  /** Runs a command of the registry in the focused window. */
  command(action: string): void {
    const all = [...this.#byContents.values()]
    const front = all.find(({ browserWindow }) => browserWindow.isFocused()) ?? all[0]
    front?.client.push({ kind: 'effect', effect: { type: 'command', action } })
  }

  /** The bounds stored for the first main window, or for this place. */
  #savedFor(place: WindowPlace | undefined, query: string): WindowState | undefined {
    const isFirst = ![...this.#byContents.values()].some(({ kind }) => kind === 'main')
    return place !== undefined || isFirst ? this.#states.read(query) : undefined
  }

  #register(window: BrowserWindow, asUserId: string | undefined, kind: WindowKind): void {
    this.#lastId += 1
    const client = clientOf(`w${this.#lastId}`, window, asUserId)
    const contentsId = window.webContents.id
    this.#byContents.set(contentsId, { client, browserWindow: window, kind })
    window.once('closed', () => {
      this.#byContents.delete(contentsId)
      this.#options.onClosed(client)
    })
  }

  #sessionOf(asUserId = ''): Session {
    const known = this.#sessions.get(asUserId)
    if (known) return known
    const made = sessions.fromPartition(partitionOf(asUserId), { cache: false })
    this.#sessions.set(asUserId, made)
    this.#options.prepareSession(made, () =>
      [...this.#byContents.values()].map(({ client }) => client).find((client) => (client.asUserId ?? '') === asUserId),
    )
    return made
  }

  /** Saves the bounds shortly after the last change and when the window closes. */
  #rememberBounds(window: BrowserWindow, query: string): void {
    const { clock } = this.#options
    let stop: Stop = () => undefined
    const save = (): void => {
      stop()
      const state: WindowState = {
        bounds: window.getNormalBounds(),
        maximized: window.isMaximized(),
        fullscreen: window.isFullScreen(),
      }
      try {
        this.#states.save(query, state)
      } catch (error) {
        // A full disk: the window opens with its earlier bounds.
        this.#options.onUnsaved(error)
      }
    }
    const scheduleSave = (): void => {
      stop()
      stop = clock.after(SAVE_AFTER_MS, () => !window.isDestroyed() && save())
    }
    window.on('resize', scheduleSave)
    window.on('move', scheduleSave)
    window.on('blur', scheduleSave)
    window.on('close', save)
  }

  /** Windows draws its buttons over our title strip and needs the new colors when the theme changes. */
  #followTheme(window: BrowserWindow): void {
    if (this.#options.info.os !== 'windows') return
    const update = (): void => {
      const colors = surfaceColors(readStoredTheme(this.#options.dataFolder), nativeTheme.shouldUseDarkColors)
      window.setTitleBarOverlay({ height: TITLE_STRIP_HEIGHT, color: colors.app, symbolColor: colors.text })
    }
    nativeTheme.on('updated', update)
    window.once('closed', () => nativeTheme.off('updated', update))
  }
}

/** After this long without a response the user is asked. */
const HUNG_MS = 10_000

/** Texts of the system's dialogs, looked up when they are shown, in the current language. */
type RecoveryTexts = (
  key: `crash.${'title' | 'text' | 'reload' | 'quit'}` | `hang.${'title' | 'text' | 'wait' | 'reload'}`,
) => string

type Options = { readonly clock: Clock; readonly log: Logger; readonly translate: RecoveryTexts }

/**
 * Reloads a page that crashed: main has its whole state, drafts too. After three crashes in a minute a small safe page
 * is loaded instead; if that crashes too, or a page hangs, a dialog asks the user.
 */
export function recover(window: BrowserWindow, { clock, log, translate }: Options): void {
  const { webContents } = window
  let crashes: Crashes = []
  let stopWaiting: Stop = () => undefined
  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    const decision = afterCrash(crashes, clock.now())
    crashes = decision.crashes
    log.error('page-gone', { reason, exitCode, next: decision.next })
    if (decision.next === 'reload') webContents.reload()
    else if (webContents.getURL().startsWith(SAFE_PAGE)) void ask(window, ['crash.reload', 'crash.quit'], translate)
    else showSafePage(window, log)
  })
  window.on('unresponsive', () => {
    stopWaiting()
    stopWaiting = clock.after(HUNG_MS, () => {
      log.warn('page-hangs', {})
      if (!window.isDestroyed()) void ask(window, ['hang.wait', 'hang.reload'], translate)
    })
  })
  window.on('responsive', () => stopWaiting())
  window.once('closed', () => stopWaiting())
}

/** With the window's query, which names its content: reloading from the safe page uses it. */
function showSafePage({ webContents }: BrowserWindow, log: Logger): void {
  const query = /\?[^#]*/.exec(webContents.getURL())?.[0] ?? ''
  webContents
    .loadURL(`${SAFE_PAGE}${query}`)
    .catch((error: unknown) => log.error('safe-page', { error: String(error) }))
}

async function ask(
  window: BrowserWindow,
  buttons: readonly ['crash.reload', 'crash.quit'] | readonly ['hang.wait', 'hang.reload'],
  translate: RecoveryTexts,
): Promise<void> {
  const hangs = buttons[0] === 'hang.wait'
  const { response } = await dialog.showMessageBox({
    type: hangs ? 'question' : 'error',
    message: translate(hangs ? 'hang.title' : 'crash.title'),
    detail: translate(hangs ? 'hang.text' : 'crash.text'),
    buttons: buttons.map((key) => translate(key)),
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  if (hangs && response === 0) return
  if (!hangs && response === 1) return app.quit()
  if (window.isDestroyed()) return
  // A page that hangs cannot be reloaded.
  if (hangs) window.webContents.forcefullyCrashRenderer()
  else window.webContents.reload()
}

type Zoom = {
  /** Applies the zoom when a page loads, and when the window moves to a display of another scale. */
  watch(window: BrowserWindow): void
  /** Changes the zoom for displays of the scale of the focused window. */
  step(by: 1 | -1 | 'actual'): void
}

/** The zoom of the windows, stored in `DATA/zoom.json`. */
export function electronZoom(dataFolder: string): Zoom {
  const path = join(dataFolder, 'zoom.json')
  let zooms: Zooms = readFile(path)

  function apply(window: BrowserWindow): void {
    if (!window.isDestroyed()) window.webContents.setZoomFactor(zoomAt(zooms, scaleOf(window)))
  }

  return {
    watch(window) {
      window.webContents.on('did-finish-load', () => apply(window))
      window.on('moved', () => apply(window))
    },
    step(by) {
      const front = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
      if (!front) return
      zooms = withZoom(zooms, scaleOf(front), by)
      for (const window of BrowserWindow.getAllWindows()) apply(window)
      // If it cannot be written, the user sets it again after a restart.
      writeFile(path, JSON.stringify(zooms), { mode: 0o600 }).catch(() => undefined)
    },
  }
}

const scaleOf = (window: BrowserWindow): number => screen.getDisplayMatching(window.getBounds()).scaleFactor

function readFile(path: string): Zooms {
  try {
    return readZooms(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    // Missing or damaged: the actual size.
    return {}
  }
}

type Spelling = SpellingCapability & { watch(session: Session): void }

/**
 * Chromium's spelling checker, which downloads dictionaries from a public server; the one of macOS needs none. So
 * nothing is checked or downloaded until the user chooses a language. Source: ADR 18.
 */
export function electronSpelling(os: Os): Spelling {
  const watched = new Set<Session>()
  let wanted: readonly string[] = []

  function languages(): readonly string[] {
    return os === 'macos' ? [] : sessions.defaultSession.availableSpellCheckerLanguages
  }

  function apply(session: Session): void {
    const known = new Set(languages())
    const chosen = wanted.filter((language) => known.has(language))
    // The languages first: a checker enabled without any starts with those of the system.
    if (os !== 'macos') session.setSpellCheckerLanguages(chosen)
    session.setSpellCheckerEnabled(os === 'macos' ? wanted.length > 0 : chosen.length > 0)
  }

  return {
    languages,
    setLanguages(next) {
      wanted = next
      for (const session of watched) apply(session)
    },
    watch(session) {
      watched.add(session)
      apply(session)
    },
  }
}

type RegisteredWindow = { readonly client: ClientWindow; readonly browserWindow: BrowserWindow }

/** Pushes go to the window's page, and nowhere once it is destroyed. */
function clientOf(id: string, browserWindow: BrowserWindow, asUserId: string | undefined): ClientWindow {
  return {
    id,
    asUserId,
    push(message: Push) {
      if (!browserWindow.isDestroyed()) browserWindow.webContents.send(PUSH_CHANNEL, message)
    },
  }
}

/** One channel for every call. The sender is checked here; the call itself, in the bridge. */
export function answerCalls(
  windowOf: (contentsId: number) => RegisteredWindow | undefined,
  onCall: (client: ClientWindow, name: string, input: unknown) => Promise<Reply>,
  log: Logger,
): void {
  ipcMain.handle(CALL_CHANNEL, (event, name: unknown, input: unknown): Promise<Reply> | Reply => {
    const window = isOurPage(event) ? windowOf(event.sender.id) : undefined
    if (!window || typeof name !== 'string') {
      log.warn('call-refused', {})
      return { ok: false, error: { code: 'bridge/refused' } }
    }
    if (isControl(name)) return control(window.browserWindow, name)
    return onCall(window.client, name, input)
  })
}

/** The top frame of one of our windows, at exactly our origin; never a prefix of it. */
function isOurPage(event: IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame
  return frame !== null && frame === event.sender.mainFrame && frame.origin === APP_ORIGIN
}

const isControl = (name: string): name is WindowControl => (WINDOW_CONTROLS as readonly string[]).includes(name)

function control(window: BrowserWindow, name: WindowControl): Reply {
  switch (name) {
    case 'window.minimize':
      window.minimize()
      break
    case 'window.toggleMaximize':
      if (window.isMaximized()) window.unmaximize()
      else window.maximize()
      break
    case 'window.close':
      window.close()
      break
  }
  return { ok: true, value: undefined }
}
