import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { app, BrowserWindow, powerMonitor } from 'electron'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answer, callsTo, forgetAll } from '#kit/electron-stub/record.ts'
import { ManualClock } from '#kit/manual-clock.ts'
import type { SystemMenuItem, TrayPicture } from '../../host.ts'
import {
  electronAttention,
  electronBadge,
  electronPower,
  electronShortcut,
  electronStartup,
  electronJumps,
} from '../desktop/desktop.ts'
import { setMenu, electronTray } from '../desktop/menu.ts'

/** The desktop beside the windows: tray, icon, shortcuts, autostart. Electron is the kit's stub. */
beforeEach(forgetAll)
afterEach(() => {
  for (const window of BrowserWindow.getAllWindows()) window.destroy()
  vi.unstubAllEnvs()
})

type Shown = {
  readonly template: { label?: string; type?: string; checked?: boolean; submenu?: unknown; click?(): void }[]
}
const menuOf = (what: string): Shown['template'] => (callsTo(what).at(-1)?.[0] as Shown | undefined)?.template ?? []
const trayMenu = (): Shown['template'] => menuOf('Tray.setContextMenu')

describe('the tray icon', () => {
  const picture = (over: Partial<TrayPicture> = {}): TrayPicture => ({
    mark: 'plain',
    tooltip: 'Parlor',
    items: [],
    onPress: () => {},
    ...over,
  })
  const tray = (os: 'windows' | 'macos' | 'linux' = 'windows', hasPlace = true) =>
    electronTray({ os, resources: '/res', hasPlace: () => Promise.resolve(hasPlace) })
  const path = (what: string): unknown => (callsTo(what).at(-1)?.[0] as { path: string } | undefined)?.path

  test('is created when it is first needed, changes its picture, and is removed', () => {
    const it = tray()
    expect(callsTo('new Tray')).toEqual([])
    it.show(picture())
    it.show(picture({ tooltip: 'Parlor: offline' }))
    expect(path('new Tray')).toBe('/res/tray/color-plain.png')
    expect(callsTo('Tray.setImage')).toEqual([])
    it.show(picture({ mark: 'attention' }))
    expect(path('Tray.setImage')).toBe('/res/tray/color-attention.png')
    expect(callsTo('Tray.setToolTip')).toEqual([['Parlor'], ['Parlor: offline'], ['Parlor']])
    it.show(undefined)
    it.show(picture())
    expect(callsTo('Tray.destroy').length).toBe(1)
    expect(callsTo('new Tray').length).toBe(2)
  })

  test('is drawn by macOS itself, in one color', () => {
    tray('macos').show(picture({ mark: 'mention' }))
    expect(path('new Tray')).toBe('/res/tray/mono-mention.png')
  })

  test('has a menu with items, submenus and checkboxes; each runs its function', () => {
    const done: string[] = []
    const line = (label: string): SystemMenuItem => ({ label, run: () => void done.push(label) })
    tray().show(
      picture({
        items: [
          line('Open'),
          { gap: true },
          { label: 'Quiet', items: [line('R&D')] },
          { label: 'Shown', checked: true, run: () => {} },
        ],
      }),
    )
    const [open, gap, quiet, shown] = trayMenu()
    expect(open?.label).toBe('Open')
    expect(gap?.type).toBe('separator')
    expect(shown?.type).toBe('checkbox')
    expect(shown?.checked).toBe(true)
    open?.click?.()
    const inside = quiet?.submenu as Shown['template'] | undefined
    inside?.[0]?.click?.()
    expect(done).toEqual(['Open', 'R&D'])
    expect(inside?.[0]?.label).toBe('R&&D')
  })

  test('is checked for a tray on Linux only', async () => {
    expect(await tray('linux', false).hasPlace()).toBe(false)
    expect(await tray('windows', false).hasPlace()).toBe(true)
  })
})

describe('the number on the icon', () => {
  test('is passed to the dock and to taskbars that draw it', () => {
    electronBadge('linux', '/res').set(12, 'twelve')
    expect(callsTo('app.setBadgeCount')).toEqual([[12]])
    expect(callsTo('setOverlayIcon')).toEqual([])
  })

  test('is an overlay picture on Windows, with a description, in windows that open later too', () => {
    const badge = electronBadge('windows', '/res')
    const first = new BrowserWindow()
    badge.set(3, 'three unread')
    badge.set(120, 'many unread')
    const second = new BrowserWindow()
    expect(first).not.toBe(second)
    badge.set(0, '')
    const drawn = callsTo('setOverlayIcon').map(([picture, translate]) => [
      (picture as { path: string } | null)?.path,
      translate,
    ])
    expect(drawn).toEqual([
      [undefined, ''],
      ['/res/tray/count-3.png', 'three unread'],
      ['/res/tray/count-more.png', 'many unread'],
      ['/res/tray/count-more.png', 'many unread'],
      [undefined, ''],
      [undefined, ''],
    ])
    app.removeAllListeners('browser-window-created')
  })
})

describe('the icon is animated', () => {
  const flashes = (): unknown[] => callsTo('flashFrame').map(([on]) => on)

  test('for a moment, or until Parlor is opened', async () => {
    const clock = new ManualClock()
    const window = new BrowserWindow()
    electronAttention('windows', clock).draw('once')
    expect(flashes()).toEqual([true])
    await clock.advance(3_000)
    expect(flashes()).toEqual([true, false])
    forgetAll()
    electronAttention('linux', clock).draw('until-opened')
    await clock.advance(60_000)
    expect(flashes()).toEqual([true])
    window.emit('focus')
    expect(flashes()).toContain(false)
  })

  test('by bouncing in the dock, and never while a window is focused', () => {
    const window = new BrowserWindow() as unknown as { focused: boolean }
    electronAttention('macos', new ManualClock()).draw('once')
    window.focused = true
    electronAttention('macos', new ManualClock()).draw('until-opened')
    electronAttention('windows', new ManualClock()).draw('once')
    expect(callsTo('dock.bounce')).toEqual([['informational']])
    expect(flashes()).toEqual([])
  })
})

describe('the menu of the icon', () => {
  const jumps = {
    tasks: [
      { label: 'New message', run: () => {} },
      { label: 'Settings', link: 'parlor://settings/desktop', run: () => {} },
    ],
    places: [{ label: 'x'.repeat(300), link: 'parlor://open/demo/channel/team:a', run: () => {} }],
    accounts: [{ label: 'Cairn', run: () => {} }],
    placesTitle: 'Recent',
  }

  test('of Windows has links, which work after Parlor has ended; its names are cut to length', () => {
    electronJumps('windows')?.set(jumps)
    type List = readonly { name?: string; items: { title: string; args: string }[] }[]
    const [places, tasks] = (callsTo('app.setJumpList')[0]?.[0] as List | undefined) ?? []
    expect(places).toMatchObject({ name: 'Recent', items: [{ args: '"parlor://open/demo/channel/team:a"' }] })
    expect(places?.items[0]?.title).toHaveLength(255)
    expect(tasks?.items.map(({ title }) => title)).toEqual(['Settings'])
  })

  test('of the dock runs functions; other taskbars have none', () => {
    electronJumps('macos')?.set(jumps)
    const template = menuOf('dock.setMenu')
    expect(template.map(({ label, type }) => label ?? type)).toEqual([
      'Cairn',
      'separator',
      'x'.repeat(300),
      'separator',
      'New message',
      'Settings',
    ])
    expect(electronJumps('linux')).toBeUndefined()
  })
})

describe('the menu bar', () => {
  const bar = (): Shown['template'] => menuOf('Menu.setApplicationMenu')
  const inside = (name: string): Shown['template'] =>
    (bar().find(({ label }) => label === name)?.submenu as Shown['template'] | undefined) ?? []

  test('has accounts, runs commands in the focused window, and zooms', () => {
    const done: unknown[] = []
    setMenu({
      os: 'linux',
      devTools: false,
      translate: (_area, key) => key,
      run: (action) => void done.push(action),
      zoom: (by) => void done.push(by),
      accounts: [{ label: 'Cairn', run: () => void done.push('Cairn') }],
    })
    const file = inside('menu.file')
    file.find(({ label }) => label === 'keyboard.actions.newMessage')?.click?.()
    const accounts = file.find(({ label }) => label === 'menu.accounts')?.submenu as Shown['template'] | undefined
    accounts?.[0]?.click?.()
    inside('menu.view')
      .find(({ label }) => label === 'menu.zoomIn')
      ?.click?.()
    expect(done).toEqual(['newMessage', 'Cairn', 1])
  })

  test('has only items that the system names before the language is known', () => {
    setMenu({ os: 'macos', devTools: false, run: () => {}, zoom: () => {} })
    expect(bar().map(({ label }) => label)).toEqual(bar().map(() => undefined))
  })
})

describe('global shortcuts', () => {
  test('are registered one per action and released; those of another program are reported as taken', () => {
    const keys = electronShortcut()
    const nothing = (): void => {}
    expect(keys.register('a', 'CommandOrControl+Shift+P', nothing)).toBe('held')
    expect(keys.register('a', 'F9', nothing)).toBe('held')
    expect(keys.register('b', 'F9', nothing)).toBe('taken')
    expect(keys.register('b', 'F8', nothing)).toBe('held')
    answer('globalShortcut.register', false)
    expect(keys.register('a', 'F10', nothing)).toBe('taken')
    expect(keys.register('a', undefined, nothing)).toBe('none')
    expect(callsTo('globalShortcut.unregister')).toEqual([['CommandOrControl+Shift+P'], ['F9']])
  })
})

describe('launch at login', () => {
  test('is registered on Windows with the arguments of a hidden start, each in quotes', async () => {
    await electronStartup('windows').set({ on: true, hidden: true })
    await electronStartup('windows').set({ on: false, hidden: true })
    expect(callsTo('app.setLoginItemSettings').map(([one]) => one)).toMatchObject([
      { openAtLogin: true, args: ['"--hidden"'] },
      { openAtLogin: false },
    ])
  })

  test('is registered on macOS, which also reports whether it started this run', async () => {
    await electronStartup('macos').set({ on: true, hidden: true })
    expect(callsTo('app.setLoginItemSettings')).toEqual([[{ openAtLogin: true }]])
    answer('app.getLoginItemSettings', { wasOpenedAtLogin: true })
    expect(electronStartup('macos').startedBySystem()).toBe(true)
    expect(electronStartup('linux').startedBySystem()).toBe(false)
  })

  test('is a file on Linux, written and removed; an unwritable folder refuses it', async () => {
    const home = mkdtempSync(join(tmpdir(), 'parlor-autostart-'))
    vi.stubEnv('XDG_CONFIG_HOME', home)
    const file = join(home, 'autostart', 'chat.parlor.desktop.desktop')
    await electronStartup('linux').set({ on: true, hidden: true })
    expect(readFileSync(file, 'utf8')).toContain('"--hidden"')
    await electronStartup('linux').set({ on: false, hidden: true })
    expect(existsSync(file)).toBe(false)
    vi.stubEnv('XDG_CONFIG_HOME', '/dev/null/nowhere')
    await expect(electronStartup('linux').set({ on: true, hidden: false })).rejects.toMatchObject({
      code: 'desktop/startup',
    })
    rmSync(home, { recursive: true })
  })
})

test('sleep, lock, battery and idle time are reported as by the system', () => {
  const received: string[] = []
  const power = electronPower()
  power.onSuspend(() => received.push('suspend'))
  power.onResume(() => received.push('resume'))
  power.onLock(() => received.push('lock'))
  power.onUnlock(() => received.push('unlock'))
  power.onBattery?.((on) => received.push(on ? 'battery' : 'cable'))
  for (const name of ['suspend', 'resume', 'lock-screen', 'unlock-screen', 'on-battery', 'on-ac']) {
    ;(powerMonitor as unknown as { emit(name: string): void }).emit(name)
  }
  expect(received).toEqual(['cable', 'suspend', 'resume', 'lock', 'unlock', 'battery', 'cable'])
  answer('powerMonitor.getSystemIdleTime', 90)
  expect(power.idleMs?.()).toBe(90_000)
  powerMonitor.removeAllListeners()
})
