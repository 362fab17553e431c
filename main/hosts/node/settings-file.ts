import Conf from 'conf'
import type { OpenSettingsFile } from '#main/settings/store.ts'

/** `settings.json` where there is no Electron. */
export const confFile: OpenSettingsFile = ({ name, ...options }) => new Conf({ ...options, configName: name })
