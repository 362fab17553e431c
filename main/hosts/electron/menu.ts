import { Menu, type MenuItemConstructorOptions } from 'electron'
import type { HostWords } from '../host.ts'
import { MENU_ACTIONS, type MenuAction, type MenuName } from '../rules/menu.ts'
import type { Os } from '../rules/window-options.ts'

export type MenuOptions = {
  readonly os: Os
  readonly devTools: boolean
  /** Absent until the person's language is known: then only what the system names by itself stands in the bar. */
  readonly words?: HostWords
  /** Asks the window in front to do it. */
  readonly run: (action: MenuAction) => void
}

/**
 * Editing and window commands by role, so that the system names them in its own language; the others from the registry of
 * the windows, by its names. On Windows and Linux the bar hides behind Alt; without a menu copy and paste would not work
 * on macOS.
 */
export function setMenu({ os, devTools, words, run }: MenuOptions): void {
  const own = (name: MenuName): MenuItemConstructorOptions[] =>
    words === undefined ? [] : [{ label: words('common', `system.menu.${name}`), submenu: itemsOf(name, words, run) }]
  const template: MenuItemConstructorOptions[] = [
    ...(os === 'macos' ? [{ role: 'appMenu' } as const] : []),
    ...own('file'),
    { role: 'editMenu' },
    {
      role: 'viewMenu',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(devTools ? [{ role: 'toggleDevTools' } as const] : []),
      ],
    },
    ...own('go'),
    { role: 'windowMenu' },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

/** No keys stand here: the window has them, and a second listener would do everything twice. */
const itemsOf = (name: MenuName, words: HostWords, run: MenuOptions['run']): MenuItemConstructorOptions[] =>
  MENU_ACTIONS[name].flatMap((group, at): MenuItemConstructorOptions[] => [
    ...(at === 0 ? [] : [{ type: 'separator' } as const]),
    ...group.map((action) => ({ label: words('settings', `keyboard.actions.${action}`), click: () => run(action) })),
  ])
