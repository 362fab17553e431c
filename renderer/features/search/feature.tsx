import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type search from '../../../resources/locales/en/search.json'
import { useTexts } from '../../i18n/index.ts'
import { part, typedPart } from '../../lib/page/part.tsx'
import { defineFeature, type ActionContext } from '../../registry/feature.ts'
import { selectCanParticipate, selectOpenCid } from '../../store/selectors.ts'
import { routeOpened, searchOpened } from '../../store/window/ui.ts'

declare module '../../store/window/kinds.ts' {
  interface Routes {
    /** Mentions of the viewer, and reactions to their messages. */
    mentions: NoProps
  }
  interface Panels {
    /** A search result in the context of its neighboring messages. */
    context: { readonly cid: Cid; readonly messageId: MessageId }
  }
  interface Actions {
    search: void
    searchHere: void
    mentions: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    search: typeof search
  }
}

const SearchView = typedPart(async () => (await import('./SearchView.tsx')).SearchView)
const ContextPanel = part(async () => (await import('./results/ContextPanel.tsx')).ContextPanel)

/** Searches the open channel, or everything when none is open. In the search view it focuses the field again. */
function searchHere({ dispatch, getState }: ActionContext): void {
  const { route, search } = getState().ui
  const cid = route.view === 'search' ? search?.cid : selectOpenCid(getState())
  dispatch(searchOpened(cid === undefined ? {} : { cid }))
}

export const searchFeature = defineFeature({
  localeAreas: ['search'],
  routes: {
    search: { component: SearchView },
    mentions: { component: part(async () => (await import('./MentionsView.tsx')).MentionsView), action: 'mentions' },
  },
  // Another result of the same channel moves the list that is open.
  panels: { context: { component: ContextPanel, keyOf: ({ cid }) => cid } },
  actions: {
    search: {
      chords: ['Mod+Shift+F'],
      group: 'navigation',
      order: 20,
      run: ({ dispatch }) => void dispatch(searchOpened({})),
    },
    searchHere: { chords: ['Mod+F'], group: 'navigation', order: 30, inOwnWindow: true, run: searchHere },
    mentions: {
      chords: ['Mod+Shift+M'],
      group: 'navigation',
      order: 180,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void dispatch(routeOpened({ view: 'mentions' })),
    },
  },
  sidebar: [
    {
      id: 'mentions',
      under: 'catch-up',
      order: 25,
      icon: 'at',
      open: routeOpened({ view: 'mentions' }),
      view: 'mentions',
      Content: ({ children }) => children({ title: useTexts('unread')('mentions.title') }),
    },
  ],
  warmFirst: SearchView.warm,
  warm() {
    ContextPanel.warm()
  },
})
