import type integrations from '../../../../resources/locales/en/integrations.json'
import { part } from '../../../lib/page/part.tsx'
import { defineFeature } from '../../../registry/feature.ts'

declare module '../../../store/window/kinds.ts' {
  interface ManagePages {
    integrations: void
  }
}
declare module '../../../i18n/areas.ts' {
  interface Areas {
    integrations: typeof integrations
  }
}

export const integrationsFeature = defineFeature({
  localeAreas: ['integrations'],
  manage: {
    integrations: {
      order: 330,
      icon: 'plug',
      group: 'workspace',
      right: 'integrations',
      component: part(async () => (await import('./IntegrationsPage.tsx')).IntegrationsPage),
    },
  },
})
