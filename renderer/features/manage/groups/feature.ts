import type groups from '../../../../resources/locales/en/groups.json'
import { part } from '../../../lib/page/part.tsx'
import { defineFeature } from '../../../registry/feature.ts'

declare module '../../../store/window/kinds.ts' {
  interface ManagePages {
    groups: void
  }
}
declare module '../../../i18n/areas.ts' {
  interface Areas {
    groups: typeof groups
  }
}

export const groupsFeature = defineFeature({
  localeAreas: ['groups'],
  manage: {
    groups: {
      order: 130,
      icon: 'at',
      group: 'people',
      right: 'people',
      component: part(async () => (await import('./GroupsPage.tsx')).GroupsPage),
    },
  },
})
