import type later from '../../../resources/locales/en/later.json'
import { useTexts } from '../../i18n/index.ts'
import { part } from '../../lib/page/part.tsx'
import { defineFeature } from '../../registry/feature.ts'
import { selectParked } from '../../store/composers/unsent.ts'
import { dueCount, selectReminderTimes, useReminderClock } from '../../store/reminders.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { selectCanParticipate } from '../../store/selectors.ts'
import type { Thunk } from '../../store/store.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { laterFiltered, type LaterShown } from '../../store/window/views.ts'

declare module '../../store/window/kinds.ts' {
  interface Routes {
    later: NoProps
  }
  interface Actions {
    reminders: void
    drafts: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    later: typeof later
  }
}

const openLater =
  (shown: LaterShown): Thunk =>
  (dispatch) => {
    dispatch(laterFiltered(shown))
    dispatch(routeOpened({ view: 'later' }))
  }

/** Number of reminders that are due, updated when one becomes due. */
function useDueCount(): number {
  const times = useAppSelector(selectReminderTimes)
  return dueCount(times, useReminderClock(times))
}

export const laterFeature = defineFeature({
  localeAreas: ['later'],
  routes: {
    later: { component: part(async () => (await import('./LaterView.tsx')).LaterView), action: 'reminders' },
  },
  actions: {
    reminders: {
      chords: ['Mod+2', 'Mod+Shift+S'],
      group: 'navigation',
      order: 150,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => dispatch(openLater('all')),
    },
    drafts: {
      chords: ['Mod+3'],
      group: 'navigation',
      order: 160,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => dispatch(openLater('drafts')),
    },
  },
  sidebar: [
    {
      id: 'later',
      order: 30,
      icon: 'bookmark',
      open: routeOpened({ view: 'later' }),
      view: 'later',
      Content({ children }) {
        const t = useTexts('later')
        const due = useDueCount()
        const failed = useAppSelector(selectParked).length
        const needs = [
          ...(due === 0 ? [] : [t('due', { count: due })]),
          ...(failed === 0 ? [] : [t('unsent', { count: failed })]),
        ].join(', ')
        const title = t('title')
        if (needs === '') return children({ title })
        return children({
          title,
          label: `${title}, ${needs}`,
          count: due + failed,
          end: { text: needs, tone: 'alert' },
        })
      },
    },
  ],
})
