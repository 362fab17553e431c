import type review from '../../../../resources/locales/en/review.json'
import { part } from '../../../lib/page/part.tsx'
import { defineFeature } from '../../../registry/feature.ts'

declare module '../../../store/window/kinds.ts' {
  interface ManagePages {
    review: void
  }
  interface Dialogs {
    reviewKeys: NoProps
    /** What the viewer reported, and what became of it. */
    myReports: NoProps
  }
}
declare module '../../../i18n/areas.ts' {
  interface Areas {
    review: typeof review
  }
}

export const reviewFeature = defineFeature({
  localeAreas: ['review'],
  manage: {
    review: {
      order: 10,
      icon: 'shield',
      group: 'moderation',
      right: 'review',
      counts: 'review',
      staysOpen: true,
      component: part(async () => (await import('./ReviewPage.tsx')).ReviewPage),
    },
  },
  dialogs: {
    reviewKeys: part(async () => (await import('./Keys.tsx')).KeysDialog),
    myReports: part(async () => (await import('./MyReports.tsx')).MyReports),
  },
})
