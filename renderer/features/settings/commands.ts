import type { Settings } from '#shared/domain/settings.ts'
import { command } from '../../store/command.ts'

/** Some of the settings. */
export type SettingsChange = Partial<Settings>

/** Changes some settings; the answer comes back as an entity, to every window. */
export const updateSettings = command('settings/changed', ({ closedSections, ...rest }: SettingsChange, engine) =>
  engine.settings.update({ ...rest, ...(closedSections === undefined ? {} : { closedSections: [...closedSections] }) }),
)
