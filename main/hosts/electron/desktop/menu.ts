import { Menu, type MenuItemConstructorOptions, type BrowserWindow } from 'electron'
import type { HostTranslate, SystemMenuItem } from '../../host.ts'
import {
  type Os,
  MENU_ACTIONS,
  type MenuAction,
  type MenuName,
  textMenu,
  type TextMenuItem,
} from '../../rules/windows/window-options.ts'
import { itemsOf as systemItems } from './tray.ts'

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
    ...(accounts.length === 0 ? [] : [GAP, { ...label('accounts'), submenu: systemItems(accounts) }]),
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
