import { composerKey } from '#shared/domain/draft.ts'
import type drafts from '../../../resources/locales/en/drafts.json'
import type later from '../../../resources/locales/en/later.json'
import { useTexts } from '../../i18n/index.ts'
import { part } from '../../lib/page/part.tsx'
import { defineFeature, type ActionContext } from '../../registry/feature.ts'
import { selectParked } from '../../store/composers/unsent.ts'
import { dueCount, selectReminderTimes, useReminderClock } from '../../store/reminders.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { selectCanParticipate, selectOpenCid, selectOpenThread } from '../../store/selectors.ts'
import { dialogOpened, routeOpened } from '../../store/window/ui.ts'
import { laterFiltered } from '../../store/window/views.ts'

declare module '../../store/window/kinds.ts' {
  interface Routes {
    later: NoProps
  }
  interface Dialogs {
    /** Earlier drafts of one composer, or of all. */
    'draft-history': { readonly of?: string }
  }
  interface Actions {
    reminders: void
    drafts: void
    draftHistory: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    later: typeof later
    drafts: typeof drafts
  }
}

function openDrafts({ dispatch }: ActionContext): void {
  dispatch(laterFiltered('drafts'))
  dispatch(routeOpened({ view: 'later' }))
}

/** Draft history of the open thread, else of the open channel, else of everything. */
function showHistoryHere({ dispatch, getState }: ActionContext): void {
  const thread = selectOpenThread(getState())
  const cid = selectOpenCid(getState())
  const of = thread === undefined ? cid : composerKey(thread.cid, thread.parentId)
  dispatch(dialogOpened({ kind: 'draft-history', of }))
}

/** Number of reminders that are due, updated when one becomes due. */
function useDueCount(): number {
  const times = useAppSelector(selectReminderTimes)
  return dueCount(times, useReminderClock(times))
}

/** About how many letters fit beside the name of a row of the sidebar. */
const ROOM = 18

export const laterFeature = defineFeature({
  localeAreas: ['later', 'drafts'],
  routes: {
    later: { component: part(async () => (await import('./LaterView.tsx')).LaterView), action: 'reminders' },
  },
  dialogs: { 'draft-history': part(async () => (await import('./drafts/HistoryDialog.tsx')).HistoryDialog) },
  actions: {
    reminders: {
      chords: ['Mod+2', 'Mod+Shift+S'],
      group: 'navigation',
      order: 150,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void dispatch(routeOpened({ view: 'later' })),
    },
    drafts: {
      chords: ['Mod+3'],
      group: 'navigation',
      order: 160,
      allowed: selectCanParticipate,
      run: openDrafts,
    },
    draftHistory: {
      chords: [],
      group: 'composer',
      order: 510,
      allowed: selectCanParticipate,
      inOwnWindow: true,
      run: showHistoryHere,
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
        const title = t('title')
        const needs = [
          ...(due === 0 ? [] : [t('due', { count: due })]),
          ...(failed === 0 ? [] : [t('unsent', { count: failed })]),
        ]
        if (needs.length === 0) return children({ title })
        const said = needs.join(', ')
        const shown = needs.length > 1 && said.length > ROOM ? t('waiting', { count: due + failed }) : said
        return children({
          title,
          label: `${title}, ${said}`,
          count: due + failed,
          end: { text: shown, tone: 'alert' },
        })
      },
    },
  ],
})
