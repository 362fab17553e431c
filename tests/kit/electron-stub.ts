import { recorders } from './electron-standin/recorders.ts'

/**
 * Stands where `electron` would be imported in unit tests: the package itself would try to download its binary. Each part
 * remembers what it was told (`electron-standin/record.ts`) and speaks when a test makes it emit. What is not here is
 * `undefined`: code outside of `main/hosts/electron` is handed capabilities through ports instead.
 */
export const { Notification, Tray, nativeImage, globalShortcut, Menu, dialog, shell, screen } = recorders
export const { autoUpdater, nativeTheme, powerMonitor, safeStorage } = recorders
export { app, BrowserWindow, session } from './electron-parts.ts'
