import { EventEmitter } from 'node:events'
import { answerOf, record } from './record.ts'

/**
 * The stateful parts of `electron`, for unit tests of the host: they record calls in the stub's log, and tests make
 * them emit events. No browser runs behind them.
 */
class App extends EventEmitter {
  isPackaged = true
  readonly dock = {
    bounce: (how: string) => record('dock.bounce', how),
    setMenu: (menu: unknown) => record('dock.setMenu', menu),
  }
  getAppPath(): string {
    return '/src/parlor'
  }
  getPath(name: string): string {
    return `/home/ola/${name}`
  }
  quit(): void {
    record('app.quit')
  }
  setBadgeCount(count: number): void {
    record('app.setBadgeCount', count)
  }
  setJumpList(list: unknown): void {
    record('app.setJumpList', list)
  }
  setLoginItemSettings(settings: unknown): void {
    record('app.setLoginItemSettings', settings)
  }
  getLoginItemSettings(): unknown {
    return answerOf('app.getLoginItemSettings', { wasOpenedAtLogin: false })
  }
}

export const app = new App()

class WebContents extends EventEmitter {
  session = new Session()
  url = 'app://main/index.html'
  getURL(): string {
    return this.url
  }
  async loadURL(url: string): Promise<void> {
    this.url = url
    record('loadURL', url)
  }
  reload(): void {
    record('reload')
  }
  forcefullyCrashRenderer(): void {
    record('forcefullyCrashRenderer')
  }
  setZoomFactor(factor: number): void {
    record('setZoomFactor', factor)
  }
  replaceMisspelling(word: string): void {
    record('replaceMisspelling', word)
  }
}

const all = new Set<BrowserWindow>()

/** In the state that calls set: shown, focused, destroyed. `close` asks its listeners first, as the system does. */
export class BrowserWindow extends EventEmitter {
  readonly webContents = new WebContents()
  visible = true
  focused = false
  destroyed = false

  constructor() {
    super()
    all.add(this)
    app.emit('browser-window-created', {}, this)
  }
  static getAllWindows(): BrowserWindow[] {
    return [...all]
  }
  static getFocusedWindow(): BrowserWindow | null {
    return [...all].find((window) => window.focused) ?? null
  }
  /** Returns whether it was closed. */
  close(): boolean {
    let prevented = false
    this.emit('close', { preventDefault: () => (prevented = true) })
    if (!prevented) this.destroy()
    return !prevented
  }
  destroy(): void {
    all.delete(this)
    this.destroyed = true
    this.emit('closed')
  }
  hide(): void {
    this.visible = false
  }
  isFocused(): boolean {
    return this.focused
  }
  isVisible(): boolean {
    return this.visible
  }
  isDestroyed(): boolean {
    return this.destroyed
  }
  bounds = { x: 0, y: 0, width: 800, height: 600 }
  getBounds(): object {
    return this.bounds
  }
  setBounds(bounds: { x: number; y: number; width: number; height: number }): void {
    this.bounds = bounds
  }
  setProgressBar(share: number): void {
    record('setProgressBar', share)
  }
  minimize(): void {
    record('minimize')
  }
  flashFrame(on: boolean): void {
    record('flashFrame', on)
  }
  setOverlayIcon(picture: unknown, text: string): void {
    record('setOverlayIcon', picture, text)
  }
}

export class Session extends EventEmitter {
  readonly availableSpellCheckerLanguages = ['en-GB', 'pl', 'ru']
  setSpellCheckerLanguages(languages: readonly string[]): void {
    record('setSpellCheckerLanguages', languages)
  }
  setSpellCheckerEnabled(on: boolean): void {
    record('setSpellCheckerEnabled', on)
  }
  downloadURL(url: string): void {
    record('downloadURL', url)
  }
  addWordToSpellCheckerDictionary(word: string): void {
    record('addWord', word)
  }
}

export const session = { defaultSession: new Session(), fromPartition: () => new Session() }
