import {
  app,
  powerMonitor,
  BrowserWindow,
  globalShortcut,
  nativeImage,
  Menu,
  type JumpListItem,
  Notification,
  type NotificationConstructorOptions,
} from 'electron'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { AppError } from '#shared/lib/app-error.ts'
import type { Clock } from '#main/lib/clock.ts'
import type {
  Host,
  PowerCapability,
  ProgressCapability,
  ShortcutCapability,
  StartupCapability,
  BadgeCapability,
  AttentionCapability,
  Jump,
  JumpCapability,
  SystemMenuItem,
  NotifierCapability,
  SystemNotice,
} from '../../host.ts'
import { nodeCommands } from '../../node/commands.ts'
import type { Os } from '../../rules/windows/window-options.ts'
import type { ClosingWatch } from './ending.ts'
import type { Downloads } from '../downloads.ts'
import type { Windows } from '../windows/windows.ts'
import { appImageOf } from '../updates/app-image.ts'
import { autostartFile, autostartPath, startCommand } from '../../rules/windows/argv.ts'
import { trayHasPlace, electronTray, systemItemsOf as itemsOf } from './menu.ts'

type DesktopOptions = {
  readonly os: Os
  readonly clock: Clock
  readonly resources: string
  readonly windows: Windows
  readonly closing: ClosingWatch
  readonly downloads: Downloads
}

type Desktop = Pick<
  Host,
  | 'badge'
  | 'attention'
  | 'power'
  | 'tray'
  | 'closing'
  | 'startup'
  | 'shortcut'
  | 'jumps'
  | 'downloads'
  | 'protection'
  | 'progress'
  | 'quit'
>

/** The integration with the desktop. Features that a system lacks do nothing. */
export function electronDesktop({ os, clock, resources, windows, closing, downloads }: DesktopOptions): Desktop {
  const jumps = electronJumps(os)
  return {
    badge: electronBadge(os, resources),
    attention: electronAttention(os, clock),
    power: electronPower(),
    tray: electronTray({ os, resources, hasPlace: () => trayHasPlace(nodeCommands) }),
    // On macOS programs stay in the dock.
    closing: os === 'macos' ? undefined : closing,
    startup: electronStartup(os),
    shortcut: electronShortcut(),
    jumps,
    downloads,
    progress: electronProgress,
    // Linux has no way to exclude a window from screenshots.
    protection: os === 'linux' ? undefined : { set: (on) => windows.protect(on) },
    quit: () => app.quit(),
  }
}

/** Events of the system: sleep, lock and power supply. */
export function electronPower(): PowerCapability {
  return {
    onSuspend: (fn) => void powerMonitor.on('suspend', fn),
    onResume: (fn) => void powerMonitor.on('resume', fn),
    onLock: (fn) => void powerMonitor.on('lock-screen', fn),
    onUnlock: (fn) => void powerMonitor.on('unlock-screen', fn),
    idleMs: () => powerMonitor.getSystemIdleTime() * 1_000,
    onBattery(fn) {
      powerMonitor.on('on-battery', () => fn(true))
      powerMonitor.on('on-ac', () => fn(false))
      fn(powerMonitor.onBatteryPower)
    },
  }
}

/** A progress bar on the icon in the dock or taskbar: of the program on macOS and Linux, of each window on Windows. */
const electronProgress: ProgressCapability = {
  show(share) {
    for (const window of BrowserWindow.getAllWindows()) {
      if (!window.isDestroyed()) window.setProgressBar(share ?? -1)
    }
  },
}

/** One combination per action, registered until the program ends. */
export function electronShortcut(): ShortcutCapability {
  const held = new Map<string, string>()
  return {
    register(what, accelerator, run) {
      const before = held.get(what)
      if (before !== undefined) globalShortcut.unregister(before)
      held.delete(what)
      if (accelerator === undefined) return 'none'
      // Electron would move a combination of ours to the last caller.
      if ([...held.values()].includes(accelerator) || !globalShortcut.register(accelerator, run)) return 'taken'
      held.set(what, accelerator)
      return 'held'
    },
  }
}

/** Launch at login, by the means of each system. */
export function electronStartup(os: Os): StartupCapability {
  return {
    async set({ on, hidden }) {
      try {
        if (os === 'linux') await writeAutostart(on, hidden)
        else app.setLoginItemSettings(loginItem(os, on, hidden))
      } catch (cause) {
        throw new AppError('desktop/startup', { cause })
      }
    },
    startedBySystem: () => os === 'macos' && app.getLoginItemSettings().wasOpenedAtLogin,
  }
}

function loginItem(os: Os, on: boolean, hidden: boolean) {
  if (os === 'macos') return { openAtLogin: on }
  const [path, ...args] = thisCommand(hidden)
  // Windows joins the arguments in its registry.
  return { openAtLogin: on, ...(path === undefined ? {} : { path }), args: args.map((word) => `"${word}"`) }
}

async function writeAutostart(on: boolean, hidden: boolean): Promise<void> {
  const path = autostartPath(process.env, homedir())
  if (!on) return rm(path, { force: true })
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, autostartFile(thisCommand(hidden)), { mode: 0o644 })
}

const thisCommand = (hidden: boolean): readonly string[] =>
  startCommand({
    program: process.execPath,
    appImage: appImageOf(process.env, process.execPath),
    appFolder: app.isPackaged ? undefined : app.getAppPath(),
    hidden,
  })

/** Two digits are too small to read in the corner of an icon. */
const MOST_DRAWN = 9

/** The number on the icon: drawn by the dock and many taskbars; on Windows it is a picture over each window's icon. */
export function electronBadge(os: Os, resources: string): BadgeCapability {
  if (os !== 'windows') return { set: (count) => void app.setBadgeCount(count) }
  let shown = { count: 0, text: '' }
  function draw(window: BrowserWindow): void {
    const { count, text } = shown
    const name = count > MOST_DRAWN ? 'more' : String(count)
    const picture = count === 0 ? null : nativeImage.createFromPath(join(resources, 'tray', `count-${name}.png`))
    window.setOverlayIcon(picture, text)
  }
  app.on('browser-window-created', (_event, window) => draw(window))
  return {
    set(count, text) {
      shown = { count, text }
      for (const window of BrowserWindow.getAllWindows()) if (!window.isDestroyed()) draw(window)
    },
  }
}

/** Long enough to be noticed. */
const ONCE_MS = 3_000

/** Moves the icon in the dock or taskbar, unless a window is focused. */
export function electronAttention(os: Os, clock: Pick<Clock, 'after'>): AttentionCapability {
  const windows = (): BrowserWindow[] => BrowserWindow.getAllWindows().filter((window) => !window.isDestroyed())
  const flash = (on: boolean): void => {
    for (const window of windows()) window.flashFrame(on)
  }
  return {
    draw(how) {
      if (windows().some((window) => window.isFocused())) return
      // The dock stops by itself, after one jump or when Parlor is opened.
      if (os === 'macos') return void app.dock?.bounce(how === 'once' ? 'informational' : 'critical')
      flash(true)
      for (const window of windows()) window.once('focus', () => window.flashFrame(false))
      if (how === 'once') clock.after(ONCE_MS, () => flash(false))
    },
  }
}

/** Longer ones are cut off by Windows, which then drops the whole list. */
const LONGEST = 255

/** The dock's menu on macOS, the jump list on Windows; other taskbars have none for programs. */
export function electronJumps(os: Os): JumpCapability | undefined {
  if (os === 'macos') {
    return {
      set({ tasks, places, accounts }) {
        const groups = [accounts, places, tasks].filter((group) => group.length > 0)
        const items = groups.flatMap((group, at): readonly SystemMenuItem[] =>
          at === 0 ? group : [{ gap: true }, ...group],
        )
        app.dock?.setMenu(Menu.buildFromTemplate(itemsOf(items)))
      },
    }
  }
  if (os !== 'windows') return undefined
  return {
    set({ tasks, places, placesTitle }) {
      app.setJumpList([
        ...(places.length === 0 ? [] : [{ type: 'custom', name: placesTitle, items: places.flatMap(taskOf) } as const]),
        { type: 'tasks', items: tasks.flatMap(taskOf) },
      ])
    },
  }
}

/** Each starts Parlor with a link, which is passed to the running instance; it also works after Parlor has ended. */
function taskOf({ label, link }: Jump): JumpListItem[] {
  if (link === undefined) return []
  return [
    {
      type: 'task',
      title: label.slice(0, LONGEST),
      description: label.slice(0, LONGEST),
      program: process.execPath,
      args: `${app.isPackaged ? '' : `"${app.getAppPath()}" `}"${link}"`,
      iconPath: process.execPath,
      iconIndex: 0,
    },
  ]
}

type OnForgotten = NonNullable<NotifierCapability['onForgotten']>

/** Desktop notifications. Texts are already shortened and cleaned; here they are only shown, handled and removed. */
export function electronNotifier(os: Os): NotifierCapability {
  const shown = new Map<string, Notification>()
  function forget(id: string, notification: Notification): void {
    if (shown.get(id) === notification) shown.delete(id)
  }
  return {
    isAvailable: () => Notification.isSupported(),
    show(notice) {
      shown.get(notice.id)?.close()
      if (!Notification.isSupported()) return notice.onRefused()
      const notification = new Notification(
        optionsOf(os === 'linux' ? { ...notice, body: literal(notice.body) } : notice),
      )
      shown.set(notice.id, notification)
      notification.once('click', notice.onClick)
      notification.once('show', () => notice.onShown?.())
      notification.once('close', () => forget(notice.id, notification))
      notification.once('failed', () => {
        forget(notice.id, notification)
        notice.onRefused()
      })
      notification.on('action', ({ actionIndex }) => notice.actions?.[actionIndex]?.run())
      notification.on('reply', ({ reply }) => notice.reply?.onReply(reply))
      notification.show()
    },
    withdraw(id) {
      shown.get(id)?.close()
      shown.delete(id)
    },
    ...(os === 'windows' ? { onForgotten } : os === 'macos' ? { onForgotten: fromNotificationCenter() } : {}),
  }

  /** Windows preserves notifications across a restart. Those of this run have their own events. */
  function onForgotten(handler: Parameters<OnForgotten>[0]): void {
    Notification.handleActivation(({ arguments: text, reply }) => {
      if (![...shown.keys()].some((id) => text.includes(id))) handler(text, reply)
    })
  }
}

/** macOS returns the notifications of an earlier run; their events come as long as they are referenced. */
function fromNotificationCenter(): OnForgotten {
  const held: Notification[] = []
  async function hold(handler: Parameters<OnForgotten>[0]): Promise<void> {
    held.push(...(await Notification.getHistory()))
    for (const one of held) {
      one.once('click', () => handler(one.id))
      one.once('action', () => handler(one.id))
      one.on('reply', ({ reply }) => handler(one.id, reply))
    }
  }
  // Unsigned programs have no notification center.
  return (handler) => void hold(handler).catch(() => undefined)
}

/** Linux desktops parse markup in a body, and some show nothing where it is invalid. */
const literal = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * Unsupported options are ignored by the system: groups and replies on Linux, buttons there without a server for them.
 */
function optionsOf({
  id,
  title,
  body,
  silent,
  group,
  stays,
  actions,
  reply,
}: SystemNotice): NotificationConstructorOptions {
  return {
    id,
    title,
    body,
    silent,
    ...(group === undefined ? {} : { groupId: group.id, groupTitle: group.title }),
    ...(stays === true ? { timeoutType: 'never', urgency: 'critical' } : {}),
    actions: actions === undefined ? undefined : actions.map(({ label }) => ({ type: 'button', text: label })),
    ...(reply === undefined ? {} : { hasReply: true, replyPlaceholder: reply.placeholder }),
  }
}
