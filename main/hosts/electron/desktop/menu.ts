import { join } from 'node:path'
import { Menu, type MenuItemConstructorOptions, type BrowserWindow, nativeImage, Tray } from 'electron'
import type {
  HostTranslate,
  SystemMenuItem,
  TrayCapability,
  TrayMark,
  TrayPicture,
  CommandCapability,
} from '../../host.ts'
import {
  type Os,
  MENU_ACTIONS,
  type MenuAction,
  type MenuName,
  textMenu,
  type TextMenuItem,
} from '../../rules/windows/window-options.ts'

type TrayOptions = {
  readonly os: Os
  readonly resources: string
  /** Queries whether the desktop shows tray icons; only needed on Linux. */
  readonly hasPlace: () => Promise<boolean>
}

/** Created when it is first needed: an unused one shows as an empty square on some desktops. */
export function electronTray({ os, resources, hasPlace }: TrayOptions): TrayCapability {
  let tray: Tray | undefined
  let shown: TrayMark | undefined
  let press = (): void => undefined

  function mark(name: TrayMark) {
    // macOS draws these itself, in the color of its bar.
    const image = nativeImage.createFromPath(
      join(resources, 'tray', `${os === 'macos' ? 'mono' : 'color'}-${name}.png`),
    )
    if (os === 'macos') image.setTemplateImage(true)
    return image
  }

  function make(name: TrayMark): Tray {
    const made = new Tray(mark(name))
    made.on('click', () => press())
    return made
  }

  function show({ mark: name, tooltip, items, onPress }: TrayPicture): void {
    press = onPress
    if (!tray) tray = make(name)
    else if (shown !== name) tray.setImage(mark(name))
    shown = name
    tray.setToolTip(tooltip)
    // On macOS a click would open the menu without an event; Linux shows no icon without a menu.
    tray.setContextMenu(Menu.buildFromTemplate(systemItemsOf(items)))
  }

  return {
    hasPlace: () => (os === 'linux' ? hasPlace() : Promise.resolve(true)),
    show(picture) {
      if (picture) return show(picture)
      tray?.destroy()
      tray = undefined
      shown = undefined
    },
  }
}

export const systemItemsOf = (items: readonly SystemMenuItem[]): MenuItemConstructorOptions[] =>
  items.map((item): MenuItemConstructorOptions => {
    if ('gap' in item) return { type: 'separator' }
    // A single & would mark the access key of the item.
    const label = item.label.replaceAll('&', '&&')
    if ('items' in item) return { label, submenu: systemItemsOf(item.items) }
    const { checked, run } = item
    return { label, click: () => run(), ...(checked === undefined ? {} : { type: 'checkbox', checked }) }
  })

const WATCHER = 'org.kde.StatusNotifierWatcher'
/** Two programs that query the session's bus; most desktops have one of them. */
const QUESTIONS: readonly (readonly string[])[] = [
  [
    'gdbus',
    ...'call --session --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus'.split(' '),
    ...'--method org.freedesktop.DBus.NameHasOwner'.split(' '),
    WATCHER,
  ],
  [
    'dbus-send',
    ...'--session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus'.split(' '),
    'org.freedesktop.DBus.NameHasOwner',
    `string:${WATCHER}`,
  ],
]

/**
 * Whether this desktop shows tray icons. If unknown, it does not: a hidden window that
 * cannot be found again is worse than a program that ends.
 */
export async function trayHasPlace(commands: CommandCapability): Promise<boolean> {
  for (const question of QUESTIONS) {
    try {
      return /\btrue\b/.test(await commands.run(question))
    } catch {
      // Not installed, or no bus: try the next one.
    }
  }
  return false
}

type MenuOptions = {
  readonly os: Os
  readonly devTools: boolean
  /** Absent until the user's language is known: until then the bar has only the items that the system names. */
  readonly translate?: HostTranslate
  /** Runs the command in the focused window. */
  readonly run: (action: MenuAction) => void
  readonly zoom: (by: 1 | -1 | 'actual') => void
  /** The accounts to switch to, each with its problem. */
  readonly accounts?: readonly SystemMenuItem[]
}

/** The label of a menu, or nothing until the language is known. */
type Label = (key: string) => { readonly label: string } | undefined

/**
 * Editing and window commands by role, so that the system runs them; the others from the command registry of the
 * windows. On Windows and Linux the bar is shown with Alt; without a menu copy and paste would not work on macOS.
 */
export function setMenu({ os, devTools, translate, run, zoom, accounts = [] }: MenuOptions): void {
  const label: Label = (key) => translate && { label: translate('desktop', `menu.${key}`) }
  const own = (name: MenuName): MenuItemConstructorOptions[] =>
    translate === undefined ? [] : itemsOf(name, translate, run)
  const file: MenuItemConstructorOptions[] = [
    ...own('file'),
    ...(accounts.length === 0 ? [] : [GAP, { ...label('accounts'), submenu: systemItemsOf(accounts) }]),
    ...(os === 'macos' ? [] : [{ type: 'separator' } as const, { role: 'quit', ...label('quit') } as const]),
  ]
  const go = own('go')
  const template: MenuItemConstructorOptions[] = [
    ...(os === 'macos' ? [{ role: 'appMenu', submenu: appItems(label) } as const] : []),
    ...(translate === undefined ? [] : [{ ...label('file'), submenu: file }]),
    { role: 'editMenu', ...label('edit'), submenu: editItems(label) },
    { role: 'viewMenu', ...label('view'), submenu: viewItems(label, zoom, devTools) },
    ...(go.length === 0 ? [] : [{ ...label('go'), submenu: go }]),
    { role: 'windowMenu', ...label('window'), submenu: windowItems(label, os) },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

const GAP: MenuItemConstructorOptions = { type: 'separator' }

const appItems = (label: Label): MenuItemConstructorOptions[] => [
  { role: 'about', ...label('about') },
  GAP,
  { role: 'services', ...label('services') },
  GAP,
  { role: 'hide', ...label('hide') },
  { role: 'hideOthers', ...label('hideOthers') },
  { role: 'unhide', ...label('unhide') },
  GAP,
  { role: 'quit', ...label('quit') },
]

const editItems = (label: Label): MenuItemConstructorOptions[] => [
  { role: 'undo', ...label('undo') },
  { role: 'redo', ...label('redo') },
  GAP,
  { role: 'cut', ...label('cut') },
  { role: 'copy', ...label('copy') },
  { role: 'paste', ...label('paste') },
  { role: 'pasteAndMatchStyle', ...label('pastePlain') },
  { role: 'selectAll', ...label('selectAll') },
]

/** Not the roles, because they forget the zoom when Parlor ends. The keys are those of the roles. */
const viewItems = (label: Label, zoom: MenuOptions['zoom'], devTools: boolean): MenuItemConstructorOptions[] => [
  { label: 'Actual Size', ...label('actualSize'), accelerator: 'CommandOrControl+0', click: () => zoom('actual') },
  { label: 'Zoom In', ...label('zoomIn'), accelerator: 'CommandOrControl+Plus', click: () => zoom(1) },
  // The same key without Shift on most layouts.
  {
    label: 'Zoom In',
    ...label('zoomIn'),
    accelerator: 'CommandOrControl+=',
    visible: false,
    acceleratorWorksWhenHidden: true,
    click: () => zoom(1),
  },
  { label: 'Zoom Out', ...label('zoomOut'), accelerator: 'CommandOrControl+-', click: () => zoom(-1) },
  GAP,
  { role: 'togglefullscreen', ...label('fullScreen') },
  ...(devTools ? [{ role: 'toggleDevTools', ...label('devTools') } as const] : []),
]

const windowItems = (label: Label, os: Os): MenuItemConstructorOptions[] => [
  { role: 'minimize', ...label('minimize') },
  { role: 'close', ...label('close') },
  ...(os === 'macos'
    ? [{ role: 'zoom', ...label('zoom') } as const, GAP, { role: 'front', ...label('front') } as const]
    : []),
]

/** No accelerators here: the window handles the keys, and a second listener would run everything twice. */
const itemsOf = (name: MenuName, translate: HostTranslate, run: MenuOptions['run']): MenuItemConstructorOptions[] =>
  MENU_ACTIONS[name].flatMap((group, at): MenuItemConstructorOptions[] => [
    ...(at === 0 ? [] : [{ type: 'separator' } as const]),
    ...group.map((action) => ({
      label: translate('settings', `keyboard.actions.${action}`),
      click: () => run(action),
    })),
  ])

/** Electron has no default context menu. `translate` returns texts of the area `desktop`. */
export function watchTextMenu(window: BrowserWindow, translate: (key: string) => string): void {
  const { webContents } = window
  const drawn = (item: TextMenuItem): MenuItemConstructorOptions => {
    switch (item.kind) {
      case 'gap':
        return { type: 'separator' }
      case 'word':
        return { label: item.word, click: () => webContents.replaceMisspelling(item.word) }
      case 'learn':
        return {
          label: translate('menu.learnWord'),
          click: () => webContents.session.addWordToSpellCheckerDictionary(item.word),
        }
      case 'edit':
        return { role: item.role, label: translate(`menu.${item.role}`) }
    }
  }
  webContents.on('context-menu', (_event, params) => {
    const items = textMenu(params).map(drawn)
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
  })
}
