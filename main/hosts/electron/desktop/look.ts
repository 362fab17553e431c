import { nativeTheme } from 'electron'
import type { LookCapability } from '../../host.ts'

/** Menus, dialogs and the edges of windows are light or dark with the windows' own theme. */
export const electronLook: LookCapability = {
  use(theme) {
    nativeTheme.themeSource = theme === 'system' ? 'system' : theme.endsWith('dark') ? 'dark' : 'light'
  },
}
