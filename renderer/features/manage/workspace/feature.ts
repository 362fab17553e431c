import type workspace from '../../../../resources/locales/en/workspace.json'
import { part } from '../../../lib/page/part.tsx'
import { defineFeature } from '../../../registry/feature.ts'

declare module '../../../store/window/kinds.ts' {
  interface ManagePages {
    types: void
    commands: void
    polls: void
    uploads: void
  }
}
declare module '../../../i18n/areas.ts' {
  interface Areas {
    workspace: typeof workspace
  }
}

const COMMON = { group: 'workspace', right: 'settings' } as const

export const workspaceFeature = defineFeature({
  localeAreas: ['workspace'],
  manage: {
    types: {
      ...COMMON,
      order: 310,
      icon: 'hash',
      component: part(async () => (await import('./TypesPage.tsx')).TypesPage),
    },
    commands: {
      ...COMMON,
      order: 320,
      icon: 'slash',
      component: part(async () => (await import('./CommandsPage.tsx')).CommandsPage),
    },
    polls: {
      ...COMMON,
      order: 330,
      icon: 'poll',
      component: part(async () => (await import('./PollsPage.tsx')).PollsPage),
    },
    uploads: {
      ...COMMON,
      order: 340,
      icon: 'settings',
      component: part(async () => (await import('./LimitsPage.tsx')).LimitsPage),
    },
  },
})
