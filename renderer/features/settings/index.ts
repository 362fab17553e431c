import { part } from '../../lib/page/part.tsx'

/** Loaded when someone goes there; fetched beforehand once the first screen stands. */
export const SettingsNav = part(async () => (await import('./SettingsNav.tsx')).SettingsNav)
export const SettingsView = part(async () => (await import('./SettingsView.tsx')).SettingsView)
export const ExportDialog = part(async () => (await import('./data/ExportDialog.tsx')).ExportDialog)
export const NetworkDialog = part(async () => (await import('./pages/Network.tsx')).NetworkDialog)
export const ShortcutSheet = part(async () => (await import('./keys/ShortcutSheet.tsx')).ShortcutSheet)
export const warmSettings = (): void => {
  SettingsNav.warm()
  SettingsView.warm()
}

export type { ShortcutGroup } from './keys/shortcut.ts'
export { useRows as useSettingRows } from './find/use-rows.ts'
export { useReason } from './notifications/use-reason.ts'
export { saveSidebar, rememberChannels, updateSettings } from './commands.ts'
