import type imports from '../../../../resources/locales/en/imports.json'
import { part } from '../../../lib/page/part.tsx'
import { defineFeature } from '../../../registry/feature.ts'

declare module '../../../store/window/kinds.ts' {
  interface ManagePages {
    imports: void
  }
}
declare module '../../../i18n/areas.ts' {
  interface Areas {
    imports: typeof imports
  }
}

export const importsFeature = defineFeature({
  localeAreas: ['imports'],
  manage: {
    imports: {
      order: 350,
      icon: 'upload',
      group: 'workspace',
      right: 'imports',
      staysOpen: true,
      component: part(async () => (await import('./ImportsPage.tsx')).ImportsPage),
    },
  },
})
