import { BrowserWindow } from 'electron'
import type { ProgressCapability } from '../../host.ts'

/** A progress bar on the icon in the dock or taskbar: of the program on macOS and Linux, of each window on Windows. */
export const electronProgress: ProgressCapability = {
  show(share) {
    for (const window of BrowserWindow.getAllWindows()) {
      if (!window.isDestroyed()) window.setProgressBar(share ?? -1)
    }
  },
}
