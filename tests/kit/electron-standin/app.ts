import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Chromium } from './chromium.ts'
import { takeInstanceLock } from './instance-lock.ts'
import { record } from './record.ts'

const { version, name } = JSON.parse(
  readFileSync(join(process.env['STANDIN_APP_FOLDER'] ?? '.', 'package.json'), 'utf8'),
) as {
  version: string
  name: string
}

// The real Electron does not run as root; here the tests of a machine without it may.
process.getuid = () => 65_534

let windowsClosing: () => Promise<boolean> = () => Promise.resolve(true)
/** The windows module says how all windows are closed; `false` when one of them refused. */
export const onQuitCloseWindows = (close: () => Promise<boolean>): void => void (windowsClosing = close)

class App extends EventEmitter {
  readonly isPackaged = false
  readonly commandLine = { appendSwitch: (...args: string[]) => record('commandLine.appendSwitch', ...args) }
  readonly chromium = Chromium.start()
  readonly #paths = new Map<string, string>()
  #ready = false
  #quitting = false

  constructor() {
    super()
    void this.chromium.then(() => this.#becomeReady())
  }

  whenReady(): Promise<unknown> {
    return this.chromium.then(() => ({}))
  }
  isReady(): boolean {
    return this.#ready
  }
  getVersion(): string {
    return version
  }
  getName(): string {
    return name
  }
  enableSandbox(): void {
    record('app.enableSandbox', { ready: this.#ready })
  }
  setPath(which: string, path: string): void {
    this.#paths.set(which, path)
  }
  getPath(which: string): string {
    return this.#paths.get(which) ?? ''
  }
  requestSingleInstanceLock(): boolean {
    const first = takeInstanceLock(this.getPath('userData'), (argv) => this.emit('second-instance', {}, argv, ''))
    record('app.requestSingleInstanceLock', first)
    return first
  }
  setAsDefaultProtocolClient(scheme: string): boolean {
    record('app.setAsDefaultProtocolClient', scheme)
    return true
  }
  getAppPath(): string {
    return process.env['STANDIN_APP_FOLDER'] ?? process.cwd()
  }
  setLoginItemSettings(settings: unknown): void {
    record('app.setLoginItemSettings', settings)
  }
  getLoginItemSettings(): { wasOpenedAtLogin: boolean } {
    return { wasOpenedAtLogin: false }
  }
  setJumpList(list: unknown): string {
    record('app.setJumpList', list)
    return 'ok'
  }
  setBadgeCount(count: number): boolean {
    record('app.setBadgeCount', count)
    return true
  }

  quit(): void {
    if (this.#quitting) return
    const event = preventable()
    this.emit('before-quit', event)
    if (event.prevented) return
    this.#quitting = true
    void windowsClosing().then((closed) => this.#windowsClosed(closed))
  }

  #becomeReady(): void {
    this.#ready = true
    this.emit('ready', {})
  }

  #windowsClosed(closed: boolean): void {
    this.#quitting = closed
    if (closed) this.exit(0)
  }

  exit(code = 0): void {
    this.emit('will-quit', preventable())
    this.emit('quit', {}, code)
    // The browser may close the socket before it answers; then the loop simply runs dry.
    process.exitCode = code
    // SIGTERM leaves a headless Chromium behind; its own command does not.
    void this.chromium.then((chromium) => chromium.send('Browser.close')).finally(() => process.exit(code))
  }
}

export type Preventable = { prevented: boolean; preventDefault(): void }

export function preventable<T extends object>(details?: T): Preventable & T {
  const event = {
    ...details,
    prevented: false,
    preventDefault() {
      event.prevented = true
    },
  } as Preventable & T
  return event
}

export const app = new App()
