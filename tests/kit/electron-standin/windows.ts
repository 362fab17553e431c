import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { app, onQuitCloseWindows, preventable } from './app.ts'
import type { Chromium } from './chromium.ts'
import { record } from './record.ts'
import { answerPaused, PATTERNS, toChromium, toElectron, type Paused } from './schemes.ts'
import { sessionModule, type Session } from './session.ts'
import { BINDING, mainWorldSource, preloadSource, WORLD } from './worlds.ts'

type Bounds = { x: number; y: number; width: number; height: number }
type Options = Partial<Bounds> & {
  show?: boolean
  webPreferences?: { preload?: string; session?: Session; additionalArguments?: string[] }
}
type Handler = (event: object, ...args: unknown[]) => unknown

const handlers = new Map<string, Handler>()
export const ipcMain = {
  handle(channel: string, handler: Handler) {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    handlers.set(channel, handler)
  },
  /** No page sends without waiting for an answer. */
  on: () => undefined,
  removeAllListeners: () => undefined,
}

const all = new Set<BrowserWindow>()
let lastContentsId = 0

class WebContents extends EventEmitter {
  readonly id: number
  readonly session: Session
  readonly mainFrame = {
    url: '',
    get origin(): string {
      return /^[a-z]+:\/\/[^/]*/.exec(this.url)?.[0] ?? 'null'
    },
  }
  readonly window: BrowserWindow
  openHandler: ((details: { url: string }) => { action: string }) | undefined

  constructor(window: BrowserWindow, session: Session) {
    super()
    lastContentsId += 1
    this.id = lastContentsId
    this.window = window
    this.session = session
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler
  }
  send(channel: string, ...args: unknown[]): void {
    void this.window.receive({ channel, args })
  }
  getURL(): string {
    return this.mainFrame.url
  }
  isDestroyed(): boolean {
    return this.window.isDestroyed()
  }
  close(): void {
    this.window.close()
  }
  loadURL(url: string): Promise<void> {
    return this.window.loadURL(url)
  }
  reload(): void {
    record('webContents.reload', this.id)
    void this.window.reload()
  }
  setZoomFactor(factor: number): void {
    record('webContents.setZoomFactor', factor)
  }
  forcefullyCrashRenderer(): void {
    record('webContents.forcefullyCrashRenderer', this.id)
    this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 })
  }
}

/** A Chromium target of its own, with the preload in an isolated world. */
export class BrowserWindow extends EventEmitter {
  readonly webContents: WebContents
  readonly options: Options
  targetId: string | undefined
  readonly #created: Promise<{ chromium: Chromium; sessionId: string }>
  #preloadContext: number | undefined
  #state = {
    bounds: { x: 0, y: 0, width: 800, height: 600 },
    visible: false,
    maximized: false,
    minimized: false,
    destroyed: false,
  }

  constructor(options: Options = {}) {
    super()
    this.options = options
    const { webPreferences: _preferences, ...shown } = options
    record('new BrowserWindow', {
      ...shown,
      webPreferences: { ...options.webPreferences, session: options.webPreferences?.session?.partition },
    })
    const { x = 0, y = 0, width = 800, height = 600 } = options
    this.#state.bounds = { x, y, width, height }
    this.webContents = new WebContents(this, options.webPreferences?.session ?? sessionModule.defaultSession)
    all.add(this)
    app.emit('web-contents-created', {}, this.webContents)
    this.#created = this.#create()
  }

  static getAllWindows(): BrowserWindow[] {
    return [...all]
  }
  static getFocusedWindow(): BrowserWindow | null {
    return [...all].find((window) => window.isFocused()) ?? null
  }
  static fromWebContents(contents: WebContents): BrowserWindow {
    return contents.window
  }

  async loadURL(url: string): Promise<void> {
    record('loadURL', url, { handlers: Object.keys(this.webContents.session.handlers).length })
    const { chromium, sessionId } = await this.#created
    const loaded = new Promise<void>((resolve) => chromium.on('Page.loadEventFired', sessionId, () => resolve()))
    this.webContents.mainFrame.url = url
    await chromium.send('Page.navigate', { url: toChromium(url) }, sessionId)
    await loaded
    this.emit('ready-to-show')
    this.webContents.emit('did-finish-load')
  }

  async reload(): Promise<void> {
    const { chromium, sessionId } = await this.#created
    await chromium.send('Page.reload', {}, sessionId)
  }

  /** Main to preload. Lost when there is no preload yet, as in Electron. */
  async receive(message: object): Promise<void> {
    const { chromium, sessionId } = await this.#created
    if (this.#preloadContext === undefined || this.isDestroyed()) return
    const expression = `__standinReceive(${JSON.stringify(message)})`
    await chromium
      .send('Runtime.evaluate', { expression, contextId: this.#preloadContext }, sessionId)
      .catch(() => undefined)
  }

  close(): void {
    if (this.isDestroyed()) return
    const event = preventable()
    this.emit('close', event)
    if (event.prevented) return
    void this.#created.then(({ chromium }) => chromium.send('Target.closeTarget', { targetId: this.targetId }))
    this.#closed()
  }

  #closed(): void {
    if (this.#state.destroyed) return
    this.#state.destroyed = true
    all.delete(this)
    this.webContents.emit('destroyed')
    this.emit('closed')
    if (all.size === 0) app.emit('window-all-closed')
  }

  show(): void {
    this.#state.visible = true
    record('window.show', this.webContents.id)
  }
  hide(): void {
    this.#state.visible = false
    record('window.hide', this.webContents.id)
  }
  setProgressBar(share: number): void {
    record('window.setProgressBar', share)
  }
  flashFrame(on: boolean): void {
    record('window.flashFrame', on)
  }
  setContentProtection(on: boolean): void {
    record('window.setContentProtection', on)
  }
  getBounds(): Bounds {
    return { ...this.#state.bounds }
  }
  focus(): void {
    record('window.focus', this.webContents.id)
  }
  minimize(): void {
    this.#state.minimized = true
    record('window.minimize', this.webContents.id)
  }
  restore(): void {
    this.#state.minimized = false
  }
  maximize(): void {
    this.#state.maximized = true
    this.emit('resize')
  }
  unmaximize(): void {
    this.#state.maximized = false
    this.emit('resize')
  }
  setBounds(bounds: Partial<Bounds>): void {
    Object.assign(this.#state.bounds, bounds)
    this.emit('resize')
  }
  setTitleBarOverlay(overlay: unknown): void {
    record('window.setTitleBarOverlay', overlay)
  }
  getNormalBounds(): Bounds {
    return { ...this.#state.bounds }
  }
  isMaximized(): boolean {
    return this.#state.maximized
  }
  isMinimized(): boolean {
    return this.#state.minimized
  }
  isFullScreen(): boolean {
    return false
  }
  isFocused(): boolean {
    return this.#state.visible && all.size === 1
  }
  isVisible(): boolean {
    return this.#state.visible
  }
  isDestroyed(): boolean {
    return this.#state.destroyed
  }

  async #create(): Promise<{ chromium: Chromium; sessionId: string }> {
    const chromium = await app.chromium
    const { width, height } = this.#state.bounds
    const { targetId } = await chromium.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      width,
      height,
    })
    this.targetId = targetId as string
    const attached = await chromium.send('Target.attachToTarget', { targetId, flatten: true })
    const sessionId = attached['sessionId'] as string
    const send = (method: string, params = {}) => chromium.send(method, params, sessionId)
    this.#listen(chromium, sessionId)
    const { preload, additionalArguments = [] } = this.options.webPreferences ?? {}
    await Promise.all([
      send('Page.enable'),
      send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD }),
      send('Fetch.enable', { patterns: PATTERNS }),
      send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorldSource() }),
    ])
    if (preload !== undefined) {
      const source = preloadSource(readFileSync(preload, 'utf8'), ['electron', ...additionalArguments])
      await send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD })
    }
    await send('Runtime.enable')
    return { chromium, sessionId }
  }

  #listen(chromium: Chromium, sessionId: string): void {
    chromium.on('Runtime.executionContextCreated', sessionId, ({ context }) => {
      const { id, name } = context as { id: number; name: string }
      if (name === WORLD) this.#preloadContext = id
    })
    chromium.on('Runtime.bindingCalled', sessionId, ({ name, payload }) => {
      if (name === BINDING)
        void this.#invoke(JSON.parse(payload as string) as { id: number; channel: string; args: unknown[] })
    })
    chromium.on('Fetch.requestPaused', sessionId, (paused) => {
      void answerPaused(paused as unknown as Paused, this.webContents.session, (method, params) =>
        chromium.send(method, params, sessionId),
      )
    })
    chromium.on('Page.frameRequestedNavigation', sessionId, ({ url }) => this.#onNavigationRequest(url as string))
    chromium.on('Inspector.detached', sessionId, () => this.#closed())
    chromium.on('Target.detachedFromTarget', undefined, () => undefined)
  }

  /** A page that wants to leave: the guards hear of it (the stand-in cannot stop Chromium, so tests look at the guard). */
  #onNavigationRequest(url: string): void {
    const event = preventable({ url: toElectron(url), isMainFrame: true })
    this.webContents.emit('will-navigate', event, event.url)
    record('will-navigate', event.url, { prevented: event.prevented })
  }

  async #invoke({ id, channel, args }: { id: number; channel: string; args: unknown[] }): Promise<void> {
    const contents = this.webContents
    const event = { sender: contents, senderFrame: contents.mainFrame, processId: 1, frameId: 1 }
    const handler = handlers.get(channel)
    try {
      if (!handler) throw new Error(`No handler registered for '${channel}'`)
      // JSON knows no `undefined`, which Electron hands over as it is; no call of ours takes a bare `null`.
      const value = structuredClone(await handler(event, ...args.map((one) => one ?? undefined)))
      await this.receive({ id, value })
    } catch (error) {
      await this.receive({ id, error: `Error invoking remote method '${channel}': ${String(error)}` })
    }
  }
}

export const webContents = {
  fromDevToolsTargetId: (targetId: string): WebContents | undefined =>
    [...all].find((window) => window.targetId === targetId)?.webContents,
  getAllWebContents: (): WebContents[] => [...all].map((window) => window.webContents),
}

onQuitCloseWindows(async () => {
  for (const window of all) window.close()
  await Promise.resolve()
  return all.size === 0
})
