import { Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron'
import { textMenu, type TextMenuItem } from '../../rules/windows/text-menu.ts'

/** Electron has no context menu of its own. `words`: the texts of the area `desktop`, in the current language. */
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
