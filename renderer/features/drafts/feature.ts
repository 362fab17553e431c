import { composerKey } from '#shared/domain/draft.ts'
import type drafts from '../../../resources/locales/en/drafts.json'
import { part } from '../../lib/page/part.tsx'
import { defineFeature, type ActionContext } from '../../registry/feature.ts'
import { selectCanParticipate, selectOpenCid, selectOpenThread } from '../../store/selectors.ts'
import { dialogOpened } from '../../store/window/ui.ts'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    /** Earlier drafts of one composer, or of all. */
    'draft-history': { readonly of?: string }
  }
  interface Actions {
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
  dialogs: { 'draft-history': part(async () => (await import('./HistoryDialog.tsx')).HistoryDialog) },
  actions: {
    draftHistory: {
      chords: [],
      group: 'composer',
      order: 510,
      allowed: selectCanParticipate,
      inOwnWindow: true,
      run: showHistoryHere,
    },
  },
})
