import { Menu, type MenuItemConstructorOptions } from 'electron'

/**
 * Editing and window commands by role, so that the system names them in its own language. On Windows and Linux the bar
 * hides behind Alt; without a menu copy and paste would not work on macOS.
 */
export function setMenu(os: 'windows' | 'macos' | 'linux', devTools: boolean): void {
  const template: MenuItemConstructorOptions[] = [
    ...(os === 'macos' ? [{ role: 'appMenu' } as const] : []),
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
    { role: 'windowMenu' },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
