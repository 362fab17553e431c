import { composerKey } from '#shared/domain/draft.ts'
import type drafts from '../../../resources/locales/en/drafts.json'
import { useTexts } from '../../i18n/index.ts'
import { part } from '../../lib/page/part.tsx'
import { defineFeature, type ActionContext } from '../../registry/feature.ts'
import { selectDraftCount } from '../../store/composers/unsent.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { selectCanParticipate, selectOpenCid, selectOpenThread } from '../../store/selectors.ts'
import { dialogOpened, routeOpened } from '../../store/window/ui.ts'

declare module '../../store/window/kinds.ts' {
  interface Routes {
    drafts: NoProps
  }
  interface Dialogs {
    /** Earlier drafts of one composer, or of all. */
    'draft-history': { readonly of?: string }
  }
  interface Actions {
    drafts: void
    draftHistory: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    drafts: typeof drafts
  }
}

/** Draft history of the open thread, else of the open channel, else of everything. */
function showHistoryHere({ dispatch, getState }: ActionContext): void {
  const thread = selectOpenThread(getState())
  const cid = selectOpenCid(getState())
  const of = thread === undefined ? cid : composerKey(thread.cid, thread.parentId)
  dispatch(dialogOpened({ kind: 'draft-history', of }))
}

export const draftsFeature = defineFeature({
  localeAreas: ['drafts'],
  routes: { drafts: { component: part(async () => (await import('./DraftsView.tsx')).DraftsView), action: 'drafts' } },
  dialogs: { 'draft-history': part(async () => (await import('./HistoryDialog.tsx')).HistoryDialog) },
  actions: {
    drafts: {
      chords: ['Mod+3'],
      group: 'navigation',
      order: 160,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void dispatch(routeOpened({ view: 'drafts' })),
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
      id: 'drafts',
      under: 'later',
      order: 50,
      icon: 'draft',
      open: routeOpened({ view: 'drafts' }),
      view: 'drafts',
      Content({ children }) {
        const t = useTexts('sidebar')
        const count = useAppSelector(selectDraftCount)
        const title = t('drafts.title')
        if (count === 0) return children({ title })
        return children({
          title,
          label: t('drafts.label', { count }),
          count,
          end: { text: String(count), tone: 'quiet' },
        })
      },
    },
  ],
})
