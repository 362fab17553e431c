import { part } from '../../lib/page/part.tsx'

/** Loaded on demand, or shortly after the start. */
export const SettingsNav = part(async () => (await import('./Settings.tsx')).SettingsNav)

export { RecordingChip } from './problem/RecordingChip.tsx'
export type { ShortcutGroup } from '../../store/window/shortcuts.ts'
export { useRows as useSettingRows } from './find/use-rows.ts'
export { useReason } from './notifications/use-reason.ts'
export { changeProfile, saveSidebar, rememberChannels, updateSettings } from './commands.ts'
