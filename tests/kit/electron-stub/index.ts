import { recorders } from './recorders.ts'

/**
 * Replaces `electron` in unit tests: the package itself would try to download its binary. Each part records its calls
 * (`record.ts`) and emits events when a test makes it. What is missing here is `undefined`: code
 * outside `main/hosts/electron` gets capabilities through ports instead.
 */
export const { Notification, Tray, nativeImage, globalShortcut, Menu, dialog, shell, screen } = recorders
export const { autoUpdater, nativeTheme, powerMonitor } = recorders
export { app, BrowserWindow, session } from './parts.ts'
