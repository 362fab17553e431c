import { DEFAULT_SETTINGS, type Settings } from '#shared/domain/settings.ts'
import type { SettingsSection } from '../../store/window/ui.ts'
import type { IconName } from '../../ui/Icon/icon-names.ts'
import type { SettingsChange } from './commands.ts'

export type Field = keyof SettingsChange & keyof typeof DEFAULT_SETTINGS

type Section = {
  readonly name: SettingsSection
  readonly icon: IconName
  /** Settings that "Reset this page" resets. Empty: the page has nothing to reset. */
  readonly fields: readonly Field[]
}

/** The settings pages in list order. */
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

/** The given fields of the settings as a change. */
export const pick = (settings: Settings, fields: readonly Field[]): SettingsChange =>
  Object.fromEntries(fields.map((field) => [field, settings[field]]))
