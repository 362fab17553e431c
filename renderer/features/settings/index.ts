export { SettingsNav } from './SettingsNav.tsx'
export { SettingsView } from './SettingsView.tsx'
export { ShortcutSheet, type Shortcut, type ShortcutGroup } from './Keyboard.tsx'
export { updateSettings } from './commands.ts'
