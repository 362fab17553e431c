import type { UserId } from '#shared/lib/brand.ts'
import type segments from '../../../../resources/locales/en/segments.json'
import { part } from '../../../lib/page/part.tsx'
import { defineFeature } from '../../../registry/feature.ts'

declare module '../../../store/window/kinds.ts' {
  interface ManagePages {
    segments: void
  }
  interface Dialogs {
    'add-to-segment': { readonly userIds: readonly UserId[] }
  }
}
declare module '../../../i18n/areas.ts' {
  interface Areas {
    segments: typeof segments
  }
}

export const segmentsFeature = defineFeature({
  localeAreas: ['segments'],
  manage: {
    segments: {
      order: 220,
      icon: 'segments',
      group: 'messaging',
      right: 'campaigns',
      component: part(async () => (await import('./SegmentsPage.tsx')).SegmentsPage),
    },
  },
  dialogs: { 'add-to-segment': part(async () => (await import('./SegmentDialogs.tsx')).AddToSegment) },
})
