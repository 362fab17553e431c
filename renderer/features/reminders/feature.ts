import type { MessageId } from '#shared/lib/brand.ts'
import type reminders from '../../../resources/locales/en/reminders.json'
import { part } from '../../lib/page/part.tsx'
import { defineFeature } from '../../registry/feature.ts'
import { selectCanParticipate } from '../../store/selectors.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { Chip, RemindMenu } from './parts.tsx'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    /** The time of a reminder, as a date or as text. `words`: the text it opens with. */
    reminder: { readonly messageId: MessageId; readonly words?: string }
    /** A reminder of something that is not a message yet. */
    'new-reminder': NoProps
  }
  interface Actions {
    newReminder: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    reminders: typeof reminders
  }
}

export const remindersFeature = defineFeature({
  localeAreas: ['reminders'],
  dialogs: {
    reminder: part(async () => (await import('./ReminderDialog.tsx')).ReminderDialog),
    'new-reminder': part(async () => (await import('./ReminderDialog.tsx')).NewReminderDialog),
  },
  actions: {
    newReminder: {
      chords: [],
      group: 'navigation',
      order: 155,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void dispatch(dialogOpened({ kind: 'new-reminder' })),
    },
  },
  warm() {
    Chip.warm()
    RemindMenu.warm()
  },
  ready: ({ entities }) => (Object.keys(entities.reminders).length > 0 ? Chip.ready() : undefined),
})
