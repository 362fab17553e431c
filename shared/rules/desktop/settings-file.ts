import type { Settings } from '../../domain/settings.ts'

/** What a file of settings says of itself, so that no other JSON is taken for one. */
export const SETTINGS_FILE = 'parlor-settings'
export const SETTINGS_FILE_VERSION = 1

/** Where one stood last is no wish, means nothing on another computer, and the places are no one else's business. */
const LEFT_OUT: readonly (keyof Settings)[] = ['lastChannels', 'leftPlaces', 'places']

/** The settings as a file (JSON, readable). Holds no secret: those are not among the settings. */
export function settingsFile(settings: Settings): string {
  const kept = Object.entries(settings).filter(([field]) => !(LEFT_OUT as readonly string[]).includes(field))
  const file = { kind: SETTINGS_FILE, version: SETTINGS_FILE_VERSION, settings: Object.fromEntries(kept) }
  return `${JSON.stringify(file, null, 2)}\n`
}
