import type { MessageId } from '#shared/lib/brand.ts'
import type reminders from '../../../resources/locales/en/reminders.json'
import { useTexts } from '../../i18n/index.ts'
import { part } from '../../lib/page/part.tsx'
import { defineFeature } from '../../registry/feature.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { selectParked } from '../../store/composers/unsent.ts'
import { dueCount, selectReminderTimes, useReminderClock } from '../../store/reminders.ts'
import { selectCanParticipate } from '../../store/selectors.ts'
import { routeOpened } from '../../store/window/ui.ts'

declare module '../../store/window/kinds.ts' {
  interface Routes {
    reminders: NoProps
  }
  interface Dialogs {
    /** The time of a reminder, as a date or as text. `words`: the text it opens with. */
    reminder: { readonly messageId: MessageId; readonly words?: string }
  }
  interface Actions {
    reminders: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    reminders: typeof reminders
  }
}

/** Number of reminders that are due, updated when one becomes due. */
function useDueCount(): number {
  const times = useAppSelector(selectReminderTimes)
  return dueCount(times, useReminderClock(times))
}

export const remindersFeature = defineFeature({
  localeAreas: ['reminders'],
  routes: {
    reminders: {
      component: part(async () => (await import('./RemindersView.tsx')).RemindersView),
      action: 'reminders',
    },
  },
  dialogs: { reminder: part(async () => (await import('./ReminderDialog.tsx')).ReminderDialog) },
  actions: {
    reminders: {
      chords: ['Mod+2', 'Mod+Shift+S'],
      group: 'navigation',
      order: 150,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void dispatch(routeOpened({ view: 'reminders' })),
    },
  },
  sidebar: [
    {
      id: 'later',
      order: 30,
      icon: 'bookmark',
      open: routeOpened({ view: 'reminders' }),
      Content({ children }) {
        const t = useTexts('reminders')
        const due = useDueCount()
        const failed = useAppSelector(selectParked).length
        const needs = [
          ...(due === 0 ? [] : [t('due', { count: due })]),
          ...(failed === 0 ? [] : [t('later.notSent', { count: failed })]),
        ].join(', ')
        const title = t('later.title')
        if (needs === '') return children({ title })
        return children({
          title,
          label: `${title}, ${needs}`,
          count: due + failed,
          end: { text: needs, tone: 'alert' },
        })
      },
    },
    {
      id: 'reminders',
      under: 'later',
      order: 40,
      icon: 'alarm',
      open: routeOpened({ view: 'reminders' }),
      view: 'reminders',
      Content({ children }) {
        const t = useTexts('reminders')
        const count = useDueCount()
        if (count === 0) return children({ title: t('title') })
        const end = { text: String(count), tone: 'alert' } as const
        return children({ title: t('title'), label: t('sidebar', { count }), count, end })
      },
    },
  ],
})
