import type { Settings } from '../../domain/settings.ts'

/** Identifies an exported settings file, so that no other JSON is imported. */
export const SETTINGS_FILE = 'parlor-settings'
export const SETTINGS_FILE_VERSION = 1

/** Positions are not preferences and mean nothing on another device, and saved places are private. */
const LEFT_OUT: readonly (keyof Settings)[] = ['lastChannels', 'leftPlaces', 'places']

/** The settings as a readable JSON file. Contains no secrets: those are not settings. */
export function settingsFile(settings: Settings): string {
  const exported = Object.entries(settings).filter(([field]) => !(LEFT_OUT as readonly string[]).includes(field))
  const file = { kind: SETTINGS_FILE, version: SETTINGS_FILE_VERSION, settings: Object.fromEntries(exported) }
  return `${JSON.stringify(file, null, 2)}\n`
}
