import * as v from 'valibot'
import { settingsSchema } from '#shared/bridge/calls/settings.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { SETTINGS_FILE, SETTINGS_FILE_VERSION } from '#shared/rules/desktop/settings-file.ts'
import { readFields } from './store.ts'

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
