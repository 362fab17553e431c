import type history from '../../../../resources/locales/en/history.json'
import { part } from '../../../lib/page/part.tsx'
import { defineFeature } from '../../../registry/feature.ts'

declare module '../../../store/window/kinds.ts' {
  interface ManagePages {
    history: void
  }
}
declare module '../../../i18n/areas.ts' {
  interface Areas {
    history: typeof history
  }
}

export const historyFeature = defineFeature({
  localeAreas: ['history'],
  manage: {
    history: {
      order: 40,
      icon: 'history',
      group: 'moderation',
      right: 'history',
      component: part(async () => (await import('./HistoryPage.tsx')).HistoryPage),
    },
  },
})
