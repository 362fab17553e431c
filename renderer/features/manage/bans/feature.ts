import type bans from '../../../../resources/locales/en/bans.json'
import { part } from '../../../lib/page/part.tsx'
import { defineFeature } from '../../../registry/feature.ts'

declare module '../../../store/window/kinds.ts' {
  interface ManagePages {
    bans: void
  }
}
declare module '../../../i18n/areas.ts' {
  interface Areas {
    bans: typeof bans
  }
}

export const bansFeature = defineFeature({
  localeAreas: ['bans'],
  manage: {
    bans: {
      order: 30,
      icon: 'ban',
      group: 'moderation',
      right: 'review',
      component: part(async () => (await import('./BansPage.tsx')).BansPage),
    },
  },
})
