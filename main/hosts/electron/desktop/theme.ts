import { nativeTheme } from 'electron'
import type { ThemeCapability } from '../../host.ts'

/** Menus, dialogs and the edges of windows follow the theme of the windows. */
export const electronTheme: ThemeCapability = {
  set(theme) {
    nativeTheme.themeSource = theme === 'system' ? 'system' : theme.endsWith('dark') ? 'dark' : 'light'
  },
}
