import { ipcMain } from 'electron'
import ElectronStore from 'electron-store'
import type { OpenSettingsFile } from '#main/settings/store.ts'

/** `settings.json` in Electron. */
export const electronStoreFile: OpenSettingsFile = (options) => {
  const file = new ElectronStore(options)
  // The package answers every window that asks where the settings are; Parlor's windows have the bridge for that.
  ipcMain.removeAllListeners('electron-store-get-data')
  return file
}
