import type notices from '../../../resources/locales/en/notices.json'
import { defineFeature } from '../../registry/feature.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { selectCanParticipate } from '../../store/selectors.ts'
import { undoLast } from '../../store/window/recent.ts'
import { part } from '../../lib/page/part.tsx'
import { NoticeCard } from './Notices.tsx'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    'notice-log': NoProps
    'recent-actions': NoProps
  }
  interface Actions {
    notices: void
    undoLast: void
    recentActions: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    notices: typeof notices
  }
}

export const noticesFeature = defineFeature({
  localeAreas: ['notices'],
  dialogs: {
    'notice-log': part(async () => (await import('./NoticeCard.tsx')).NoticeLog),
    'recent-actions': part(async () => (await import('./NoticeCard.tsx')).RecentActions),
  },
  actions: {
    notices: {
      chords: [],
      group: 'window',
      order: 460,
      inOwnWindow: true,
      run: ({ dispatch }) => void dispatch(dialogOpened({ kind: 'notice-log' })),
    },
    undoLast: {
      chords: ['Mod+Z'],
      group: 'navigation',
      order: 260,
      allowed: selectCanParticipate,
      inOwnWindow: true,
      outsideFields: true,
      run: ({ dispatch }) => void dispatch(undoLast()),
    },
    recentActions: {
      chords: [],
      group: 'navigation',
      order: 265,
      allowed: selectCanParticipate,
      inOwnWindow: true,
      run: ({ dispatch }) => void dispatch(dialogOpened({ kind: 'recent-actions' })),
    },
  },
  warm() {
    NoticeCard.warm()
  },
})
