import type { Cid } from '#shared/lib/brand.ts'
import type data from '../../../resources/locales/en/data.json'
import type desktop from '../../../resources/locales/en/desktop.json'
import type preferences from '../../../resources/locales/en/preferences.json'
import type settings from '../../../resources/locales/en/settings.json'
import { useShortcutGroups } from '../../app/keys/shortcuts.tsx'
import { part } from '../../lib/page/part.tsx'
import { defineFeature, type SettingsPage } from '../../registry/feature.ts'
import { selectCanParticipate } from '../../store/selectors.ts'
import type { SettingsSection } from '../../store/window/kinds.ts'
import { dialogOpened, routeOpened } from '../../store/window/ui.ts'
import { SettingsNav } from './index.ts'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    network: NoProps
    /** Export of the messages stored on this device: of a channel, or all. */
    export: { readonly cid?: Cid }
    /** Saves the account's drafts, settings and unsent messages for another device. */
    saveAccountFile: NoProps
    /** Opens such a file; `id`: one that is open already. */
    openAccountFile: { readonly id?: string }
    shortcuts: NoProps
    /** The recorded problem, before it is saved. */
    problem: NoProps
    /** The viewer's status. */
    status: NoProps
  }
  interface Actions {
    settings: void
    shortcuts: void
    setStatus: void
  }
  interface SettingsPages {
    account: void
    notifications: void
    appearance: void
    messages: void
    language: void
    privacy: void
    accessibility: void
    keyboard: void
    system: void
    advanced: void
    about: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    data: typeof data
    desktop: typeof desktop
    preferences: typeof preferences
    settings: typeof settings
  }
}

const SettingsView = part(async () => (await import('./Settings.tsx')).SettingsView)
const ShortcutSheet = part(async () => (await import('./keys/ShortcutSheet.tsx')).ShortcutSheet)
const KeyboardSettings = part(async () => (await import('./pages.ts')).KeyboardSettings)

const settingsPages = {
  account: { order: 10, icon: 'user', component: part(async () => (await import('./pages.ts')).Account) },
  notifications: {
    order: 20,
    icon: 'bell',
    component: part(async () => (await import('./pages.ts')).Notifications),
    fields: ['notifications'],
  },
  appearance: {
    order: 30,
    icon: 'palette',
    component: part(async () => (await import('./pages.ts')).Appearance),
    fields: ['theme', 'accent', 'density', 'messageWidth', 'textScale', 'motion', 'sidebarCollapsed'],
  },
  messages: {
    order: 40,
    icon: 'chat',
    component: part(async () => (await import('./pages.ts')).Messages),
    fields: [
      'autoRead',
      'linkPreviews',
      'enterSends',
      'undoSendSeconds',
      'formattingBar',
      'syncDrafts',
      'upEdits',
      'hiddenMedia',
      'blurMedia',
    ],
  },
  language: {
    order: 50,
    icon: 'globe',
    component: part(async () => (await import('./pages.ts')).LanguageRegion),
    fields: ['language', 'clock', 'weekStart'],
  },
  privacy: {
    order: 60,
    icon: 'shield',
    component: part(async () => (await import('./pages.ts')).Privacy),
    fields: [
      'publishTyping',
      'quietTyping',
      'publishReads',
      'publishDelivery',
      'publishPresence',
      'awayMinutes',
      'traceless',
      'locationTracks',
      'lockMinutes',
    ],
  },
  accessibility: {
    order: 70,
    icon: 'accessibility',
    component: part(async () => (await import('./pages.ts')).Accessibility),
    fields: ['theme', 'textScale', 'motion', 'speech', 'rowNames', 'letterKeys', 'noticeSeconds'],
  },
  keyboard: {
    order: 80,
    icon: 'keyboard',
    component: () => <KeyboardSettings groups={useShortcutGroups()} />,
    fields: ['keys'],
  },
  system: {
    order: 90,
    icon: 'monitor',
    component: part(async () => (await import('./pages.ts')).AppAndSystem),
    fields: ['keepMessagesDays', 'cacheBudgetMb'],
  },
  advanced: { order: 100, icon: 'settings', component: part(async () => (await import('./pages.ts')).Advanced) },
  about: { order: 110, icon: 'info', inFoot: true, component: part(async () => (await import('./pages.ts')).About) },
} as const satisfies Record<SettingsSection, SettingsPage>

export const settingsFeature = defineFeature({
  localeAreas: ['data', 'desktop', 'preferences', 'settings'],
  routes: { settings: { component: SettingsView, Nav: SettingsNav } },
  dialogs: {
    network: part(async () => (await import('./pages/Network.tsx')).NetworkDialog),
    export: part(async () => (await import('./data/ExportDialog.tsx')).ExportDialog),
    problem: part(async () => (await import('./problem/ProblemDialog.tsx')).ProblemDialog),
    saveAccountFile: part(async () => (await import('./data/SaveAccountFile.tsx')).SaveAccountFile),
    openAccountFile: part(async () => (await import('./data/OpenAccountFile.tsx')).OpenAccountFile),
    status: part(async () => (await import('./status/StatusDialog.tsx')).StatusDialog),
    shortcuts: () => <ShortcutSheet groups={useShortcutGroups()} />,
  },
  actions: {
    settings: {
      chords: ['Mod+,'],
      group: 'window',
      order: 420,
      run: ({ dispatch }) => void dispatch(routeOpened({ view: 'settings', section: 'appearance' })),
    },
    shortcuts: {
      chords: ['Mod+/', '?'],
      group: 'window',
      order: 430,
      inOwnWindow: true,
      run: ({ dispatch }) => void dispatch(dialogOpened({ kind: 'shortcuts' })),
    },
    setStatus: {
      chords: [],
      group: 'window',
      order: 450,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void dispatch(dialogOpened({ kind: 'status' })),
    },
  },
  settings: settingsPages,
  warm() {
    SettingsNav.warm()
    SettingsView.warm()
    Object.values(settingsPages).forEach(({ component }) => 'warm' in component && component.warm())
    KeyboardSettings.warm()
  },
})
