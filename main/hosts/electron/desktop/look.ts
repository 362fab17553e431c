import { nativeTheme } from 'electron'
import type { LookCapability } from '../../host.ts'

/** Menus, dialogs and the edges of windows follow the theme of the windows. */
export const electronLook: LookCapability = {
  use(theme) {
    nativeTheme.themeSource = theme === 'system' ? 'system' : theme.endsWith('dark') ? 'dark' : 'light'
  },
}
