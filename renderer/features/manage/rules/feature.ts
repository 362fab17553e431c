import type rules from '../../../../resources/locales/en/rules.json'
import { part } from '../../../lib/page/part.tsx'
import { defineFeature } from '../../../registry/feature.ts'

declare module '../../../store/window/kinds.ts' {
  interface ManagePages {
    rules: void
  }
}
declare module '../../../i18n/areas.ts' {
  interface Areas {
    rules: typeof rules
  }
}

export const rulesFeature = defineFeature({
  localeAreas: ['rules'],
  manage: {
    rules: {
      order: 20,
      icon: 'filter',
      group: 'moderation',
      right: 'rules',
      component: part(async () => (await import('./RulesPage.tsx')).RulesPage),
    },
  },
})
