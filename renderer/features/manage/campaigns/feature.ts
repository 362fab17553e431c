import type campaigns from '../../../../resources/locales/en/campaigns.json'
import { part } from '../../../lib/page/part.tsx'
import { defineFeature } from '../../../registry/feature.ts'

declare module '../../../store/window/kinds.ts' {
  interface ManagePages {
    campaigns: void
  }
}
declare module '../../../i18n/areas.ts' {
  interface Areas {
    campaigns: typeof campaigns
  }
}

export const campaignsFeature = defineFeature({
  localeAreas: ['campaigns'],
  manage: {
    campaigns: {
      order: 200,
      icon: 'megaphone',
      group: 'messaging',
      right: 'campaigns',
      component: part(async () => (await import('./CampaignsPage.tsx')).CampaignsPage),
    },
  },
})
