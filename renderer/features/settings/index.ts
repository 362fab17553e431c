import { part } from '../../lib/page/part.tsx'

/** Loaded on demand, or shortly after the start. */
export const SettingsNav = part(async () => (await import('./Settings.tsx')).SettingsNav)

export { RecordingChip } from './problem/RecordingChip.tsx'
export { useRows as useSettingRows } from './find/use-rows.ts'
export { changeProfile, saveSidebar, rememberChannels, updateSettings } from './commands.ts'
