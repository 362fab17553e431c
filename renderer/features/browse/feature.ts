import type browse from '../../../resources/locales/en/browse.json'
import { typedPart } from '../../lib/page/part.tsx'
import { useTexts } from '../../i18n/index.ts'
import { defineFeature } from '../../registry/feature.ts'
import { selectCanParticipate } from '../../store/selectors.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { useInvites } from '../sidebar/index.ts'

declare module '../../store/window/kinds.ts' {
  interface Routes {
    /** All channels visible to the viewer. */
    browse: NoProps
  }
  interface Actions {
    browse: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    browse: typeof browse
  }
}

export const browseFeature = defineFeature({
  localeAreas: ['browse'],
  routes: {
    browse: { component: typedPart(async () => (await import('./BrowseView.tsx')).BrowseView), action: 'browse' },
  },
  actions: {
    browse: {
      chords: ['Mod+Shift+L'],
      group: 'navigation',
      order: 220,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void dispatch(routeOpened({ view: 'browse' })),
    },
  },
  sidebar: [
    {
      id: 'invites',
      under: 'catch-up',
      order: 60,
      icon: 'user-plus',
      open: routeOpened({ view: 'browse' }),
      shown: ({ entities }) => (entities.inbox['self']?.invites.length ?? 0) > 0,
      Content({ children }) {
        const t = useTexts('sidebar')
        const count = useInvites().length
        return children({
          title: t('invites.title'),
          label: t('invites.label', { count }),
          count,
          end: { count, tone: 'mention' },
        })
      },
    },
  ],
})
