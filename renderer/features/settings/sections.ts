import { DEFAULT_SETTINGS, type Settings } from '#shared/domain/settings.ts'
import type { SettingsSection } from '../../store/window/ui.ts'
import type { IconName } from '../../ui/Icon/icon-names.ts'
import type { SettingsChange } from './commands.ts'

export type Field = keyof SettingsChange & keyof typeof DEFAULT_SETTINGS

type Section = {
  readonly name: SettingsSection
  readonly icon: IconName
  /** What "Reset this page" takes back to the defaults. None: nothing on the page is a mere choice. */
  readonly fields: readonly Field[]
}

/** The pages of the settings, in the order of the list beside them. Source: mocks `settings-*`. */
export const SECTIONS: readonly Section[] = [
  {
    name: 'appearance',
    icon: 'palette',
    fields: ['theme', 'accent', 'density', 'messageWidth', 'textScale', 'motion', 'sidebarCollapsed'],
  },
  { name: 'notifications', icon: 'bell', fields: ['notifications'] },
  { name: 'language', icon: 'globe', fields: ['language', 'clock', 'weekStart'] },
  { name: 'composing', icon: 'pencil', fields: ['enterSends', 'upEdits', 'formattingBar', 'undoSendSeconds'] },
  { name: 'reading', icon: 'eye', fields: ['autoRead', 'hiddenMedia'] },
  {
    name: 'privacy',
    icon: 'shield',
    fields: [
      'publishTyping',
      'quietTyping',
      'publishReads',
      'publishDelivery',
      'publishPresence',
      'traceless',
      'locationTracks',
      'lockMinutes',
      'syncDrafts',
      'linkPreviews',
    ],
  },
  { name: 'workspace', icon: 'user', fields: [] },
  { name: 'emoji', icon: 'smile', fields: [] },
  { name: 'desktop', icon: 'monitor', fields: [] },
  { name: 'keyboard', icon: 'keyboard', fields: ['keys'] },
  { name: 'accessibility', icon: 'accessibility', fields: ['theme', 'textScale', 'motion', 'speech', 'noticeSeconds'] },
  { name: 'network', icon: 'server', fields: [] },
  { name: 'storage', icon: 'database', fields: ['keepMessagesDays', 'cacheBudgetMb'] },
  { name: 'advanced', icon: 'settings', fields: [] },
  { name: 'about', icon: 'info', fields: [] },
]

export const fieldsOf = (section: SettingsSection): readonly Field[] =>
  SECTIONS.find(({ name }) => name === section)?.fields ?? []

export const ALL_FIELDS: readonly Field[] = [...new Set(SECTIONS.flatMap(({ fields }) => fields))]

/** These fields of some settings, as a change. */
export const pick = (settings: Settings, fields: readonly Field[]): SettingsChange =>
  Object.fromEntries(fields.map((field) => [field, settings[field]]))
