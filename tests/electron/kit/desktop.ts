import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { Bus, textOf, Variant, type Answer, type Message, type Value } from './dbus.ts'
import { isRoot, ORDINARY_USER } from './installation.ts'

/** Nothing is started by name, and nothing but the two ends of a test is connected. */
const busConfig = (socket: string): string => `<busconfig>
  <type>session</type>
  <listen>unix:path=${socket}</listen>
  <policy context="default"><allow user="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`

export type ShownNotification = {
  readonly id: number
  readonly title: string
  readonly body: string
  readonly actions: readonly string[]
}

const NOTIFICATIONS = 'org.freedesktop.Notifications'
const NOTIFICATIONS_PATH = '/org/freedesktop/Notifications'
const WATCHER = 'org.kde.StatusNotifierWatcher'
const LOGIN = 'org.freedesktop.login1'
const WALLET = 'org.kde.kwalletd5'
/** Whose taskbar draws numbers on icons: Chromium sends them while this name is taken. */
const LAUNCHER = 'com.canonical.Unity'
/** The kind of an entry of the wallet, as KWallet numbers them. */
const PASSWORD = 1
const MENU = 'com.canonical.dbusmenu'
const ITEM = 'org.kde.StatusNotifierItem'

/**
 * The desktop of an ordinary user: a screen, a D-Bus daemon, and on it the services that a desktop has: notifications,
 * the tray, a wallet, and the login manager that knows of sleep. All of them record what a program asks of them.
 */
export class Desktop {
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly shown: ShownNotification[] = []
  readonly withdrawn: number[] = []
  /** Counts on the program's icon, newest last; as the launchers of desktops are sent them. */
  readonly badges: number[] = []
  readonly #children: readonly ChildProcess[]
  readonly #bus: Bus
  readonly #wallet = new Map<string, string>()
  #trayItem: { readonly sender: string; readonly path: string } | undefined
  #lastId = 0

  private constructor(
    home: string,
    env: Readonly<Record<string, string>>,
    children: readonly ChildProcess[],
    bus: Bus,
  ) {
    this.home = home
    this.env = env
    this.#children = children
    this.#bus = bus
  }

  static async start(): Promise<Desktop> {
    const home = mkdtempSync(join(tmpdir(), 'parlor-home-'))
    if (isRoot) chownSync(home, ORDINARY_USER, ORDINARY_USER)
    chmodSync(home, 0o700)
    const socket = join(home, 'bus')
    writeFileSync(join(home, 'bus.conf'), busConfig(socket), { mode: 0o644 })
    const asUser = isRoot ? { uid: ORDINARY_USER, gid: ORDINARY_USER } : {}
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp', '-ac'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    const daemon = spawn('dbus-daemon', [`--config-file=${join(home, 'bus.conf')}`, '--nofork', '--print-address=1'], {
      ...asUser,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [display] = await Promise.all([firstLine(screen.stdio[3] as Readable), firstLine(daemon.stdout)])
    const bus = await Bus.connect(socket)
    const address = `unix:path=${socket}`
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      LANG: 'C.UTF-8',
      DISPLAY: `:${display}`,
      XDG_CURRENT_DESKTOP: 'KDE',
      KDE_SESSION_VERSION: '5',
      DBUS_SESSION_BUS_ADDRESS: address,
      DBUS_SYSTEM_BUS_ADDRESS: address,
    }
    const desktop = new Desktop(home, env, [daemon, screen], bus)
    await desktop.#serve()
    return desktop
  }

  async #serve(): Promise<void> {
    await this.#bus.serve(NOTIFICATIONS, (message) => this.#notification(message))
    await this.#bus.serve(WATCHER, (message) => this.#watcher(message))
    await this.#bus.serve(WALLET, (message) => this.#walletOf(message))
    await this.#bus.serve(LOGIN, () => undefined)
    await this.#bus.serve(LAUNCHER, () => undefined)
    await this.#bus.onSignal("interface='com.canonical.Unity.LauncherEntry'", ({ body }) => {
      const { count } = (body[1] ?? {}) as { readonly count?: bigint }
      if (count !== undefined) this.badges.push(Number(count))
    })
  }

  /** The user clicks a notification, or one of its buttons. */
  press({ id }: ShownNotification, action = 'default'): void {
    this.#bus.signal(NOTIFICATIONS_PATH, NOTIFICATIONS, 'ActionInvoked', 'us', [id, action])
  }

  /** The device sleeps, or wakes up. */
  sleep(on: boolean): void {
    this.#bus.signal('/org/freedesktop/login1', `${LOGIN}.Manager`, 'PrepareForSleep', 'b', [on])
  }

  /** The user removes the wallet: what was sealed by a key in it is lost. */
  removeWallet(): void {
    this.#wallet.clear()
  }

  hasTrayIcon(): boolean {
    return this.#trayItem !== undefined
  }

  async trayTooltip(): Promise<string> {
    const { sender, path } = this.#tray()
    const [tooltip] = await this.#bus.call(sender, path, 'org.freedesktop.DBus.Properties', 'Get', 'ss', [
      ITEM,
      'ToolTip',
    ])
    return textOf((tooltip as readonly Value[])[2])
  }

  /** The menu of the tray icon, separators left out. */
  async trayMenu(): Promise<readonly { readonly id: number; readonly label: string }[]> {
    const { sender } = this.#tray()
    const path = await this.#menuPath()
    const [, root] = await this.#bus.call(sender, path, MENU, 'GetLayout', 'iias', [0, -1, []])
    const [, , children] = root as unknown as [number, object, readonly [number, { readonly label?: string }][]]
    return children.flatMap(([id, { label }]) =>
      label === undefined ? [] : [{ id, label: label.replaceAll('_', '') }],
    )
  }

  async pressTray(label: string): Promise<void> {
    const found = (await this.trayMenu()).find((item) => item.label === label)
    if (!found) throw new Error(`The tray's menu has no ${label}.`)
    const { sender } = this.#tray()
    await this.#bus.call(sender, await this.#menuPath(), MENU, 'Event', 'isvu', [
      found.id,
      'clicked',
      new Variant('i', 0),
      0,
    ])
  }

  async clickTray(): Promise<void> {
    const { sender, path } = this.#tray()
    await this.#bus.call(sender, path, ITEM, 'Activate', 'ii', [0, 0])
  }

  stop(): void {
    this.#bus.close()
    for (const child of this.#children) child.kill('SIGKILL')
    rmSync(this.home, { recursive: true, force: true })
  }

  #tray(): { readonly sender: string; readonly path: string } {
    if (!this.#trayItem) throw new Error('There is no icon in the tray.')
    return this.#trayItem
  }

  async #menuPath(): Promise<string> {
    const { sender, path } = this.#tray()
    const [menu] = await this.#bus.call(sender, path, 'org.freedesktop.DBus.Properties', 'Get', 'ss', [ITEM, 'Menu'])
    return textOf(menu)
  }

  #notification({ interface: of, member, body }: Message): Answer {
    if (of !== NOTIFICATIONS) return undefined
    switch (member) {
      case 'GetServerInformation':
        return { signature: 'ssss', values: ['test', 'test', '1', '1.2'] }
      case 'GetCapabilities':
        return { signature: 'as', values: [['actions', 'body', 'body-markup', 'inline-reply']] }
      case 'Notify': {
        const [, , , title, text, actions] = body
        this.#lastId += 1
        const names = actions as readonly string[]
        this.shown.push({ id: this.#lastId, title: textOf(title), body: textOf(text), actions: names })
        return { signature: 'u', values: [this.#lastId] }
      }
      case 'CloseNotification':
        this.withdrawn.push(Number(body[0]))
        this.#bus.signal(NOTIFICATIONS_PATH, NOTIFICATIONS, 'NotificationClosed', 'uu', [Number(body[0]), 3])
        return { signature: '', values: [] }
      default:
        return undefined
    }
  }

  #watcher({ interface: of, member, sender, body }: Message): Answer {
    if (of === 'org.freedesktop.DBus.Properties' && body[0] === WATCHER) {
      const values = { IsStatusNotifierHostRegistered: new Variant('b', true), ProtocolVersion: new Variant('i', 0) }
      if (member === 'GetAll') return { signature: 'a{sv}', values: [values] }
      const value = values[textOf(body[1]) as keyof typeof values]
      return { signature: 'v', values: [value ?? new Variant('as', [])] }
    }
    if (of !== WATCHER || member !== 'RegisterStatusNotifierItem') return undefined
    const [name] = body
    const isPath = textOf(name).startsWith('/')
    this.#trayItem = { sender: isPath ? sender : textOf(name), path: isPath ? textOf(name) : '/StatusNotifierItem' }
    return { signature: '', values: [] }
  }

  /** A wallet that is open, with one folder for each program. It outlives the program, not the test. */
  #walletOf({ interface: of, member, body }: Message): Answer {
    if (of !== 'org.kde.KWallet') return undefined
    const key = (): string => `${textOf(body[1])}/${textOf(body[2])}`
    switch (member) {
      case 'isEnabled':
      case 'hasFolder':
      case 'createFolder':
        return { signature: 'b', values: [true] }
      case 'networkWallet':
        return { signature: 's', values: ['kdewallet'] }
      case 'open':
        return { signature: 'i', values: [1] }
      case 'hasEntry':
        return { signature: 'b', values: [this.#wallet.has(key())] }
      case 'entryType':
        return { signature: 'i', values: [this.#wallet.has(key()) ? PASSWORD : 0] }
      case 'readPassword':
        return { signature: 's', values: [this.#wallet.get(key()) ?? ''] }
      case 'writePassword':
        this.#wallet.set(key(), textOf(body[3]))
        return { signature: 'i', values: [0] }
      default:
        return undefined
    }
  }
}

/** Rejects when the program ends without a line. */
function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: stream })
      .once('line', resolve)
      .once('close', () => reject(new Error('A program of the desktop ended at once.')))
  })
}
