import { lazy } from 'react'

/** Loaded when someone goes there; fetched beforehand once the first screen stands. */
export const SettingsNav = lazy(async () => ({ default: (await import('./SettingsNav.tsx')).SettingsNav }))
export const SettingsView = lazy(async () => ({ default: (await import('./SettingsView.tsx')).SettingsView }))
export const ExportDialog = lazy(async () => ({ default: (await import('./data/ExportDialog.tsx')).ExportDialog }))
export const NetworkDialog = lazy(async () => ({ default: (await import('./Network.tsx')).NetworkDialog }))
export const ShortcutSheet = lazy(async () => ({ default: (await import('./ShortcutSheet.tsx')).ShortcutSheet }))
export const warmSettings = (): void => void Promise.all([import('./SettingsNav.tsx'), import('./SettingsView.tsx')])

export type { Shortcut, ShortcutGroup } from './keys/shortcut.ts'
export { useRows as useSettingRows } from './find/use-rows.ts'
export { useReason } from './notifications/use-reason.ts'
export { keepSidebar, updateSettings } from './commands.ts'
