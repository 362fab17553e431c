import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { settingsSchema } from '#shared/bridge/calls/settings.ts'
import { DEFAULT_SETTINGS, type Settings } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { SETTINGS_FILE, SETTINGS_FILE_VERSION } from '#shared/rules/desktop/desktop.ts'
import { asDiskError } from '#main/lib/disk-error.ts'
import { logger, type LogSink } from '#main/lib/logger.ts'
import { changeTimes, type ChangeTimes } from './carried-settings.ts'
import { type Profile, profileSchema, SIGNED_OUT_PROFILE } from './profile.ts'

const NAME = 'settings'

/** `undefined` leaves a setting unchanged. */
export type SettingsChanges = { readonly [Name in keyof Settings]?: Settings[Name] | undefined }

/** Settings and profile, in `DATA/settings.json`. Contains no secrets. */
export type SettingsStore = {
  settings(): Settings
  /** What the user chose, also where a policy requires something else. */
  chosen(): Settings
  /**
   * Returns the new settings; already on disk. Throws `disk/full` and similar errors, and then nothing has changed. `times`:
   * when parts were changed, where it was not now.
   */
  update(changes: SettingsChanges, times?: ChangeTimes): Settings
  /** When parts of the settings were last changed. */
  times(): ChangeTimes
  profile(): Profile
  saveProfile(changes: Partial<Profile>): Profile
}

/** A JSON object on disk. `set` writes the whole file, by a temporary one that is flushed and renamed. */
type SettingsFile = {
  get(section: keyof Sections): unknown
  set(sections: Partial<Sections>): void
}
type Sections = { settings: Settings; profile: Profile; times: ChangeTimes }

/** How each host opens the file: both write one format, so they can use the same profile one after the other. */
export type OpenSettingsFile = (options: SettingsFileOptions) => SettingsFile
type SettingsFileOptions = {
  readonly cwd: string
  /** Without `.json`. */
  readonly name: string
  readonly configFileMode: number
  readonly accessPropertiesByDotNotation: false
  readonly clearInvalidConfig: false
}

/** Reads the file once; invalid fields get their defaults one by one, and a damaged file is renamed. */
export function openSettings(
  dataFolder: string,
  sink: LogSink,
  openFile: OpenSettingsFile,
  now: () => number = Date.now,
): SettingsStore {
  const log = logger('settings', sink)
  renameDamaged(join(dataFolder, `${NAME}.json`), (problem) => log.warn('damaged', { problem }))
  const file = openFile({
    cwd: dataFolder,
    name: NAME,
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    // A damaged file was renamed above; clearing it silently would hide the loss.
    clearInvalidConfig: false,
  })
  let settings = readSettings(file.get('settings'), (field) => log.warn('field-refused', { field }))
  let times = readTimes(file.get('times'))
  let profile = readProfile(file.get('profile'), () => log.warn('profile-refused'))
  return {
    settings: () => settings,
    chosen: () => settings,
    update(changes, at) {
      const changed = { ...settings, ...definedOnly(changes) }
      const changedTimes = at ?? changeTimes(times, settings, changed, now())
      const isTimed = changedTimes !== times
      writeOrThrow(() => file.set({ settings: changed, ...(isTimed ? { times: changedTimes } : {}) }))
      times = changedTimes
      return (settings = changed)
    },
    times: () => times,
    profile: () => profile,
    saveProfile(changes) {
      const changed = withoutAbsent({ ...profile, ...changes })
      writeOrThrow(() => file.set({ profile: changed }))
      return (profile = changed)
    },
  }
}

/** Throws disk errors as `AppError`; nothing has changed then. */
function writeOrThrow(write: () => void): void {
  try {
    write()
  } catch (error) {
    throw asDiskError(error, `${NAME}.json`)
  }
}

function renameDamaged(path: string, onDamage: (problem: string) => void): void {
  const problem = problemOf(path)
  if (problem === undefined) return
  onDamage(problem)
  renameSync(path, freeName(path))
}

function problemOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'not an object'
  } catch (error) {
    return error instanceof SyntaxError ? 'not JSON' : 'unreadable'
  }
}

function freeName(path: string): string {
  let attempt = 1
  while (existsSync(`${path}.damaged-${attempt}`)) attempt += 1
  return `${path}.damaged-${attempt}`
}

function readSettings(stored: unknown, onRefused: (field: string) => void): Settings {
  return { ...DEFAULT_SETTINGS, ...readFields(stored, onRefused) }
}

/** Each field separately: an invalid value must not affect the others. */
function readFields(stored: unknown, onRefused: (field: string) => void): Partial<Settings> {
  const given = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {}
  const accepted: Record<string, unknown> = {}
  for (const [field, schema] of Object.entries(settingsSchema.entries)) {
    if (given[field] === undefined) continue
    const parsed = v.safeParse(schema, given[field])
    if (parsed.success) accepted[field] = parsed.output
    else onRefused(field)
  }
  return accepted
}

const timesSchema = v.record(v.string(), v.pipe(v.number(), v.minValue(0)))

/** Without them every change counts as old: nothing else depends on them. */
function readTimes(stored: unknown): ChangeTimes {
  const parsed = v.safeParse(timesSchema, stored)
  return parsed.success ? parsed.output : {}
}

function readProfile(stored: unknown, onRefused: () => void): Profile {
  if (stored === undefined) return SIGNED_OUT_PROFILE
  const parsed = v.safeParse(profileSchema, stored)
  if (parsed.success) return withoutAbsent(parsed.output)
  onRefused()
  return SIGNED_OUT_PROFILE
}

export const definedOnly = (changes: SettingsChanges): Partial<Settings> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))

const withoutAbsent = (profile: Profile): Profile =>
  Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined)) as Profile

const fileSchema = v.object({
  kind: v.literal(SETTINGS_FILE),
  version: v.pipe(v.number(), v.integer(), v.maxValue(SETTINGS_FILE_VERSION)),
  settings: v.record(v.string(), v.unknown()),
})

/**
 * The valid fields of a settings file, and the names of the invalid ones: of the wrong type, or unknown. A text that is
 * not such a file throws `settings/not-a-file`.
 */
export function readSettingsFile(text: string): { changes: Partial<Settings>; refused: readonly string[] } {
  const file = v.safeParse(fileSchema, jsonOf(text))
  if (!file.success) throw new AppError('settings/not-a-file')
  const { settings } = file.output
  const refused = Object.keys(settings).filter((field) => !(field in settingsSchema.entries))
  const {
    lastChannels: _elsewhere,
    leftPlaces: _left,
    places: _own,
    ...changes
  } = readFields(settings, (field) => refused.push(field))
  return { changes, refused }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
